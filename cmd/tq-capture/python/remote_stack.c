/* remote_stack.c - the Python stacks of the threads of another process */

#include <string.h>

#include "agent/python/python_text.h"
#include "lines/line_table.h"
#include "lines/python_lines.h"

#include "remote_stack.h"

enum {
	ATTEMPTS = 8,         /* to read a stack that changes */
	WITHOUT = 1000,       /* frames without code, in a row */
	TABLE_MOST = 1 << 20, /* bytes of a table of lines */
	NAME_MOST = 4096,     /* bytes of a name */
	BEYOND = 1024,        /* frames that are new meanwhile */
	STATE_MOST = 512,
	FRAME_MOST = 128,
	INTERPRETERS = 64,
	REFERENCES = 0, /* of an object: how many there are to it */
	TYPE = 8,
	SIZE = 16, /* of a str and of bytes: how many */
	BYTES = 32,
	ASCII = 1 << 6, /* of the state of a str */
	HEAD = 96,      /* of a str, before its characters */
#if defined(__aarch64__)
	PTHREAD_TID = 208 /* of a thread of glibc: its number */
#else
	PTHREAD_TID = 720
#endif
};

static bool
read_one(const struct remote_stack *s, uint64_t address, void *to, size_t size)
{
	const struct remote_piece piece = {address, to, size};

	return remote_python_read(s->python.pid, &piece, 1);
}

static uint64_t
word_at(const void *p, int offset)
{
	uint64_t v;

	memcpy(&v, (const char *)p + offset, sizeof(v));
	return v;
}

static uint64_t
half_at(const void *p, int offset)
{
	uint32_t v;

	memcpy(&v, (const char *)p + offset, sizeof(v));
	return v;
}

/* ---- threads ---- */

static uint64_t
self_of(const struct remote_stack *s, const char *state)
{
	const struct remote_offsets *at = &s->python.at;

	return word_at(state, at->tid != PYTHON_NONE ? at->tid : at->pthread);
}

static pid_t
tid_of(const struct remote_stack *s, uint64_t self)
{
	int32_t tid;

	if (s->python.at.tid != PYTHON_NONE)
		return (pid_t)self;
	return read_one(s, self + PTHREAD_TID, &tid, sizeof(tid)) && tid > 0
		   ? tid
		   : 0;
}

int
remote_stack_threads(struct remote_stack *s, struct remote_thread *to, int room)
{
	const struct remote_offsets *at = &s->python.at;
	uint64_t interpreter, thread;
	char state[STATE_MOST];
	int n = 0;

	if (!read_one(s, s->python.runtime + at->head, &interpreter, 8))
		return PYTHON_NONE;
	for (int i = 0; i < INTERPRETERS && interpreter != 0; i++) {
		if (!read_one(s, interpreter + at->threads, &thread, 8))
			return n;
		while (thread != 0 && n < room &&
		       read_one(s, thread, state, at->size)) {
			uint64_t self = self_of(s, state);

			to[n++] = (struct remote_thread){
			    thread, self, tid_of(s, self)};
			thread = word_at(state, at->next_thread);
		}
		if (!read_one(s, interpreter + at->next, &interpreter, 8))
			return n;
	}
	return n;
}

/* ---- frames ---- */

static size_t
frame_size(const struct remote_stack *s)
{
	int last = s->python.layout->last, owner = s->python.at.owner;

	return (size_t)(last > owner ? last : owner) + 8;
}

static bool
is_in_chunk(const struct remote_stack *s, uint64_t address)
{
	size_t size = frame_size(s);

	return address >= s->chunk && s->chunk_size >= size &&
	       address - s->chunk <= s->chunk_size - size;
}

/*
 * Read the word that has the first frame, the memory that most frames lie in,
 * the word again, and where that word is by now.  In 3.11 and 3.12 it lies in
 * the stack of C, which grows downward: one at a lower address belongs to a
 * callee, one at a higher address means that this one has ended.  If the outer
 * one of two first frames is needed, the memory has it.
 */
