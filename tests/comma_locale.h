// A locale whose decimal point is a comma: one that is installed, or else one made on the spot.
//
// glibc's localedef compiles the few lines below without any locale data of the system, and LOCPATH
// tells setlocale where they are.
#ifndef TRV_TESTS_COMMA_LOCALE_H
#define TRV_TESTS_COMMA_LOCALE_H

#include "support.h"

#include <locale.h>

#if !defined(_WIN32)
int setenv(const char *name, const char *value, int overwrite); // POSIX
#endif

static inline bool comma_is_set(const char *locale)
{
    return setlocale(LC_ALL, locale) != NULL && localeconv()->decimal_point[0] == ',';
}

static inline bool comma_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    bool good = file != NULL && fputs(text, file) >= 0;
    return file != NULL && fclose(file) == 0 && good;
}

// `name` sets the files apart from those of other tests that run at the same time.
static inline bool comma_make(const char *name)
{
#if defined(_WIN32)
    (void)name;
    return false;
#else
    char path[256], command[1024];
    snprintf(path, sizeof path, "%s.src", name);
    bool good = comma_write(path, "LC_NUMERIC\ndecimal_point \"<U002C>\"\n"
                                  "thousands_sep \"<U002E>\"\ngrouping 3;3\nEND LC_NUMERIC\n");
    snprintf(path, sizeof path, "%s.charmap", name);
    good = good && comma_write(path, "<code_set_name> ASCII\n<mb_cur_min> 1\n<mb_cur_max> 1\n"
                                     "CHARMAP\n<U0000>..<U007F> \\x00\nEND CHARMAP\n");
    // It warns of all that the locale lacks, and says 1 for that.
    snprintf(command, sizeof command,
             "localedef -c -i ./%s.src -f ./%s.charmap ./%s >/dev/null 2>&1", name, name, name);
    if (!good || system(command) == -1)
        return false;
    setenv("LOCPATH", ".", 1);
    return setlocale(LC_NUMERIC, name) != NULL && localeconv()->decimal_point[0] == ',';
#endif
}

// Sets the locale and makes sure that the C library follows it; skips the test where there is none.
static inline void comma_begin(const char *name)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8",
                                        "German_Germany.1252"};
    bool comma = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !comma; ++i)
        comma = comma_is_set(names[i]);
    if (!comma && !comma_make(name)) {
        print_message("no locale with a decimal comma, and none can be made: skipped\n");
        skip();
    }
    char text[16];
    snprintf(text, sizeof text, "%.1f", 1.5);
    assert_string_equal(text, "1,5");
}

static inline void comma_end(void)
{
    setlocale(LC_ALL, "C");
}

#endif
