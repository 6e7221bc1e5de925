/*
 * timers.c - a timer for each thread, whose signal takes a sample of it
 *
 * A timer counts the processor time of its thread.  The kernel looks at it on
 * its tick, 100 to 1000 times a second; the periods in between are counted in
 * si_overrun.
 *
 * The signal is a real-time one without a handler: with SIGPROF a Python
 * program that sets a handler for it died at its end, when that puts back the
 * default.  Where the program uses the signal, it gets it, and the samples
 * end.  It uses it by a handler, or by a wait for it; a wait for all signals
 * does not count.
 */

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "agent/sample_call.h"
#include "real.h"
#include "timers.h"

enum {
	TIMERS = 8192,
	OTHERS = 32, /* signals of the program */
	NS_PER_S = 1000000000
};

static int64_t period; /* ns; 0: there are no samples */
/* periods between the samples of this thread, after its first one */
static __thread uint32_t every __attribute__((tls_model("initial-exec")));
static int signal_number;
static pthread_key_t key;  /* its destructor ends the timer of a thread */
static _Atomic bool ended; /* the program uses the signal */
static _Atomic int timers[TIMERS]; /* 1 + id; 0: free */

/* ---- timers ---- */

static void
delete_timer(_Atomic int *slot)
{
	int id = atomic_exchange(slot, 0);

	if (id > 0)
		syscall(SYS_timer_delete, id - 1);
}

static void
end_timer(void *slot)
{
	int error = errno;

	delete_timer(slot);
	errno = error;
}

static _Atomic int *
keep_timer(int id)
{
	for (size_t i = 0; i < TIMERS; i++) {
		int none = 0;

		if (atomic_compare_exchange_strong(&timers[i], &none, id + 1))
			return &timers[i];
	}
	return NULL;
}

/* it fires each time the thread has run for that many periods */
static void
set_timer(int id, uint32_t periods)
{
	const int64_t ns = period * periods;
	const struct timespec t = {ns / NS_PER_S, ns % NS_PER_S};
	const struct itimerspec times = {t, t};

	every = periods;
	syscall(SYS_timer_settime, id, 0, &times, NULL);
}

/* A thread that blocks it, as those do that are born while all signals are
   blocked, has a reason: its calls are not to be interrupted. */
static bool
is_blocked(void)
{
	sigset_t now;

	return pthread_sigmask(SIG_BLOCK, NULL, &now) == 0 &&
	       sigismember(&now, signal_number) == 1;
}

/* of this thread; without one it is not sampled */
static void
begin_timer(void)
{
	struct sigevent e = {
	    .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = signal_number};
	_Atomic int *slot;
	int id;

	e._sigev_un._tid = (int)syscall(SYS_gettid);
	if (syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &e, &id) != 0)
		return;
	if ((slot = keep_timer(id)) == NULL) {
		syscall(SYS_timer_delete, id);
		return;
	}
	pthread_setspecific(key, slot);
	if (is_blocked())
		tq_capture_sample_blocked();
	set_timer(id, 1);
	if (ended)
		delete_timer(slot);
}

static void
on_signal(int number, siginfo_t *info, void *context)
{
	const ucontext_t *u = context;
	struct osrt_stack r = {0};
	uint32_t wanted;
	int error = errno;

	(void)number;
	if (info->si_code != SI_TIMER)
		return;
#if defined(__x86_64__)
	r = (struct osrt_stack){(uint64_t)u->uc_mcontext.gregs[REG_RIP],
	    (uint64_t)u->uc_mcontext.gregs[REG_RSP],
	    (uint64_t)u->uc_mcontext.gregs[REG_RBP]};
#elif defined(__aarch64__)
	r = (struct osrt_stack){
	    u->uc_mcontext.pc, u->uc_mcontext.sp, u->uc_mcontext.regs[29]};
#endif
	tq_capture_sample(&r, every * (1 + (uint32_t)info->si_overrun));
	if ((wanted = tq_capture_sample_every()) != every && !ended)
		set_timer(info->si_timerid, wanted);
	errno = error;
}

/* ---- threads ---- */

struct thread_start {
	void *(*run)(void *);
	void *arg;
};

static void *
run_thread(void *arg)
{
	struct thread_start s = *(struct thread_start *)arg;

	free(arg);
	begin_timer();
	return s.run(s.arg);
}

