/* json_members.h - the members of an object of JSON, which become keys or args
 */
#ifndef JSON_MEMBERS_H
#define JSON_MEMBERS_H

#include "lenient.h"
#include "tq/base/array.h"

struct json_member {
	struct span key, value; /* key without its quotes */
	bool taken;
};

/* {0} is empty; the spans lie in the text of the object */
struct json_members {
	struct json_member *all;
	size_t count, cap;
};

/* Read an object; anything else has no members. */
void json_members_read(struct json_members *m, struct span object);

static inline void
json_members_add(struct json_members *m, struct span key, struct span value)
{
	*array_add(&m->all, &m->count, &m->cap) =
	    (struct json_member){key, value, false};
}

/* The last member of this name; NULL if there is none. */
struct json_member *json_members_find(
    const struct json_members *m, struct span name);

/*
 * Take the last member of this name, so that it is no arg: its value, whose p
 * is NULL if there is none.
 */
struct span json_members_take(const struct json_members *m, struct span name);

/* The same of an integer: NO_ID, and nothing taken, where it is none. */
int64_t json_members_take_int(const struct json_members *m, struct span name);

/* The same of three integers, as JSON into *json. */
bool json_members_take_three(
    const struct json_members *m, struct span name, struct text *json);

/*
 * Append the members that are left, with commas between all in the text from
 * start on.  Returns how many strings were repaired.
 */
size_t json_members_write(
    const struct json_members *m, struct text *to, size_t start);

void json_members_free(struct json_members *m);

#endif
