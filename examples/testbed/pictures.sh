#!/usr/bin/env bash
# A picture of each scene of the testbed, by Mesa's software OpenGL where there is no display; each must
# show something: a picture of few colours compresses to next to nothing.
#
#   pictures.sh TESTBED FOLDER [SIZE]
#
# Status 77: there is no xvfb-run (Debian: xvfb xauth libgl1-mesa-dri).
set -euo pipefail
testbed=$1
folder=$2
size=${3:-640x360}
if ! command -v xvfb-run >/dev/null; then
    echo "pictures: skipped, there is no xvfb-run"
    exit 77
fi
mkdir -p "$folder"
"$testbed" --list | cut -d ' ' -f 1 >"$folder/scenes"

# One server for all of them; this very script is what runs there.
if [[ -z ${TESTBED_ON_DISPLAY:-} ]]; then
    TESTBED_ON_DISPLAY=1 exec xvfb-run -a -s "-screen 0 1280x1024x24" "$0" "$@"
fi
failed=0
while read -r scene; do
    picture=$folder/$scene.png
    rm -f "$picture"
    seen=$("$testbed" --scene "$scene" --frames 12 --size "$size" --clean --screenshot "$picture" --hash) || seen=""
    blind=$("$testbed" --scene "$scene" --frames 12 --headless --hash)
    bytes=$(stat -c %s "$picture" 2>/dev/null || echo 0)
    echo "$seen, $bytes bytes"
    if [[ $seen != "$blind" || $bytes -lt 20000 ]]; then
        echo "pictures: $scene: no picture, a blank one, or another state than without a window ($blind)"
        failed=1
    fi
done <"$folder/scenes"
exit "$failed"
