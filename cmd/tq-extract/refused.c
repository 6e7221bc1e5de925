/* refused.c - recordings that are known and not read: a row each */

#include <err.h>

#include "read/lenient.h"
#include "refused.h"
#include "tq/io/status.h"

/* clang-format off */

/* files, by their first bytes */
static const struct refused_start {
	struct span bytes;
	const char *what;
} starts[] = {
	{{"\x80\x02", 2}, REFUSED_PICKLE},
	{{"\x80\x03", 2}, REFUSED_PICKLE},
	{{"\x80\x04", 2}, REFUSED_PICKLE},
	{{"\x80\x05", 2}, REFUSED_PICKLE},
	{{"NVR\0", 4}, REFUSED_NCU},
};
/* clang-format on */
