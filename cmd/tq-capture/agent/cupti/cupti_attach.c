/*
 * cupti_attach.c - a start in a program that runs already: tq-capture --attach
 *
 * A thread of the program, which was stopped somewhere in a system call, calls
 * this.  It may hold locks of the CUDA driver, so another thread does the work.
 */
#include <pthread.h>
#include <signal.h>

#include "cupti_flush.h"
#include "agent/settings.h"
#include "agent/agent.h"

int InitializeInjection(void);
int tq_capture_attach(const char *text);

static void *
start(void *arg)
{
	(void)arg;
	pthread_setname_np(pthread_self(), "tq-attach");
	InitializeInjection();
	/* there may be contexts from before */
	if (agent_arena() != NULL)
		cupti_flush_context();
	return NULL;
}

/*
 * text: in the format of CAPTURE_VARIABLE.  Returns 0, or 1 if this process has
 * settings already.
 */
__attribute__((visibility("default"))) int
tq_capture_attach(const char *text)
{
	pthread_attr_t attr;
	pthread_t thread;
	sigset_t all, old;
	int failed;

	if (!settings_set(text))
		return 1;
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	failed = pthread_create(&thread, &attr, start, NULL) != 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	return failed;
}
