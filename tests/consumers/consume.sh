#!/usr/bin/env bash
# One step of the consumer tests; see CMakeLists.txt, which sets the environment.
#
#   consume.sh install|find_package|pkg_config|package|add_subdirectory static|shared
set -euo pipefail
step=$1
kind=$2
here=$(cd "$(dirname "$0")" && pwd)
installed=$WORK/moved-$kind
out=$WORK/$step-$kind
[[ $kind == shared ]] && shared=ON || shared=OFF
[[ -n $CXX ]] && with_cxx=ON || with_cxx=OFF
warnings="-Wall -Wextra -pedantic -Werror"

configure() { # source folder, build folder, more options
    "$CMAKE" -S "$1" -B "$2" -G "$GENERATOR" -DCMAKE_C_COMPILER="$CC" \
        ${CXX:+-DCMAKE_CXX_COMPILER="$CXX"} -DCMAKE_C_FLAGS="$FLAGS" -DCMAKE_CXX_FLAGS="$FLAGS" \
        "${@:3}"
}

run_both() { # folder of the programs
    "$1/in_c"
    [[ $with_cxx == OFF ]] || "$1/in_cxx"
}

build_with_pkg_config() { # installed folder
    mkdir -p "$out"
    PKG_CONFIG_PATH=$(dirname "$(find "$1" -name trivet.pc)")
    LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
    export PKG_CONFIG_PATH LD_LIBRARY_PATH
    local version cflags libs
    version=$(sed -n 's/^#define TRV_VERSION_[A-Z]* //p' "$PROJECT/include/trivet/base.h" |
        paste -sd .)
    "$PKG_CONFIG" --exact-version="$version" trivet
    cflags=$("$PKG_CONFIG" --cflags trivet)
    libs=$("$PKG_CONFIG" --libs trivet)
    # shellcheck disable=SC2086 # these are lists of words
    "$CC" -std=c11 $warnings $FLAGS $cflags "$here/in_c.c" -o "$out/in_c" $libs
    # shellcheck disable=SC2086
    [[ $with_cxx == OFF ]] ||
        "$CXX" -std=c++11 $warnings $FLAGS $cflags "$here/in_cxx.cpp" -o "$out/in_cxx" $libs
    run_both "$out"
}

rm -rf "$out"
case $step in
install)
    staged=$WORK/staged-$kind
    rm -rf "$staged" "$installed"
    if [[ $kind == "$BUILD_KIND" ]]; then
        "$CMAKE" --install "$BUILD" --prefix "$staged"
    else
        # The kind that this build is not is built here: the way in is what is tested, not the
        # code, so without optimisation. The same below. Of a shared library the examples use no more
        # than it shows.
        configure "$PROJECT" "$out" -DBUILD_SHARED_LIBS="$shared" \
            -DTRIVET_CGLM_INCLUDE_DIR="$CGLM" -DTRIVET_TESTS=OFF -DTRIVET_EXAMPLES="$shared"
        "$CMAKE" --build "$out"
        [[ $kind == static ]] || (cd "$out" && bin/drop --bodies 20 --seconds 1)
        "$CMAKE" --install "$out" --prefix "$staged"
    fi
    if grep -rlF -e "$PROJECT/include" -e "$PROJECT/src" -e "$BUILD" --include='*.cmake' \
        --include='*.pc' "$staged"; then
        echo "consume: the files above name a folder that the user does not have"
        exit 1
    fi
    if grep -rliF cglm --include='*.cmake' --include='*.pc' "$staged"; then
        echo "consume: the files above ask the user for cglm"
        exit 1
    fi
    mv "$staged" "$installed"
    if [[ $kind == shared && $FLAGS != *-fsanitize* && $FLAGS != *--coverage* ]]; then
        "$PROJECT/.ci/symbols" "$(find "$installed" -name libtrivet.so)"
    fi
    ;;
find_package)
    configure "$here/find_package" "$out" -DCMAKE_PREFIX_PATH="$installed" -DWITH_CXX="$with_cxx"
    "$CMAKE" --build "$out"
    run_both "$out"
    ;;
pkg_config)
    if [[ -z $PKG_CONFIG ]]; then
        echo "consume: skipped, there is no pkg-config"
        exit 77
    fi
    build_with_pkg_config "$installed"
    ;;
package)
    if [[ -z $PKG_CONFIG ]] || ! command -v dpkg-deb >/dev/null; then
        echo "consume: skipped, there is no pkg-config or no dpkg-deb"
        exit 77
    fi
    [[ $kind == "$BUILD_KIND" ]] && built=$BUILD || built=$WORK/install-$kind
    mkdir -p "$out/root"
    "${CMAKE%cmake}cpack" --config "$built/CPackConfig.cmake" -B "$out"
    for package in "$out"/*.deb; do
        dpkg-deb -x "$package" "$out/root"
    done
    build_with_pkg_config "$out/root"
    ;;
add_subdirectory)
    configure "$here/add_subdirectory" "$out" -DBUILD_SHARED_LIBS="$shared" -DPROJECT="$PROJECT" \
        -DTRIVET_CGLM_INCLUDE_DIR="$CGLM" -DWITH_CXX="$with_cxx"
    "$CMAKE" --build "$out"
    run_both "$out"
    "$CMAKE" --install "$out" --prefix "$out/installed"
    if [[ -e $out/installed ]]; then
        echo "consume: the user's installation holds parts of trivet that nobody asked for"
        exit 1
    fi
    ;;
*)
    echo "consume: no such step: $step"
    exit 2
    ;;
esac