static bool
read_frames(struct remote_stack *s, const struct remote_thread *thread,
    uint64_t *frame, bool outer)
{
	const struct python_layout *l = s->python.layout;
	uint64_t after, holder;
	const struct remote_piece pieces[] = {{s->cell, frame, sizeof(*frame)},
	    {s->chunk, s->memory, s->chunk_size},
	    {s->cell, &after, sizeof(after)},
	    {thread->state + (uint64_t)l->frame, &holder, sizeof(holder)}};

	if (!remote_python_read(s->python.pid, pieces, 4))
		return false;
	if (l->current != PYTHON_NONE &&
	    holder + (uint64_t)l->current > s->cell)
		return false;
	if (outer && after < *frame && is_in_chunk(s, after) &&
	    is_in_chunk(s, *frame))
		*frame = after;
	return true;
}

/* Find where the frames of a thread are, and the first one. */
static bool
first_frame(struct remote_stack *s, const struct remote_thread *thread,
    uint64_t *frame, bool outer)
{
	const struct python_layout *l = s->python.layout;
	char state[STATE_MOST];
	int chunk = s->python.at.chunk;
	uint64_t top, limit;

	s->chunk = s->chunk_size = 0;
	s->cell = thread->state + l->frame;
	if (!read_one(s, thread->state, state, s->python.at.size))
		return false;
	*frame = 0;
	if (self_of(s, state) != thread->self)
		return true; /* the thread has ended */
	if (l->current != PYTHON_NONE)
		s->cell = word_at(state, l->frame) + l->current;
	if (chunk == PYTHON_NONE || word_at(state, chunk) == 0)
		return read_one(s, s->cell, frame, sizeof(*frame));
	s->chunk = word_at(state, chunk);
	top = word_at(state, chunk + 8) + BEYOND;
	limit = word_at(state, chunk + 16);
	top = top < limit ? top : limit;
	if (top < s->chunk)
		return false;
	s->chunk_size =
	    top - s->chunk < REMOTE_CHUNK ? top - s->chunk : REMOTE_CHUNK;
	return read_frames(s, thread, frame, outer);
}

/* The memory of a frame; NULL: it can't be read. */
static const char *
frame_at(const struct remote_stack *s, uint64_t address, char scratch[])
{
	if (is_in_chunk(s, address))
		return s->memory + (address - s->chunk);
	return read_one(s, address, scratch, frame_size(s)) ? scratch : NULL;
}

static bool
is_of_generator(const struct remote_stack *s, const char *frame)
{
	const struct remote_offsets *at = &s->python.at;

	return at->owner != PYTHON_NONE ? frame[at->owner] == REMOTE_GENERATOR
					: word_at(frame, at->generator) != 0;
}

/*
 * A generator that computes no value has no caller: it has yielded since its
 * callee, or the word that has the first frame, was read.
 */
static bool
has_yielded(const struct remote_stack *s, const char *frame, uint64_t back)
{
	return back == 0 && is_of_generator(s, frame);
}

/* Follow the frames; false if they lead to nothing. */
static bool
walk(struct remote_stack *s, uint64_t frame)
{
	const struct python_layout *l = s->python.layout;
	char scratch[FRAME_MOST];
	unsigned without = 0;

	s->first = frame;
	for (s->count = 0; frame != 0;) {
		const char *p = frame_at(s, frame, scratch);
		uint64_t address = frame;

		if (p == NULL || without++ > WITHOUT)
			return false;
		frame = word_at(p, l->back);
		if (has_yielded(s, p, frame))
			return false;
		if (l->owner != PYTHON_NONE && p[l->owner] == PYTHON_C_OWNS)
			continue;
		if (s->count == REMOTE_FRAMES - 1) {
			s->frames[s->count].address = address;
			s->frames[s->count++].code = 0;
			return true;
		}
		s->frames[s->count].address = address;
		s->frames[s->count].code = word_at(p, l->code);
		if (s->frames[s->count].code == 0)
			return false;
		s->frames[s->count++].last =
		    l->unit > 0 ? half_at(p, l->last) : word_at(p, l->last);
		without = 0;
	}
	return true;
}

