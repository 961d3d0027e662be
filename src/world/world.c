// placeholder so that the layer links; replaced below
