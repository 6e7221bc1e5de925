/* python_thread.c - the thread that reads stacks of Python */

#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/ticks.h"
#include "counters/process_tree.h"
#include "lines/paced_thread.h"
#include "tq/base/array.h"

#include "python_thread.h"
#include "remote_stack.h"

enum {
	TREE_NS = 50000000,   /* between looks for new processes */
	YOUNG_NS = 5000000,   /* and where one may run another program soon */
	PATIENCE_MOST = 20,   /* looks until the next one for Python */
	THREADS_MOST = 4096,  /* of a process */
	SLEEPING = 10,        /* rounds between samples of a thread that does */
	LIST_NS = 10000000,   /* between looks for threads of a process */
	FILES_MOST = 256,     /* of threads that are kept open */
	FRAMES_MOST = 1 << 22 /* that wait for the launcher */
};

static const int64_t SECOND = 1000000000;

/* of a thread in /proc: its state, and how often it got a processor */
enum { STAT, SCHEDSTAT, THREAD_FILES };

/* a thread of a process */
struct watched_thread {
	int fds[THREAD_FILES]; /* or -1 */
	uint64_t round;
	uint32_t slept;    /* rounds since its last sample */
	uint64_t asleep;   /* it slept when it had got one so often; or 0 */
	uint64_t stack_at; /* asleep of the frames, which stay till then */
	uint32_t *frames;
	uint32_t frame_count;
};

struct watched_process {
	pid_t pid;
	bool running;        /* it was there at the last look */
	bool python, said;   /* stacks can be read; else there was a note */
	unsigned wait, next; /* looks until the next one, and the one after */
	struct remote_stack stack;
	int64_t listed; /* ns */
	struct remote_thread *list;
	size_t count;
	KEYED(struct watched_thread) threads; /* by tid */
};

struct python_thread {
	int64_t period; /* ns */
	bool counter;   /* the clock is the counter of the processor */
	pid_t root;
	struct paced_thread paced; /* its lock is of waiting */
	bool joined;
	struct python_batch waiting;

	/* of the thread alone */
	KEYED(struct watched_process) processes;
	struct intern names;
	size_t sent; /* of names */
	uint64_t round;
	size_t files;
	bool young; /* a process may run Python soon */
	struct remote_thread list[THREADS_MOST];
};

/* ---- the queue ---- */

static void
put(struct python_thread *t, const struct python_sample *sample,
    const uint32_t *frames)
{
	struct python_batch *b = &t->waiting;

	pthread_mutex_lock(&t->paced.lock);
	for (; t->sent < t->names.count; t->sent++) {
		struct span name = intern_text(&t->names, (uint32_t)t->sent);

		*array_add(&b->names, &b->name_count, &b->name_cap) =
		    mem_copy(name.p, name.len);
	}
	if (b->frame_count > FRAMES_MOST) {
		b->lost++;
	} else {
		*array_add(&b->samples, &b->count, &b->cap) = *sample;
		for (uint32_t i = 0; i < sample->frames; i++)
			*array_add(&b->frames, &b->frame_count, &b->frame_cap) =
			    frames[i];
	}
	pthread_mutex_unlock(&t->paced.lock);
}

static void
note(struct python_thread *t, struct watched_process *p, const char *why)
{
	struct python_batch *b = &t->waiting;
	struct text text = {0};

	if (p->said)
		return;
	p->said = true;
	text_printf(&text, "process %d is not sampled: %s", (int)p->pid, why);
	text_add_char(&text, '\0');
	pthread_mutex_lock(&t->paced.lock);
	*array_add(&b->notes, &b->note_count, &b->note_cap) = text.p;
	pthread_mutex_unlock(&t->paced.lock);
}

void
python_thread_take(struct python_thread *t, struct python_batch *batch)
{
	pthread_mutex_lock(&t->paced.lock);
	*batch = t->waiting;
	t->waiting = (struct python_batch){.until = batch->until};
	pthread_mutex_unlock(&t->paced.lock);
}

void
python_thread_release(struct python_batch *b)
{
	for (size_t i = 0; i < b->name_count; i++)
		free(b->names[i]);
	for (size_t i = 0; i < b->note_count; i++)
		free(b->notes[i]);
	free(b->names);
	free(b->notes);
	free(b->samples);
	free(b->frames);
}

/* ---- processes ---- */

static void
close_threads(
    struct python_thread *t, struct watched_process *p, uint64_t since)
{
	for (size_t i = 0; i < p->threads.count; i++) {
		struct watched_thread *w = &p->threads.all[i];

		for (int f = 0; f < THREAD_FILES; f++) {
			if (w->fds[f] < 0 || w->round >= since)
				continue;
			close(w->fds[f]);
			w->fds[f] = -1;
			t->files--;
		}
	}
}