/* Read again, at once, frames that are objects. */
static bool
read_objects(struct remote_stack *s)
{
	struct remote_piece pieces[REMOTE_FRAMES];

	for (size_t i = 0; i < s->count; i++)
		pieces[i] = (struct remote_piece){
		    s->frames[i].address, s->frames[i].object, frame_size(s)};
	return remote_python_read(s->python.pid, pieces, s->count);
}

/* Read again the memory that most frames lie in, and then where it ends. */
static bool
read_chunk(struct remote_stack *s, const struct remote_thread *thread)
{
	uint64_t chunk[2]; /* its address, and its end */
	const struct remote_piece pieces[] = {
	    {s->cell, &s->now, sizeof(s->now)},
	    {s->chunk, s->again, s->chunk_size},
	    {thread->state + (uint64_t)s->python.at.chunk, chunk,
		sizeof(chunk)}};

	if (!remote_python_read(s->python.pid, pieces, 3) ||
	    chunk[0] != s->chunk)
		return false;
	s->top = chunk[1];
	return true;
}

/* The state of a frame since it was first read. */
enum frame_fate {
	FRAME_STAYS,
	FRAME_GOES_ON, /* its callee has returned */
	FRAME_ENDED
};

static enum frame_fate
fate_of_object(const struct remote_stack *s, size_t i)
{
	const struct python_layout *l = s->python.layout;
	const struct remote_frame *f = &s->frames[i];
	uint64_t next = i + 1 < s->count ? f[1].address : 0;

	if (word_at(f->object, REFERENCES) == 0 ||
	    word_at(f->object, l->back) != next ||
	    word_at(f->object, l->code) != f->code)
		return FRAME_ENDED;
	return i == 0 || half_at(f->object, l->last) == f->last ? FRAME_STAYS
								: FRAME_GOES_ON;
}

/*
 * A frame that is not in the chunk belongs to a generator or to C.  It was read
 * after the chunk, and stays as long as the frame that it has called.  The
 * innermost frame, and that its caller is the next one, was read at once.
 */
static enum frame_fate
fate_in_chunk(const struct remote_stack *s, size_t i)
{
	const struct python_layout *l = s->python.layout;
	const struct remote_frame *f = &s->frames[i];
	const char *then, *now;

	if (!is_in_chunk(s, f->address))
		return i > 0 || s->now == s->first ? FRAME_STAYS : FRAME_ENDED;
	then = s->memory + (f->address - s->chunk);
	now = s->again + (f->address - s->chunk);
	if (i == 0 && s->count > 1 && word_at(then, l->back) == f[1].address)
		return FRAME_STAYS;
	if (f->address >= s->top ||
	    word_at(then, l->back) != word_at(now, l->back) ||
	    word_at(then, l->code) != word_at(now, l->code))
		return FRAME_ENDED;
	return i == 0 || word_at(then, l->last) == word_at(now, l->last)
		   ? FRAME_STAYS
		   : FRAME_GOES_ON;
}

/*
 * Read the frames again: they were a stack if none of them has ended, and no
 * caller goes on.  Otherwise the frames outside of the changed ones were one;
 * true for them if outer is set.
 */
static bool
is_stack(struct remote_stack *s, const struct remote_thread *thread, bool outer)
{
	bool objects = s->python.at.chunk == PYTHON_NONE;
	size_t gone = 0; /* frames, from the innermost one on */

	if (!(objects ? read_objects(s) : read_chunk(s, thread)))
		return false;
	for (size_t i = 0; i < s->count && s->frames[i].code != 0; i++)
		switch (objects ? fate_of_object(s, i) : fate_in_chunk(s, i)) {
		case FRAME_STAYS:
			break;
		case FRAME_GOES_ON:
			gone = i;
			break;
		case FRAME_ENDED:
			gone = i + 1;
			break;
		}
	if (gone == 0)
		return true;
	s->count -= gone;
	memmove(s->frames, s->frames + gone, s->count * sizeof(s->frames[0]));
	return outer && s->count > 0 && s->frames[0].code != 0;
}

