/* cupti_stream.c - the number that CUPTI's records have for a stream */
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "cupti_lib.h"
#include "cupti_stream.h"

/* handles up to this are default streams, of any context */
enum { DEFAULT_STREAMS = 2 };

static const struct cupti_lib *_Atomic cupti;
static pid_t owner;

void
cupti_stream_use(const struct cupti_lib *lib)
{
	owner = getpid();
	atomic_store(&cupti, lib);
}

bool
cupti_stream_number(uint64_t handle, uint64_t *number)
{
	const struct cupti_lib *lib = atomic_load(&cupti);
	CUstream stream;
	uint32_t id;

	if (lib == NULL || lib->stream_id == NULL || getpid() != owner ||
	    handle <= DEFAULT_STREAMS)
		return false;
	memcpy(&stream, &handle, sizeof(stream));
	if (lib->stream_id(NULL, stream, 0, &id) != CUPTI_SUCCESS)
		return false;
	*number = id;
	return true;
}