void
timers_thread(void **run, void **arg)
{
	void *(*const first)(void *) = run_thread;
	struct thread_start *s;

	if (period == 0 || ended || (s = malloc(sizeof(*s))) == NULL)
		return;
	memcpy(&s->run, run, sizeof(s->run));
	s->arg = *arg;
	memcpy(run, &first, sizeof(first));
	*arg = s;
}

void
timers_no_thread(void *run, void *arg)
{
	void *(*const first)(void *) = run_thread;

	if (memcmp(&run, &first, sizeof(first)) == 0)
		free(arg);
}

/* timers stay with the parent */
static void
in_child(void)
{
	for (size_t i = 0; i < TIMERS && !ended; i++)
		timers[i] = 0;
	if (!ended)
		begin_timer();
}

/* ---- the signal ---- */

static int
real_sigaction(int number, const struct sigaction *to, struct sigaction *before)
{
	int (*real)(int, const struct sigaction *, struct sigaction *);
	void *p = real_of(OSRT_sigaction);

	memcpy(&real, &p, sizeof(real));
	return real(number, to, before);
}

/*
 * Take the signals pending here from other senders than timers; at most OTHERS.
 */
static size_t
take_pending(siginfo_t *others)
{
	const struct timespec now = {0, 0};
	uint64_t set = UINT64_C(1) << (signal_number - 1);
	size_t n = 0;

	while (n < OTHERS && syscall(SYS_rt_sigtimedwait, &set, &others[n],
				 &now, sizeof(set)) > 0)
		n += others[n].si_code != SI_TIMER;
	return n;
}

/*
 * The program finds the signal untouched: with signals that others have sent,
 * and without signals of timers, which Linux before 6.13 delivers after their
 * end.
 */
static void
leave_signal(void)
{
	const struct sigaction ignored = {.sa_handler = SIG_IGN},
			       none = {.sa_handler = SIG_DFL};
	siginfo_t others[OTHERS];
	int error = errno;
	size_t n;

	if (atomic_exchange(&ended, true))
		return;
	for (size_t i = 0; i < TIMERS; i++)
		delete_timer(&timers[i]);
	n = take_pending(others);
	real_sigaction(signal_number, &ignored, NULL);
	real_sigaction(signal_number, &none, NULL);
	tq_capture_sample_end();
	for (size_t i = 0; i < n; i++)
		syscall(SYS_rt_tgsigqueueinfo, getpid(),
		    (int)syscall(SYS_gettid), signal_number, &others[i]);
	errno = error;
}

bool
timers_sigaction(int number, bool handles, struct sigaction *before)
{
	if (period == 0 || number != signal_number || ended)
		return false;
	if (handles) {
		leave_signal();
		return false;
	}
	if (before != NULL)
		memset(before, 0, sizeof(*before));
	return true;
}

/* who waits for all signals does not mean ours */
static bool
has_all(const sigset_t *set)
{
	for (int n = SIGRTMIN; n <= SIGRTMAX; n++)
		if (sigismember(set, n) != 1)
			return false;
	return true;
}

const sigset_t *
timers_wait(const sigset_t *set, sigset_t *others)
{
	if (period == 0 || ended || set == NULL ||
	    sigismember(set, signal_number) != 1)
		return set;
	if (!has_all(set)) {
		leave_signal();
		return set;
	}
	*others = *set;
	sigdelset(others, signal_number);
	return others;
}

/* the first one that is as it was, from the middle on; 0: none */
static int
find_signal(void)
{
	struct sigaction now;

	for (int n = SIGRTMIN + 7; n <= SIGRTMAX; n++)
		if (real_sigaction(n, NULL, &now) == 0 &&
		    now.sa_handler == SIG_DFL)
			return n;
	return 0;
}

static __attribute__((constructor)) void
begin(void)
{
	struct sigaction ours = {.sa_sigaction = on_signal,
	    .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
	int64_t wanted = tq_capture_sample_begin();
	int error = errno;

	sigfillset(&ours.sa_mask);
	if (wanted > 0 && (signal_number = find_signal()) != 0 &&
	    pthread_key_create(&key, end_timer) == 0 &&
	    real_sigaction(signal_number, &ours, NULL) == 0) {
		period = wanted;
		pthread_atfork(NULL, NULL, in_child);
		begin_timer();
	}
	errno = error;
}
