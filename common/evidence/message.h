/*
 * message.h - what messages of a profiler mean, by words that they have.
 */
#ifndef MESSAGE_H
#define MESSAGE_H

#include "tq/base/text.h"

enum message {
	MESSAGE_NOTHING, /* no evidence */
	MESSAGE_DROPPED, /* events were lost, so many */
	MESSAGE_NO_SAMPLES,
	MESSAGE_NO_MIGRATIONS,
	MESSAGE_OLD_PROFILER,
	MESSAGE_NO_PERMISSION,
	MESSAGE_ERROR, /* any other error */
	MESSAGES
};

/* Of the text of a message, and whether it is an error; *count of DROPPED. */
enum message message_of(struct span text, bool error, int64_t *count);

/* "CPU samples were not recorded"; a sentence of its reason. */
const char *message_title(enum message m);
const char *message_reason(enum message m);

/* What to do; NULL: nothing that would hold of all of them. */
const char *message_remedy(enum message m);

#endif
