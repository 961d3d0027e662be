#!/usr/bin/env bash
# Proves that the checks of .ci/ can fail: each is shown a small project with one mistake in it, and
# must name the mistake.
#
#   catches.sh PROJECT FOLDER      FOLDER is made anew
set -euo pipefail
project=$1
folder=$2
failed=0
cases=0

# A small project that has nothing wrong with it.
fresh() {
    rm -rf "$folder"
    mkdir -p "$folder"/{.ci,include/trivet,src/{math,narrow,broad,mesh,world},tests,examples,doors}
    cp "$project/.clang-format" "$folder/"
    cd "$folder"
    touch include/trivet/{base,types,broad,collide,world}.h
    printf '#include <trivet/base.h>\n' >src/base.h
    local layer
    for layer in math narrow broad mesh; do
        printf '#include "base.h"\n' >"src/$layer/$layer.h"
    done
}

# expect CHECK WORDS ARGUMENT...: the check fails and says WORDS; "passes" stands for success
expect() {
    local check=$1 words=$2 status=0 said
    shift 2
    said=$("$project/.ci/$check" "$@" 2>&1) || status=$?
    cases=$((cases + 1))
    if [[ $words == passes ]]; then
        ((status == 0)) && return
    elif ((status == 1)) && [[ $said == *"$words"* ]]; then
        return
    fi
    echo "$check: status $status, wanted '$words'; it said:"
    echo "$said"
    failed=1
}

fresh
expect layers passes .

include_case() { # file, text, words
    fresh
    printf '%s\n' "$2" >>"$1"
    expect layers "$3" .
}
include_case src/narrow/gjk.c '#include "../broad/broad.h"' 'a path that leaves its folder'
include_case src/narrow/gjk.c '#include "math/../broad/broad.h"' 'a path that leaves its folder'
include_case src/narrow/gjk.c '#include "/etc/broad.h"' 'a path that leaves its folder'
include_case src/narrow/gjk.c '#include "broad/broad.h"' 'the layer narrow does not see'
include_case src/mesh/obj.c '#include "math/linear.h"' 'the layer mesh does not see'
include_case src/math/pose.c '#  include "narrow/narrow.h" // why' 'the layer math does not see'
include_case src/base.h '#include "math/math.h"' 'the layer base does not see'
include_case src/narrow/gjk.c '#include <trivet/world.h>' 'not for the layer narrow'
include_case src/broad/sort.c '#include <trivet/collide.h>' 'not for the layer broad'
include_case src/narrow/gjk.c '#include NAME' 'an include that is not plain'
include_case include/trivet/base.h '#include "../../src/base.h"' 'a path that leaves its folder'
include_case src/other.c '#include "math/math.h"' 'the layer base does not see'

fresh
printf '#include "b.h"\n' >src/math/a.h
printf '#include "c.h"\n' >src/math/b.h
printf '#include "a.h"\n' >src/math/c.h
expect layers 'in a circle' .

fresh
printf '#include "a.h"\n' >src/math/a.h
expect layers 'in a circle' .

fresh
printf '#include "types.h"\n' >include/trivet/base.h
printf '#include "base.h"\n' >include/trivet/types.h
expect layers 'in a circle' .

fresh # a build whose narrow layer finds the door of broad
for layer in base math narrow broad mesh world; do
    echo "$folder/include" >"doors/$layer"
done
echo "$folder/src" >>doors/narrow
expect layers 'a file of the layer narrow compiles with broad/broad.h included' . "$folder/doors"
expect layers 'the layer math cannot include base.h' . "$folder/doors"

form_case() { # file, text, words
    fresh
    printf '%b' "$2" >"$1"
    expect form "$3" .
}
form_case src/base.c "int trvi_one;\n" passes
form_case src/base.c "$(printf '\\n%.0s' {1..701})" 'more than 700 lines'
form_case src/base.c "void f(void)\n{$(printf '\\n%.0s' {1..72})}\n" 'more than 70 lines'
form_case src/base.c "// One piece: it is one piece.\nvoid f(void)\n{$(printf '\\n%.0s' {1..72})}\n" passes
form_case src/base.c "// TO""DO: more\n" 'left undone'
form_case src/base.c "int\ta;\n" 'tabs'
form_case src/base.c "int a; \n" 'spaces or CR'
form_case src/base.c "int a;\r\n" 'spaces or CR'
form_case src/base.c "int a;" 'no line end'

fresh
printf 'int  trvi_one;\n' >src/base.c
status=0
"$project/.ci/format" . >/dev/null 2>&1 || status=$?
((status == 77)) || expect format 'clang-format' .