static void
forget(struct python_thread *t, struct watched_process *p)
{
	close_threads(t, p, UINT64_MAX);
	for (size_t i = 0; i < p->threads.count; i++)
		free(p->threads.all[i].frames);
	keyed_free(&p->threads);
	if (p->python)
		remote_stack_close(&p->stack);
	free(p->list);
	p->list = NULL;
	p->listed = 0;
	p->count = 0;
	p->python = false;
	p->wait = p->next = 0;
}

/* Soon after a process has begun it runs another program. */
static void
look_for_python(struct python_thread *t, struct watched_process *p)
{
	struct remote_python python;

	if (p->python || p->wait-- > 0)
		return;
	p->wait = p->next;
	p->next += p->next < PATIENCE_MOST;
	switch (remote_python_find(&python, p->pid)) {
	case REMOTE_FOUND:
		remote_stack_open(&p->stack, &python, &t->names);
		p->python = true;
		break;
	case REMOTE_UNKNOWN:
		note(t, p,
		    "its Python is not known, or of a free-threaded build");
		break;
	case REMOTE_DENIED:
		note(t, p, "its memory may not be read");
		break;
	case REMOTE_ABSENT:
		break;
	}
}

static void
look_for_processes(struct python_thread *t, struct process_tree *tree)
{
	t->young = false;
	process_tree_read(tree, t->root);
	for (size_t i = 0; i < t->processes.count; i++)
		t->processes.all[i].running = false;
	for (size_t i = 0; i < tree->count; i++) {
		bool fresh;
		struct watched_process *p =
		    keyed_get(&t->processes, tree->pids[i], 0, &fresh);

		if (fresh)
			*p = (struct watched_process){.pid = tree->pids[i]};
		p->running = true;
		look_for_python(t, p);
		t->young |= !p->python && p->next < PATIENCE_MOST;
	}
	for (size_t i = 0; i < t->processes.count; i++) {
		struct watched_process *p = &t->processes.all[i];

		if (!p->running)
			forget(t, p);
		else
			close_threads(t, p, t->round - 1);
	}
}

/* ---- threads ---- */

/* The text of a file of a thread, which is empty where there is none. */
static void
read_thread_file(struct python_thread *t, pid_t pid, pid_t tid,
    struct watched_thread *w, int file, char text[256])
{
	static const char *const names[] = {"stat", "schedstat"};
	char path[64];
	ssize_t n;
	int fd = w->fds[file];

	if (fd < 0) {
		snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", (int)pid,
		    (int)tid, names[file]);
		fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	n = fd >= 0 ? pread(fd, text, 255, 0) : -1;
	text[n > 0 ? n : 0] = '\0';
	if (fd < 0 || fd == w->fds[file])
		return;
	if (t->files < FILES_MOST) {
		w->fds[file] = fd;
		t->files++;
	} else {
		close(fd);
	}
}

/* How often the thread got a processor; 0: the kernel does not count it. */
static uint64_t
times_on_cpu(
    struct python_thread *t, pid_t pid, pid_t tid, struct watched_thread *w)
{
	char text[256], *at = text;

	read_thread_file(t, pid, tid, w, SCHEDSTAT, text);
	for (int i = 0; i < 2; i++)
		at += strcspn(at, " ") + (strchr(at, ' ') != NULL);
	return strtoull(at, NULL, 10);
}

/*
 * A thread that slept sleeps on as long as it does not get a processor, which
 * is much cheaper to read than its state.
 */
static bool
is_running(
    struct python_thread *t, pid_t pid, pid_t tid, struct watched_thread *w)
{
	uint64_t times = times_on_cpu(t, pid, tid, w);
	char text[256], *at;
	bool running;

	if (times != 0 && times == w->asleep)
		return false;
	/* R behind its name, which may have any bytes */
	read_thread_file(t, pid, tid, w, STAT, text);
	at = strrchr(text, ')');
	running = at != NULL && at[1] == ' ' && at[2] == 'R';
	w->asleep = running ? 0 : times;
	return running;
}

/* Keep the frames of a thread that sleeps: they stay as long as it does. */
static void
keep_frames(struct watched_thread *w, const struct remote_stack *stack)
{
	if (w->asleep == 0)
		return;
	w->frame_count = (uint32_t)stack->count;
	w->frames = mem_resize(w->frames, stack->count + 1, sizeof(*w->frames));
	memcpy(w->frames, stack->numbers, stack->count * sizeof(*w->frames));
	w->stack_at = w->asleep;
}

