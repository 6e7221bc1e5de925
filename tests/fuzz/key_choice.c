/*
 * key_choice - a list of keys: what is accepted chooses kind and ts of all
 * events, and the keys that it names
 */

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "tq/io/opts.h"
#include "write/key_choice.h"

static jmp_buf refused;

_Noreturn void
opts_no_key(const char *name, size_t len)
{
	REQUIRE(schema_key(name, len) == KEY_NONE);
	longjmp(refused, 1);
}

_Noreturn void
opts_no_kind(struct span name)
{
	REQUIRE(schema_kind(name.p, name.len) == KIND_UNKNOWN);
	longjmp(refused, 1);
}

static void
check_word(const struct key_choice *c, struct span word)
{
	const char *dot = memchr(word.p, '.', word.len);
	size_t before = dot != NULL ? (size_t)(dot + 1 - word.p) : 0;
	enum kind kind =
	    dot != NULL ? schema_kind(word.p, before - 1) : KIND_UNKNOWN;
	enum key key = schema_key(word.p + before, word.len - before);
	struct keyset keys = key_choice_of(c, kind);

	REQUIRE(key != KEY_NONE && keyset_has(&keys, key));
}

static void
check_list(const struct key_choice *c, const char *list)
{
	for (enum kind k = 0; k <= KIND_COUNT; k++) {
		struct keyset keys = key_choice_of(c, k);

		REQUIRE(keyset_has(&keys, KEY_kind));
		REQUIRE(keyset_has(&keys, KEY_ts));
	}
	for (;; list++) {
		size_t n = strcspn(list, ",");

		check_word(c, (struct span){list, n});
		list += n;
		if (*list == '\0')
			return;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct key_choice c;
	char *text = malloc(size + 1);

	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	if (setjmp(refused) == 0) {
		key_choice_take(&c, text);
		check_list(&c, text);
	}
	free(text);
	return 0;
}