header_case() { # text, words
    fresh
    printf '%b' "$1" >include/trivet/base.h
    expect headers "$2" .
}
if command -v gcc >/dev/null || command -v clang >/dev/null; then
    header_case 'struct trv_int {\n    int a;\n};\n' 'refuses <trivet/base.h>' # there is no guard
    header_case '#pragma once\nstatic inline size_t trv_f(void)\n{\n    return 0;\n}\n' 'refuses'
    header_case '#pragma once\ntypedef int trv_int;\n' passes
    if command -v g++ >/dev/null || command -v clang++ >/dev/null; then
        header_case '#pragma once\nstatic const int trv_a = (int)2.5;\n' 'refuses' # a cast of C alone
    fi
    header_case '#pragma once\n#include <cglm/struct.h>\n' 'only <trivet/cglm.h>'
fi

# shellcheck disable=SC2016 # fences of code, not commands
docs_case() { # text, words
    fresh
    mkdir docs
    printf '%s\n' '#include <stddef.h>' 'extern int *world, body;' >docs/context.h
    printf '%s\n' 'typedef int trv_result;' 'enum { TRV_OK };' >>docs/context.h
    printf '%b' "$1" >README.md
    expect docs "$2" .
}
if command -v "${CC:-cc}" >/dev/null; then
    docs_case 'Words.\n' 'no block of C'
    docs_case '```c\n*world = 1;\n```\n' passes
    docs_case '```c\n*world = none;\n```\n' 'README.md:2'
    docs_case '```c\nint unused;\n```\n' 'unused'
    docs_case '```c\nint f(void)\n{\n    return body;\n}\n```\n' 'README.md:'
    docs_case '<!-- functions -->\n```c\nint f(void);\nint f(void)\n{\n    return body;\n}\n```\n' passes
    docs_case '```c\nint main(void)\n{\n    return none;\n}\n```\n' 'README.md:4'
fi

reference_case() { # text, words
    fresh
    mkdir docs
    cp "$project"/docs/{Doxyfile,repeat_comments.awk} docs/
    printf '# Start\n' >docs/getting-started.md
    rm include/trivet/*.h
    printf '%b' "/// @file\n/// What it is.\n$1" >include/trivet/base.h
    expect reference "$2" .
}
if command -v doxygen >/dev/null; then
    reference_case '\n/// One.\nTRV_API int trv_one(void);\nTRV_API int trv_two(void);\n' passes
    reference_case '\nTRV_API int trv_one(void);\n' 'without a comment'
    reference_case '\n/// Takes @p two.\n/// @param two is none.\nTRV_API int trv_one(int a);\n' \
        'something to say'
fi

symbol_case() { # source, words
    fresh
    local name
    for name in one two; do
        printf '%s\n' "$1" >"$name.c"
        "${CC:-cc}" -std=c11 -fPIC -fno-builtin -c -D"$name=1" "$name.c" -o "$name.o"
    done
    ar rc lib.a one.o two.o
    expect symbols "$2" lib.a "$folder"
}
guard='#ifdef one
#define F(x) trv_##x##_one
#else
#define F(x) trv_##x##_two
#endif'
symbol_case "$guard
int F(f)(void); int F(f)(void) { return 1; }" passes
symbol_case "$guard
static const int table[] = {1, 2}; const int *F(f)(int i); const int *F(f)(int i) { return table + i; }" passes
symbol_case 'static int f(void) { return 1; }
#ifdef one
int helper(void) { return f(); }
#else
int trv_g(void) { return f(); }
#endif' 'global names without trv'
symbol_case "$guard
int F(f)(void) { static int calls; return ++calls; }" 'memory that can be written to'
symbol_case "$guard
static int seed = 4; int F(f)(void) { return ++seed; }" 'memory that can be written to'
symbol_case "$guard
double sin(double); double F(f)(double x) { return sin(x); }" 'from machine to machine'
symbol_case "$guard
int trvi_missing_one(void); int F(f)(void) { return trvi_missing_one(); }" 'undefined'
symbol_case "$guard
int trv_f_one(void); int trv_f_two(void); int trv_g_one(void); int trv_g_two(void);
#ifdef one
int trv_f_one(void) { return trv_f_two(); }
int trv_g_one(void) { return 1; }
#else
int trv_f_two(void) { return trv_g_one(); }
int trv_g_two(void) { return 1; }
#endif" 'in a circle'
symbol_case '#ifdef one
int trvi_inner(void) { return 1; }
#else
int trv_outer(void) { return 2; }
#endif' 'exported, and not trv_'

cd "$project"
rm -rf "$folder"
((failed == 0)) || exit 1
echo "catches: $cases cases are in order"
