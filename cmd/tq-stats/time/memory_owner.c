/* memory_owner.c - who an allocation is of */

#include "memory_owner.h"

struct memory_owner
memory_owner_of(
    const struct event *ev, struct intern *kinds, struct text *scratch)
{
	scratch->len = 0;
	return (struct memory_owner){.pid = event_int(ev, KEY_pid, NO_ID),
	    .device = event_int(ev, KEY_device, NO_ID),
	    .mem = intern_get(kinds, event_str(ev, KEY_mem, scratch))};
}
