/* python_frames.c - the frames of this thread, as CPython keeps them */

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "agent/agent.h"
#include "agent/readable.h"
#include "agent/settings.h"

#include "python_frames.h"

enum {
	TYPE = 8,      /* of an object: its type */
	WITHOUT = 1000 /* frames without code that are skipped in a row */
};

/* the Python that the program is linked with */
static struct {
	void *(*thread)(void); /* its state, of this thread */
	const void *code_type, *str_type, *bytes_type;
	_Atomic(const struct python_layout *) layout; /* NULL: unknown */
	_Atomic bool proved; /* a stack had this layout */
} python;

const struct python_layout *
python_frames_layout(void)
{
	return atomic_load_explicit(&python.layout, memory_order_relaxed);
}

/* Before main, or when NVTX loads us: a lookup later might wait for a lock that
   this thread interrupted. */
__attribute__((constructor)) static void
find_python(void)
{
	const char *(*version)(void);

	if (!(settings_get()->on & ARENA_PYTHON))
		return;
	*(void **)&version = dlsym(RTLD_DEFAULT, "Py_GetVersion");
	*(void **)&python.thread =
	    dlsym(RTLD_DEFAULT, "PyGILState_GetThisThreadState");
	python.code_type = dlsym(RTLD_DEFAULT, "PyCode_Type");
	python.str_type = dlsym(RTLD_DEFAULT, "PyUnicode_Type");
	python.bytes_type = dlsym(RTLD_DEFAULT, "PyBytes_Type");
	if (version != NULL && python.thread != NULL &&
	    python.code_type != NULL && python.str_type != NULL &&
	    python.bytes_type != NULL)
		python.layout = python_layout_of(version());
}

/* ---- memory ---- */

/* The same of memory that may not be there; NULL then. */
static const char *
careful_at(const char *p, int offset)
{
	return p != NULL && readable_word((uint64_t)(uintptr_t)p + offset)
		   ? python_frames_pointer(p, offset)
		   : NULL;
}

static bool
is_of_type(const char *object, const void *type)
{
	return careful_at(object, TYPE) == type;
}

const char *
python_frames_bytes(const char *object, size_t *len)
{
	*len = (size_t)python_frames_pointer(object, PYTHON_BYTES_SIZE);
	return object + PYTHON_BYTES;
}

/* ---- frames ---- */

/* The frame that the thread is in, or NULL. */
static const char *
first_frame(const struct python_layout *l, bool careful)
{
	const char *state = python.thread();
	const char *(*at)(const char *, int) =
	    careful ? careful_at : python_frames_pointer;

	if (state == NULL || (state = at(state, l->frame)) == NULL ||
	    l->current == PYTHON_NONE)
		return state;
	return at(state, l->current);
}

/* True if its first frame with code has this layout. */
static bool
prove(const struct python_layout *l)
{
	const char *frame = first_frame(l, true), *code;

	for (unsigned i = 0; i < WITHOUT && frame != NULL; i++) {
		code = careful_at(frame, l->code);
		if (is_of_type(code, python.code_type))
			return is_of_type(careful_at(code, l->name),
				   python.str_type) &&
			       is_of_type(careful_at(code, l->file),
				   python.str_type) &&
			       is_of_type(careful_at(code, l->table),
				   python.bytes_type);
		if (l->owner == PYTHON_NONE)
			return false;
		frame = careful_at(frame, l->back);
	}
	return false;
}

/* The instruction of a frame that runs this code. */
static inline uint32_t
last_of(const struct python_layout *l, const char *frame, const char *code)
{
	int64_t last =
	    l->unit > 0
		? (int64_t)python_frames_number(frame, l->last) * l->unit
		: python_frames_pointer(frame, l->last) -
		      (code + l->instructions);

	return last >= 0 && last < INT32_MAX ? (uint32_t)last : 0;
}

/* Before 3.12 all frames have code. */
static inline bool
has_code(const struct python_layout *l, const char *frame, const char *code)
{
	if (l->owner == PYTHON_NONE)
		return true;
	return frame[l->owner] != PYTHON_C_OWNS && code != NULL &&
	       python_frames_pointer(code, TYPE) == python.code_type;
}

static size_t
take(const struct python_layout *l, struct python_frame *frames)
{
	const char *frame = first_frame(l, false);
	size_t n = 0;

	for (unsigned skipped = 0; frame != NULL && skipped < WITHOUT;
	     frame = python_frames_pointer(frame, l->back)) {
		const char *code = python_frames_pointer(frame, l->code);

		if (!has_code(l, frame, code)) {
			skipped++;
			continue;
		}
		if (n == PYTHON_FRAMES - 1) {
			frames[n++] = (struct python_frame){0};
			break;
		}
		frames[n++] =
		    (struct python_frame){code, last_of(l, frame, code)};
		skipped = 0;
	}
	return n;
}

bool
python_frames_begin_in(const void *memory, size_t bytes)
{
	const struct python_layout *l = python_frames_layout();
	const char *frame =
	    l != NULL && bytes > 0 ? first_frame(l, !python.proved) : NULL;

	return frame != NULL &&
	       (uintptr_t)frame - (uintptr_t)memory < (uintptr_t)bytes;
}

size_t
python_frames_take(struct python_frame frames[PYTHON_FRAMES])
{
	const struct python_layout *l = python_frames_layout();

	if (l == NULL || first_frame(l, !python.proved) == NULL)
		return 0;
	if (!atomic_load_explicit(&python.proved, memory_order_relaxed)) {
		if (!prove(l)) {
			python.layout = NULL;
			return 0;
		}
		python.proved = true;
	}
	return take(l, frames);
}
