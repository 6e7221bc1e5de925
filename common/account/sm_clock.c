/* sm_clock.c - the counter of the clock that kernels run by */

#include "tq/account/sm_clock.h"

bool
sm_clock_is(const struct event *ev)
{
	static const char *const names[] = {
	    "SM clock", "GPC Clock Frequency", "GPC Clock Frequency [MHz]"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (event_is(ev, KEY_name, span_of(names[i])))
			return true;
	return false;
}
