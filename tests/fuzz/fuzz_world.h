// The world's fuzzer, for those who want to know how many calls an input made.
#ifndef TRV_TESTS_FUZZ_WORLD_H
#define TRV_TESTS_FUZZ_WORLD_H

#include <stddef.h>
#include <stdint.h>

// Makes the calls that `data` tells of; ends the program where one does what it must not.
uint32_t fuzz_world_calls(const uint8_t *data, size_t size);

#endif