/* ---- code ---- */

/* The first of the frames up to one that has its code: functions call
   themselves. */
static size_t
first_with_code(const struct remote_stack *s, size_t frame)
{
	size_t i = 0;

	while (s->frames[i].code != s->frames[frame].code)
		i++;
	return i;
}

/* Read the members that identify each function; false if one is none. */
static bool
read_codes(struct remote_stack *s)
{
	const struct python_layout *l = s->python.layout;
	struct remote_piece pieces[REMOTE_FRAMES];
	struct remote_frame *functions[REMOTE_FRAMES];
	size_t n = 0;

	for (size_t i = 0; i < s->count && s->frames[i].code != 0; i++) {
		struct remote_frame *f = &s->frames[i];

		f->same = first_with_code(s, i);
		if (f->same < i)
			continue;
		pieces[n] =
		    (struct remote_piece){f->code, f->object, REMOTE_HEAD};
		functions[n++] = f;
	}
	if (n == 0 || !remote_python_read(s->python.pid, pieces, n))
		return n == 0;
	for (size_t i = 0; i < n; i++) {
		struct remote_frame *f = functions[i];

		if (word_at(f->object, TYPE) != s->python.code_type)
			return false;
		pieces[i] =
		    (struct remote_piece){word_at(f->object, l->table) + SIZE,
			f->head, sizeof(f->head)};
	}
	return remote_python_read(s->python.pid, pieces, n);
}

/* A str as UTF-8; its beginning if it is long. */
static bool
read_str(const struct remote_stack *s, uint64_t address, struct text *to)
{
	const struct python_layout *l = s->python.layout;
	char head[HEAD], object[HEAD + 4 * NAME_MOST];
	size_t start = (size_t)l->ascii;
	uint64_t len, kind;

	to->len = 0;
	if (!read_one(s, address, head, start))
		return false;
	if (!(half_at(head, BYTES) & ASCII))
		start = (size_t)l->compact;
	len = word_at(head, SIZE);
	len = len < NAME_MOST ? len : NAME_MOST;
	kind = half_at(head, BYTES) >> 2 & 7;
	if (kind > 4 || !read_one(s, address, object, start + len * kind))
		return false;
	/* the head of the first reading is kept */
	memcpy(head + SIZE, &len, sizeof(len));
	memcpy(object, head, (size_t)l->ascii);
	to->len =
	    python_text_copy(text_reserve(to, NAME_MOST), NAME_MOST, l, object);
	return to->len > 0;
}

static bool
read_table(const struct remote_stack *s, struct remote_code *c)
{
	uint64_t size = c->head[0];

	c->lines.len = 0;
	if (size > TABLE_MOST)
		return false;
	if (size > 0 &&
	    !read_one(s, c->table + BYTES, text_reserve(&c->lines, size), size))
		return false;
	c->lines.len = size;
	return true;
}

static bool
is_same(const struct remote_stack *s, const struct remote_code *c,
    const struct remote_frame *f)
{
	const struct python_layout *l = s->python.layout;

	return c->serial != 0 && c->name == word_at(f->object, l->name) &&
	       c->file == word_at(f->object, l->file) &&
	       c->table == word_at(f->object, l->table) &&
	       c->line == (int32_t)half_at(f->object, l->line) &&
	       memcmp(c->head, f->head, sizeof(c->head)) == 0;
}

