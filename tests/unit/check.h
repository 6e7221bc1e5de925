/*
 * check.h - what the table tests share: a row that fails is printed with its
 * place and what was seen; main returns check_status().
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tq/base/text.h"

enum { CHECK_SHOWN = 20 };

static int check_failed;

#define CHECK(ok, ...) check_row((ok), __FILE__, __LINE__, __VA_ARGS__)

__attribute__((format(printf, 4, 5))) static inline void
check_row(bool ok, const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	if (ok)
		return;
	if (++check_failed > CHECK_SHOWN)
		return;
	printf("%s:%d: ", file, line);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

/* a text that there may not be, for %s */
static inline const char *
shown(const char *s)
{
	return s != NULL ? s : "(none)";
}

static inline bool
text_is(const struct text *t, const char *expect)
{
	return span_eq(text_span(t), span_of(expect));
}

/* always the same numbers (xorshift) */
static inline uint64_t
check_random(void)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

static inline int
check_status(void)
{
	if (check_failed > 0)
		printf("%d rows failed\n", check_failed);
	return check_failed > 0;
}

#endif
