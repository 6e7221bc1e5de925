/*
 * event.h - a line taken apart.
 *
 * Canonical lines (tq-events(5)) take a fast path that reads the members in
 * place; any other spelling of the same object goes through json.h and gives
 * the same event.
 */
#ifndef TQ_LINE_EVENT_H
#define TQ_LINE_EVENT_H

#include "tq/base/text.h"
#include "tq/base/time.h"
#include "tq/base/words.h"
#include "tq/line/outline.h"
#include "tq/line/schema.h"

enum {
	EVENT_PADDING = 16,     /* readable bytes behind a line */
	EVENT_PLAIN_DIGITS = 15 /* numbers of so many are exact everywhere */
};

struct event_member {
	struct span key; /* decoded */
	struct span value;
};

struct model;

/* integers that are read often */
enum { EVENT_TS, EVENT_DUR, EVENT_PID, EVENT_TID, EVENT_NUMBERS };

/*
 * Values computed from a record, for its later readers: its integers, the
 * numbers of names/model.h, and the class of account/device_time.h.  0: not
 * yet.
 */
struct event_memo {
	unsigned char known; /* of number: a bit each */
	unsigned char work;  /* 1 + enum device_class, or DEVICE_NO_CLASS */
	uint32_t process, thread, device, stream, symbol, launching;
};

/*
 * Spans are good until the next event_parse.  A value is the text of a JSON
 * value of the type of its key, in canonical spelling, however the line spells
 * it: an INT is [-]digits and fits 64 bits, a string has the escapes of
 * text_add_json, and nothing has white space between its tokens.  Only a NUM,
 * and numbers within args and unknown keys, have the digits of the line.
 */
/*
 * Values that a tool gives a record, of keys outside of the schema that have
 * numbers of the tool, see expr_condition_of().
 */
enum { EVENT_EXTRAS = 64 };
struct event_extra {
	uint64_t has, is_bool; /* 1 << number */
	int64_t value[EVENT_EXTRAS];
};

struct event {
	struct span line;
	enum kind kind; /* KIND_UNKNOWN: passes through */
	struct span kind_name;
	struct keyset has;
	struct span value[KEY_COUNT];
	/*
	 * All of the line is known to be canonical (but for the value of args),
	 * of ASCII without DEL, and to have no escape in it; no INT or INTS has
	 * a number of more than EVENT_PLAIN_DIGITS digits.
	 */
	bool plain;
	/*
	 * Of two lines that this event read, and that have the same number, it
	 * is known that they have the same kind and the same keys in the same
	 * order, looked for or not; 0 where nothing is known.
	 */
	uint64_t shape;
	struct event_memo memo;
	int64_t number[EVENT_NUMBERS];
	struct model *model;          /* that numbers it, or NULL */
	struct event_member *unknown; /* keys that the schema does not have */
	size_t unknown_count;
	const struct event_extra *extra; /* or NULL: none; borrowed */
	const struct outline *outline;   /* that it was read by, or NULL */
	const char *error; /* constant text, or text of this event */

	size_t unknown_cap;
	struct text scratch, key, message;
	struct line_shapes *shapes; /* of lines that were read before */
	/* the key that followed each in the last record of the kind */
	unsigned char follows[KIND_COUNT + 1][KEY_COUNT + 1];
};

void event_free(struct event *ev);

/*
 * Take line apart; EVENT_PADDING bytes behind it must be readable.  want, when
 * not NULL, is an array of KIND_COUNT + 1 sets of keys: of a canonical line
 * only these are read, and nothing behind the last of them.  Null members count
 * as absent; the last of equal keys counts.  False when line is not an object
 * with a kind, or a key has a value of the wrong type; ev->error is a text
 * about what was expected.
 */
bool event_parse(struct event *ev, struct span line, const struct keyset *want);

/*
 * The same, of a line that has this outline, which is borrowed until the next
 * call; where the line is not as the outline says, the outline is ignored.
 */
bool event_parse_outlined(struct event *ev, struct span line,
    const struct outline *outline, const struct keyset *want);

#ifdef TQ_CHECK_LINES
/*
 * These builds end the program where a line is not as its outline says; but
 * not in a test of wrong outlines, which sets this to false.
 */
extern bool event_checks_outlines;
#endif

/*
 * Make it a record of the schema that no line has: with an empty line, its
 * kind, and the values that event_give() gives it.  Its model stays.  It is not
 * for event_bytes() and event_outline(), which are of lines.
 */
void event_make(struct event *ev, enum kind kind);

