/* page_class.c - words for the classes of a GPU's time */

#include "page/page.h"

const char *
page_class_name(enum page_class c)
{
	static const char *const names[PAGE_CLASSES] = {
	    [PAGE_COMPUTE] = "compute",
	    [PAGE_COMMUNICATION] = "communication",
	    [PAGE_COPY] = "copies",
	    [PAGE_HOST] = "idle: host late",
	    [PAGE_SYNC] = "idle: host waits",
	    [PAGE_OTHER] = "idle: other",
	};

	return names[c];
}
