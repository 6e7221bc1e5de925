/*
 * expr.h - the language that asks about records: "dur > 1ms && name ~ /gemm/"
 *
 * The grammar stands in expr_parse.c and in tq-filter(1).  An expression is
 * compiled once, and then asked of each record, by one thread at a time.  What
 * a record does not have makes a comparison false, never an error.
 */
#ifndef TQ_ASK_EXPR_H
#define TQ_ASK_EXPR_H

#include "tq/line/event.h"

enum { EXPR_DEPTH = 100 }; /* nesting that is accepted */

struct expr;

/* What was wrong with a text. */
struct expr_error {
	size_t at; /* byte offset of the place */
	char message[160];
};

/*
 * The names of a kernel's symbol (mangled or demangled), of which only
 * definitions tell; false where the stream did not define it.  A name has to
 * stay good until the expression has its answer.
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
 * The same for a value: a number, a string, a truth value, or a key that is
 * an array or object.
 */
struct expr *expr_value(struct span text, struct expr_error *error);

/* May be given NULL. */
void expr_free(struct expr *e);

/*
 * Print what was wrong, as "tool: message", the text, and a caret below the
 * place (a text of many lines becomes one, a long one what is around it).
 */
void expr_complain(struct span text, const struct expr_error *error);

/* The same of another text, with a message that may be of any length. */
void expr_complain_at(struct span text, size_t at, const char *message);

/*
 * Add the keys that the answer may hang on to want, an array of
 * KIND_COUNT + 1 sets for event_parse: KIND_COUNT is for kinds that the schema
 * does not know.  Where the kind alone decides, nothing is added.  Where
 * keys that the schema does not know are asked for, it is every key.
 */
void expr_keys(const struct expr *e, struct keyset *want);

/*
 * The same, but for keys that the schema does not know: take is called with
 * each of them that the kinds ask for, perhaps more than once.
 */
void expr_known_keys(const struct expr *e, struct keyset *want,
    void (*take)(void *arg, enum kind kind, struct span key), void *arg);

/* What the kind of a record says about a condition. */
enum expr_answer { EXPR_FALSE, EXPR_TRUE, EXPR_DEPENDS };
enum expr_answer expr_of_kind(const struct expr *e, enum kind kind);

/*
 * What kind and name of a record say, whatever else it has.  *error as for
 * expr_match.
 */
enum expr_answer expr_of_name(
    const struct expr *e, const struct event *ev, const char **error);

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
 * Does the expression ask for this key, of any kind?  end asks for ts and dur,
 * and demangled and mangled for sym and name.
 */
bool expr_asks(const struct expr *e, enum key key);

/*
 * The type of a value: TYPE_NUM is any number, an integer or not, and TYPE_OBJ
 * what only the record decides.
 */
enum type expr_type(const struct expr *e);

/*
 * Is the condition true of ev?  symbols may be NULL.  *error is set to a
 * constant text when a regular expression was given up on (the answer is false
 * then), and else left alone.
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
