/* account_lines.h - the lines of an account file while they are read. */
#ifndef TQ_ACCOUNT_ACCOUNT_LINES_H
#define TQ_ACCOUNT_ACCOUNT_LINES_H

#include "tq/account/account_file.h"
#include "tq/line/json.h"

/* the elements of an array, and whether all so far had the right type */
struct account_values {
	struct json j;
	struct account *a; /* whose region texts are copied to */
	struct text *scratch;
	bool bad;
};

/*
 * Add a member of a line, by its key: false with *error set to a constant
 * text.  unknown members are no error.
 */
bool account_lines_member(struct account_file *f, struct span key,
    struct span value, const char **error);

#endif
