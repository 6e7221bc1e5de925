/*
 * fold_name.c - names of ranges without what differs from call to call
 *
 *	argument = [","] SPACE {SPACE} KEY [" "] "=" [" "] value
 *	value    = "[" { value | other } "]" | a text without comma and space
 *	hex      = "0x" DIGIT DIGIT DIGIT DIGIT {DIGIT}
 *
 *	counted  = WORD [" " | "_" | "#" | ":" | "=" | "-"] NUMBER
 *	alone    = NUMBER ["." NUMBER]
 *
 * No character of a word stands on either side of a counted name, no letter
 * and no digit on either side of a number alone.  A bracket that is not closed
 * lasts to the end, as in a name that was cut.
 */

#include <ctype.h>
#include <strings.h>

#include "tq/base/ascii.h"
#include "tq/base/span.h"

#include "tq/names/fold_name.h"

#define KEY(text) \
	{ \
		text, sizeof(text) - 1 \
	}

static const struct span keys[] = {KEY("op_id"), KEY("seq"), KEY("sizes"),
    KEY("input_op_ids"), KEY("shapes"), KEY("evt_id")};

#undef KEY

static const char *const counted[] = {"step", "iter", "iteration", "epoch",
    "batch", "layer", "block", "rank", "frame", "chunk", "request", "req",
    "token", "microbatch", "micro_batch"};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static bool
is_alnum(char c)
{
	return isalnum((unsigned char)c) && (unsigned char)c < 0x80;
}

/* A character of a word; a byte of a longer UTF-8 character is one, too. */
static bool
is_word(char c)
{
	return is_alnum(c) || c == '_' || (unsigned char)c >= 0x80;
}

/* The number of digits at i. */
static size_t
digits_at(struct span s, size_t i)
{
	size_t n = 0;

	while (i + n < s.len && ascii_is_digit(s.p[i + n]))
		n++;
	return n;
}

static bool
has_at(struct span s, size_t i, const char *word, size_t len)
{
	return s.len - i >= len && strncasecmp(s.p + i, word, len) == 0;
}

/* ---- arguments, hexadecimal numbers ---- */

/* Where the value at i ends; i if there is none. */
static size_t
skip_value(struct span s, size_t i)
{
	size_t depth = 0;

	if (i < s.len && s.p[i] == '[') {
		do {
			depth += s.p[i] == '[';
			depth -= s.p[i] == ']';
		} while (++i < s.len && depth > 0);
		return i;
	}
	while (i < s.len && s.p[i] != ',' && !ascii_is_space(s.p[i]))
		i++;
	return i;
}

/* Where the key that ends at i begins, at from or behind it; i if none does. */
static size_t
key_before(struct span s, size_t from, size_t i)
{
	for (size_t k = 0; k < COUNT(keys); k++) {
		size_t len = keys[k].len;

		if (i - from >= len && s.p[i - 1] == keys[k].p[len - 1] &&
		    memcmp(s.p + i - len, keys[k].p, len) == 0)
			return i - len;
	}
	return i;
}

/* Where the argument begins whose "=" is at i, at from or behind it; i if it is
   of none. */
static size_t
argument_before(struct span s, size_t from, size_t i)
{
	size_t end = i > from && s.p[i - 1] == ' ' ? i - 1 : i;
	size_t key = key_before(s, from, end), blank = key;

	if (key == end)
		return i;
	while (blank > from && ascii_is_space(s.p[blank - 1]))
		blank--;
	if (blank == key)
		return i;
	return blank > from && s.p[blank - 1] == ',' ? blank - 1 : blank;
}

/* equals: the first "=" */
static size_t
drop_arguments(char *p, size_t len, const char *equals)
{
	const struct span s = {p, len};
	size_t to = 0, from = 0, end;

	while (equals != NULL) {
		size_t i = (size_t)(equals - p);
		size_t begin = argument_before(s, from, i);
		size_t at = i + 1 + (i + 1 < len && p[i + 1] == ' ');

		end = begin < i ? skip_value(s, at) : at;
		if (end == at) /* no argument */
			end = begin = i + 1;
		memmove(p + to, p + from, begin - from);
		to += begin - from;
		from = end;
		equals = memchr(p + from, '=', len - from);
	}
	memmove(p + to, p + from, len - from);
	return to + len - from;
}

static size_t
fold_hex(char *p, size_t len)
{
	size_t to = 0;

	for (size_t i = 0; i < len;) {
		size_t n = i + 1;

		if (p[i] == '0' && n < len && p[n] == 'x')
			while (++n < len && isxdigit((unsigned char)p[n]))
				;
		if (n - i < 6) {
			p[to++] = p[i++];
			continue;
		}
		memcpy(p + to, "0x*", 3);
		to += 3;
		i = n;
	}
	return to;
}

static bool
has_hex(const char *p, size_t len)
{
	const char *x = p, *end = p + len;

	while ((x = memchr(x, 'x', (size_t)(end - x))) != NULL) {
		if (x > p && x[-1] == '0')
			return true;
		x++;
	}
	return false;
}

size_t
fold_name_always(char *p, size_t len)
{
	const char *equals = len > 0 ? memchr(p, '=', len) : NULL;

	if (equals != NULL)
		len = drop_arguments(p, len, equals);
	if (len > 0 && has_hex(p, len))
		len = fold_hex(p, len);
	return len;
}

/* ---- numbers ---- */

/* Where the number of a counted name at i begins; i if there is none. */
static size_t
skip_counted(struct span s, size_t i)
{
	if (i > 0 && is_word(s.p[i - 1]))
		return i;
	for (size_t k = 0; k < COUNT(counted); k++) {
		size_t at = i + strlen(counted[k]), end;

		if (!has_at(s, i, counted[k], at - i))
			continue;
		at += at < s.len && s.p[at] != '\0' &&
		      strchr(" _#:=-", s.p[at]) != NULL;
		end = at + digits_at(s, at);
		if (end > at && (end == s.len || !is_word(s.p[end])))
			return at;
	}
	return i;
}

/* Where the number alone at i ends; i if there is none. */
static size_t
skip_alone(struct span s, size_t i)
{
	size_t end, more;

	if (!ascii_is_digit(s.p[i]) || (i > 0 && is_alnum(s.p[i - 1])))
		return i;
	end = i + digits_at(s, i);
	if (end == s.len)
		return end;
	more = s.p[end] == '.' ? end + 1 + digits_at(s, end + 1) : 0;
	if (more > end + 1 && (more == s.len || !is_alnum(s.p[more])))
		return more;
	return is_alnum(s.p[end]) ? i : end;
}

static bool
has_digit(const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (ascii_is_digit(p[i]))
			return true;
	return false;
}

/*
 * The text before i may have been replaced, but a number only where i is no
 * letter and no digit.
 */
size_t
fold_name_numbers(char *p, size_t len)
{
	const struct span s = {p, len};
	size_t to = 0, end;

	if (!has_digit(p, len))
		return len;
	for (size_t i = 0; i < len; i = end) {
		size_t number =
		    isalpha((unsigned char)p[i]) ? skip_counted(s, i) : i;

		memmove(p + to, p + i, number - i);
		to += number - i;
		end = number > i ? number + digits_at(s, number)
				 : skip_alone(s, i);
		p[to++] = end > i ? '*' : p[i];
		end += end == i;
	}
	return to;
}