/*
 * Make it the record that *from is, of the same values, which are borrowed; of
 * no shape.  It is not for event_free() and event_outline().
 */
void event_borrow(struct event *ev, const struct event *from);

/* value is as event_parse() leaves it, with EVENT_PADDING bytes behind it. */
static inline void
event_give(struct event *ev, enum key k, struct span value)
{
	ev->value[k] = value;
	keyset_add(&ev->has, k);
}

/* Its outline, perhaps in *space; one of shape 0 where it is not known. */
const struct outline *event_outline(
    const struct event *ev, struct outline *space);

static inline bool
event_has(const struct event *ev, enum key k)
{
	return keyset_has(&ev->has, k);
}

/* All values of the record together have no more bytes. */
static inline size_t
event_bytes(const struct event *ev)
{
	return ev->line.len + ev->scratch.len;
}

/* The integer that the value of an INT key stands for. */
static inline int64_t event_number(struct span value);

/* The same; not to be called directly. */
int64_t event_long_number(struct span value);

/*
 * The memo of a record, to be written though it is const: it changes nothing of
 * the record, and the event itself is a variable of the reader.
 */
static inline struct event *
event_memo(const struct event *ev)
{
	return (struct event *)(uintptr_t)ev;
}

/* EVENT_NUMBERS if the key is none of them; of a constant no code is left. */
static inline int
event_memo_of(enum key k)
{
	return k == KEY_ts    ? EVENT_TS
	       : k == KEY_dur ? EVENT_DUR
	       : k == KEY_pid ? EVENT_PID
	       : k == KEY_tid ? EVENT_TID
			      : EVENT_NUMBERS;
}

/* True of the keys that are durations of an interval. */
static inline bool
event_is_duration(enum key k)
{
	return k == KEY_dur || k == KEY_api_dur || k == KEY_range_dur;
}

/* The number that counts: a negative duration counts as 0. */
static inline int64_t
event_counted(const struct event *ev, enum key k)
{
	if (event_is_duration(k) && *ev->value[k].p == '-')
		return 0;
	return event_number(ev->value[k]);
}

/*
 * The integer of an INT key, or otherwise where it is absent.  0 for a negative
 * duration, whose digits are only for those who show or select it.
 */
static inline int64_t
event_int(const struct event *ev, enum key k, int64_t otherwise)
{
	int n;

	if (!event_has(ev, k))
		return otherwise;
	if (!__builtin_constant_p(k) || (n = event_memo_of(k)) == EVENT_NUMBERS)
		return event_counted(ev, k);
	if ((ev->memo.known >> n & 1) == 0) {
		event_memo(ev)->number[n] = event_counted(ev, k);
		event_memo(ev)->memo.known |= (unsigned char)(1 << n);
	}
	return ev->number[n];
}

/* The same, fast where the value is one digit. */
static inline int64_t
event_small_int(const struct event *ev, enum key k, int64_t otherwise)
{
	if (event_has(ev, k) && ev->value[k].len == 1)
		return *ev->value[k].p - '0';
	return event_int(ev, k, otherwise);
}

/* True if the record has the BOOL key k with the value true. */
bool event_true(const struct event *ev, enum key k);

/*
 * The end of a record that starts at ts; INT64_MAX if it was never closed.  An
 * operation that was never closed keeps its device busy to the end of the
 * recording, see device_time_end() and device_pieces_end_open().
 */
static inline int64_t
event_end(const struct event *ev, int64_t ts)
{
	if (event_has(ev, KEY_dur))
		return time_end(ts, event_int(ev, KEY_dur, 0));
	return event_true(ev, KEY_open) ? INT64_MAX : ts;
}

/*
 * The bytes of a STR key: in the line where nothing is escaped, else decoded
 * to the end of *t, good until *t changes.  Empty where it is absent.
 */
struct span event_str(const struct event *ev, enum key k, struct text *t);

/* The key address, which is there: hexadecimal text; 0 of any other text. */
uint64_t event_address(const struct event *ev);

/* True if a STR key is there and is this word, which has no escapes. */
static inline bool
event_is(const struct event *ev, enum key k, struct span word)
{
	struct span v;

	if (!event_has(ev, k))
		return false;
	v = ev->value[k];
	return v.len == word.len + 2 && memcmp(v.p + 1, word.p, word.len) == 0;
}

static inline int64_t
event_number(struct span value)
{
	if (value.len > 8 || *value.p == '-')
		return event_long_number(value);
	return (int64_t)words_number(value.p, value.len);
}

#endif