/* The function of a frame; NULL: it is gone. */
static const struct remote_code *
code_of(struct remote_stack *s, const struct remote_frame *f)
{
	const struct python_layout *l = s->python.layout;
	bool fresh;
	struct remote_code *c = keyed_get(&s->codes, f->code, 0, &fresh);

	if (fresh)
		*c = (struct remote_code){.address = f->code};
	if (is_same(s, c, f))
		return c;
	c->serial = 0;
	c->name = word_at(f->object, l->name);
	c->file = word_at(f->object, l->file);
	c->table = word_at(f->object, l->table);
	c->line = (int32_t)half_at(f->object, l->line);
	memcpy(c->head, f->head, sizeof(c->head));
	if (!read_str(s, c->name, &c->function) ||
	    !read_str(s, c->file, &c->path) || !read_table(s, c))
		return NULL;
	c->serial = ++s->serials;
	return c;
}

/* Whether it is the code of all frames of C.  walk() passes over such a frame,
   if it was not read while it changed. */
static bool
is_of_c(const struct remote_code *c)
{
	return span_eq(text_span(&c->path), SPAN("<shim>"));
}

/* ---- names ---- */

/* The offset of the instruction of a frame, in bytes. */
static uint32_t
offset_of(const struct python_layout *l, const struct remote_frame *f)
{
	int64_t last = l->unit > 0
			   ? (int64_t)(int32_t)f->last * l->unit
			   : (int64_t)(f->last - f->code) - l->instructions;

	return last >= 0 && last < INT32_MAX ? (uint32_t)last : 0;
}

static uint32_t
number_of(struct remote_stack *s, const struct remote_code *c, uint32_t offset)
{
	uint64_t *slot = map_get(&s->by_instruction, c->serial, offset);
	struct text t = {0};
	int32_t line;

	if (*slot != 0)
		return (uint32_t)(*slot - 1);
	line = line_table_find((enum python_lines)s->python.layout->lines,
	    text_span(&c->lines), c->line, offset);
	python_lines_frame(&t, text_span(&c->function), text_span(&c->path),
	    line > 0 ? line : c->line);
	*slot = (uint64_t)intern_get(s->names, text_span(&t)) + 1;
	text_free(&t);
	return (uint32_t)(*slot - 1);
}

static bool
name_frames(struct remote_stack *s)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct remote_frame *f = &s->frames[i];
		const struct remote_code *c;

		if (f->code == 0) {
			s->numbers[i] =
			    intern_get(s->names, SPAN("[truncated]"));
			continue;
		}
		c = code_of(s, &s->frames[f->same]);
		if (c == NULL || is_of_c(c))
			return false;
		s->numbers[i] = number_of(s, c, offset_of(s->python.layout, f));
	}
	return true;
}

/* ---- the face ---- */

void
remote_stack_open(struct remote_stack *s, const struct remote_python *python,
    struct intern *names)
{
	*s = (struct remote_stack){.python = *python, .names = names};
	s->memory = mem_alloc(REMOTE_CHUNK);
	s->again = mem_alloc(REMOTE_CHUNK);
	s->frames = mem_resize(NULL, REMOTE_FRAMES, sizeof(*s->frames));
}

enum remote_result
remote_stack_take(struct remote_stack *s, const struct remote_thread *thread)
{
	uint64_t frame, interpreter;

	for (int i = 0; i < ATTEMPTS; i++) {
		bool last = i == ATTEMPTS - 1;

		if (first_frame(s, thread, &frame, last) && walk(s, frame) &&
		    is_stack(s, thread, last) && read_codes(s) &&
		    name_frames(s))
			return REMOTE_WHOLE;
	}
	return read_one(s, s->python.runtime + s->python.at.head, &interpreter,
		   sizeof(interpreter))
		   ? REMOTE_TORN
		   : REMOTE_GONE;
}

void
remote_stack_close(struct remote_stack *s)
{
	for (size_t i = 0; i < s->codes.count; i++) {
		text_free(&s->codes.all[i].function);
		text_free(&s->codes.all[i].path);
		text_free(&s->codes.all[i].lines);
	}
	keyed_free(&s->codes);
	map_free(&s->by_instruction);
	free(s->memory);
	free(s->again);
	free(s->frames);
}
