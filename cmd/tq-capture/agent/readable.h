/*
 * readable.h - whether memory can be read, by a system call.
 */
#ifndef TQ_AGENT_READABLE_H
#define TQ_AGENT_READABLE_H

#include <stdbool.h>
#include <stdint.h>

/* True if the eight bytes at an address can be; keeps nothing but errno. */
bool readable_word(uint64_t address);

#endif
