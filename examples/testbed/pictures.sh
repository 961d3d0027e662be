#!/usr/bin/env bash
# A picture of each scene of the testbed, by Mesa's software OpenGL where there is no display; each must
# show bodies: they are of strong colours, which ground and sky are not.
#
#   pictures.sh TESTBED COLORS FOLDER [SIZE]
#
# Status 77: there is no xvfb-run (Debian: xvfb xauth libgl1-mesa-dri).
set -euo pipefail
testbed=$1
colors=$2
folder=$3
size=${4:-640x360}
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
    shown=$("$colors" "$picture") || {
        echo "pictures: $scene: no picture, or one without bodies"
        failed=1
    }
    echo "$seen, $shown"
    if [[ $seen != "$blind" ]]; then
        echo "pictures: $scene: another state than without a window ($blind)"
        failed=1
    fi
done <"$folder/scenes"
exit "$failed"
