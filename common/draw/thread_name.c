/* thread_name.c - the name of a thread */

#include "tq/draw/thread_name.h"

/* the text behind s, or an empty span if the name begins otherwise */
static struct span
behind(struct span text, struct span s)
{
	if (text.len <= s.len || memcmp(text.p, s.p, s.len) != 0)
		return SPAN("");
	return (struct span){text.p + s.len, text.len - s.len};
}

struct span
thread_name(const struct names *names, int64_t pid, int64_t tid)
{
	char digits[TEXT_INT_MAX];
	struct defined_name n;
	struct span s;

	names_thread(names, pid, tid, &n);
	s = behind(n.name, SPAN("thread "));
	s = behind(s, (struct span){digits,
			  (size_t)(text_digits_int(digits, tid) - digits)});
	s = behind(s, SPAN(" ("));
	if (s.len < 2 || s.p[s.len - 1] != ')')
		return n.name;
	s.len--;
	return s;
}
