/*
 * expr.h - the language of conditions on records: "dur > 1ms && name ~ /gemm/"
 *
 * The grammar stands in expr_parse.c and in tq-filter(1).  An expression is
 * compiled once, and then evaluated for each record, by one thread at a time.
 * A comparison with a key that the record lacks is false, never an error.
 */
#ifndef TQ_ASK_EXPR_H
#define TQ_ASK_EXPR_H

#include "tq/line/event.h"

enum { EXPR_DEPTH = 100 }; /* nesting that is accepted */

struct expr;

/* An error in a text. */
struct expr_error {
	size_t at; /* byte offset of the place */
	char message[160];
};

/*
 * The names of a kernel's symbol (mangled or demangled), which only definitions
 * have; false where the stream did not define it.  A name has to stay good
 * until expr_match returns.
 */
struct expr_symbols {
	bool (*find)(void *arg, int64_t sym, bool mangled, struct span *name);
	void *arg;
};

/*
 * Compile a condition; NULL with *error set where text is none.  Ends at the
 * end of text, nothing else may follow.
 */
struct expr *expr_condition(struct span text, struct expr_error *error);

/*
 * The same, where a tool gives values to records: to keys outside of the schema
 * that have a number from 0, or -1: none.  The value in event.extra counts
 * before one that the record has.
 */
typedef int expr_numbers(struct span key);
struct expr *expr_condition_of(
    struct span text, expr_numbers *numbers, struct expr_error *error);

/*
 * The same for a value: a number, a string, a truth value, or a key that is
 * an array or object.
 */
struct expr *expr_value(struct span text, struct expr_error *error);

/* May be given NULL. */
void expr_free(struct expr *e);

/*
 * Print the error, as "tool: message", the text, and a caret below the place (a
 * text of many lines becomes one line, a long one the part around the caret).
 */
void expr_complain(struct span text, const struct expr_error *error);

/* The same of another text, with a message that may be of any length. */
void expr_complain_at(struct span text, size_t at, const char *message);

/*
 * Add the keys that the result may depend on to want, an array of
 * KIND_COUNT + 1 sets for event_parse: KIND_COUNT is for kinds outside of the
 * schema.  Where the kind alone decides, nothing is added.  Where the
 * expression has a key outside of the schema, every key is added.
 */
void expr_keys(const struct expr *e, struct keyset *want);

/*
 * The same for keys outside of the schema: take is called with each one in the
 * conditions on these kinds, perhaps more than once.
 */
void expr_known_keys(const struct expr *e, struct keyset *want,
    void (*take)(void *arg, enum kind kind, struct span key), void *arg);

/* The result of a condition, as far as the kind of a record decides it. */
enum expr_answer { EXPR_FALSE, EXPR_TRUE, EXPR_DEPENDS };
enum expr_answer expr_of_kind(const struct expr *e, enum kind kind);

/*
 * The result as far as the kind, the values of these keys, and keys outside of
 * the schema that the event has decide it, whatever else the record has.
 * *error as for expr_match.
 */
enum expr_answer expr_of_keys(const struct expr *e, const struct event *ev,
    const struct keyset *known, const char **error);

/*
 * A key outside of the schema without which a condition is false; it is false,
 * too, where the key is an integer outside of [from, to], or, if is_true, where
 * it is false.
 */
struct expr_need {
	struct span key;
	bool is_true;
	int64_t from, to;
};

/* Call take for such needs of the condition for records of the kind. */
void expr_needs(const struct expr *e, enum kind kind,
    void (*take)(void *arg, const struct expr_need *need), void *arg);

/* True if the expression reads this key, which the schema does not have. */
bool expr_asks_member(const struct expr *e, struct span key);

/* True if a string or a pattern of it may tell one digit from another. */
bool expr_tells_digits(const struct expr *e);

/*
 * A string that the expression compares the kind with, and that the schema does
 * not have as a kind; false if there is none.  A stream may have such records,
 * but a slip is likelier.
 */
bool expr_strange_kind(const struct expr *e, struct span *kind);

/* Call take for each integer that a key has to be: KEY == 42, KEY in (1, 2). */
void expr_integers(const struct expr *e,
    void (*take)(void *arg, enum key key, int64_t value), void *arg);

/*
 * True if the expression reads this key, of any kind.  end reads ts and dur,
 * and demangled and mangled read sym and name.
 */
bool expr_asks(const struct expr *e, enum key key);

/*
 * The type of a value: TYPE_NUM is any number, an integer or not, and TYPE_OBJ
 * a type that only the record decides.
 */
enum type expr_type(const struct expr *e);

/*
 * True if the condition is true of ev.  symbols may be NULL.  *error is set to
 * a constant text when the match of a regular expression was given up (the
 * result is false then), and else left alone.
 */
bool expr_match(const struct expr *e, const struct event *ev,
    const struct expr_symbols *symbols, const char **error);

/*
 * Append the value to json, as JSON; false, and nothing appended, where ev
 * does not have all of it (an absent key, a division by zero, an overflow).
 * *error as for expr_match.
 */
bool expr_evaluate(const struct expr *e, const struct event *ev,
    const struct expr_symbols *symbols, struct text *json, const char **error);

#endif
