// How a thread rounds, and what it does with numbers below the least normal one, which the program
// around the library may have set otherwise for itself: audio and graphics code flushes them to zero.
//
// All that is the same bits everywhere rests on the usual way: to nearest, nothing flushed, no traps.
// What has to be so asks for it at the beginning, on each thread that takes part, and gives back at the
// end what it found; where it was the usual way already, as nearly always, that is one look.
//
// Invariant: nothing else in the library reads or writes these modes.
#include "base.h"

#if (defined(__SSE__) || defined(_M_X64)) && !defined(__wasm__) // that has no modes
#include <xmmintrin.h>

enum {
    USUAL = 0x1F80, // to nearest, no flushing, all exceptions masked
    TOLD = 0x003F   // exceptions that there were; they change nothing
};

static uint64_t get_modes(void)
{
    return _mm_getcsr() & ~(uint32_t)TOLD;
}

static void set_modes(uint64_t modes)
{
    _mm_setcsr((uint32_t)modes);
}

#elif defined(__aarch64__) && defined(__GNUC__)

enum { USUAL = 0 };

static uint64_t get_modes(void)
{
    uint64_t modes;
    __asm__ volatile("mrs %0, fpcr" : "=r"(modes));
    return modes;
}

static void set_modes(uint64_t modes)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(modes) : "memory");
}

#else // there are none, or no way to them

enum { USUAL = 0 };

static uint64_t get_modes(void)
{
    return USUAL;
}

static void set_modes(uint64_t modes)
{
    (void)modes;
}

#endif

uint64_t trvi_floating_begin(void)
{
    uint64_t found = get_modes();
    if (found != USUAL)
        set_modes(USUAL);
    return found;
}

void trvi_floating_end(uint64_t found)
{
    if (found != USUAL)
        set_modes(found);
}