/* Sample a thread; false if its process is gone. */
static bool
sample_thread(struct python_thread *t, struct watched_process *p,
    const struct remote_thread *thread, uint32_t periods)
{
	struct python_sample s = {.pid = p->pid, .tid = thread->tid};
	bool fresh;
	struct watched_thread *w =
	    keyed_get(&p->threads, (uint64_t)thread->tid, 0, &fresh);

	if (fresh)
		*w = (struct watched_thread){.fds = {-1, -1}};
	w->round = t->round;
	w->slept += periods;
	s.running = is_running(t, p->pid, thread->tid, w);
	if (!s.running && w->slept < SLEEPING)
		return true;
	/* rounds that were missed get no sample */
	s.count = s.running ? periods : w->slept;
	w->slept = 0;
	s.ticks = t->counter ? ticks_counter() : ticks_system();
	if (w->asleep != 0 && w->stack_at == w->asleep) {
		s.frames = w->frame_count;
		if (s.frames > 0)
			put(t, &s, w->frames);
		return true;
	}
	switch (remote_stack_take(&p->stack, thread)) {
	case REMOTE_GONE:
		return false;
	case REMOTE_TORN:
		pthread_mutex_lock(&t->paced.lock);
		t->waiting.torn++;
		pthread_mutex_unlock(&t->paced.lock);
		break;
	case REMOTE_WHOLE:
		s.frames = (uint32_t)p->stack.count;
		if (s.frames > 0)
			put(t, &s, p->stack.numbers);
		keep_frames(w, &p->stack);
		break;
	}
	return true;
}

/* False if the process is gone. */
static bool
list_threads(struct python_thread *t, struct watched_process *p, int64_t now)
{
	int n = remote_stack_threads(&p->stack, t->list, THREADS_MOST);

	if (n == PYTHON_NONE)
		return false;
	p->listed = now;
	p->count = (size_t)n;
	p->list = mem_resize(p->list, p->count + 1, sizeof(*p->list));
	memcpy(p->list, t->list, p->count * sizeof(*p->list));
	return true;
}

static void
sample_process(struct python_thread *t, struct watched_process *p, int64_t now,
    uint32_t periods)
{
	bool there = now - p->listed < LIST_NS || list_threads(t, p, now);

	for (size_t i = 0; there && i < p->count; i++)
		if (p->list[i].tid > 0)
			there = sample_thread(t, p, &p->list[i], periods);
	if (!there)
		forget(t, p); /* it has ended, or runs another program */
}

/* ---- rounds ---- */

static void
begin_round(struct python_thread *t, int64_t now)
{
	t->round++;
	pthread_mutex_lock(&t->paced.lock);
	t->waiting.until = now;
	pthread_mutex_unlock(&t->paced.lock);
}

static void *
read_loop(void *arg)
{
	struct python_thread *t = arg;
	struct process_tree tree = {0};
	int64_t now = (int64_t)ticks_system(), next = now, looked = 0;

	do {
		int64_t late;

		now = (int64_t)ticks_system();
		late = (now - next) / t->period;
		next += (late + 1) * t->period;
		begin_round(t, now);
		if (now - looked >= (t->young ? YOUNG_NS : TREE_NS)) {
			looked = now;
			look_for_processes(t, &tree);
		}
		for (size_t i = 0; i < t->processes.count; i++)
			if (t->processes.all[i].python)
				sample_process(t, &t->processes.all[i], now,
				    (uint32_t)late + 1);
	} while (paced_thread_wait(&t->paced, next));
	process_tree_free(&tree);
	return NULL;
}

/* ---- the face ---- */

struct python_thread *
python_thread_start(int64_t hz, const struct clock *clock, pid_t root)
{
	struct python_thread *t = mem_alloc(sizeof(*t));
	int error;

	t->period = SECOND / hz;
	t->counter = clock->counter;
	t->root = root;
	t->waiting.until = (int64_t)ticks_system();
	error = paced_thread_start(&t->paced, read_loop, t);
	if (error == 0)
		return t;
	warnx("--python-sampling: %s", strerror(error));
	free(t);
	return NULL;
}

void
python_thread_stop(struct python_thread *t)
{
	if (t->joined)
		return;
	t->joined = true;
	paced_thread_stop(&t->paced);
	pthread_join(t->paced.id, NULL);
}

void
python_thread_free(struct python_thread *t)
{
	if (t == NULL)
		return;
	python_thread_stop(t);
	for (size_t i = 0; i < t->processes.count; i++)
		forget(t, &t->processes.all[i]);
	keyed_free(&t->processes);
	intern_free(&t->names);
	python_thread_release(&t->waiting);
	paced_thread_free(&t->paced);
	free(t);
}
