/*
 * settings.h - what the launcher asked for: the variable TQ_CAPTURE, parsed;
 * see arena.h for its words
 */
#ifndef TQ_AGENT_SETTINGS_H
#define TQ_AGENT_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SETTINGS_SOCKET_MAX = 107 }; /* bytes of an abstract name */

struct agent_settings {
	bool capture; /* this process is to be captured */
	bool tsc;     /* the clock is the cycle counter */
	bool block;   /* wait for room rather than lose records */
	uint32_t on, chunks, buffers;
	uint32_t arm;      /* bits of arena.on that may come later */
	uint32_t flush;    /* ms; 0: never asked for */
	const char *chain; /* what else is to be injected; may be empty */
	char socket[SETTINGS_SOCKET_MAX + 1];
	const char *variables; /* "A,B,...", to be told; may be empty */
};

/*
 * The settings, the same from the first call on, in children after fork too.
 * The first call is not thread-safe: process_open makes it, under its lock.
 */
const struct agent_settings *settings_get(void);

/*
 * Calls put(to, name, value) for each variable of the environment that the
 * launcher is to be told of, those of the rank among them.
 */
void settings_variables(
    void (*put)(void *to, const char *name, const char *value), void *to);

#endif
