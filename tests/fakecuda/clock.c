/* clock.c - whose time is in the records, and which thread */

#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "fakecupti.h"

static _Atomic(CUpti_TimestampCallbackFunc) clock_of_profiler;
static CUpti_ActivityThreadIdType thread_id_type;
static uint64_t skew;      /* of the times of the GPU, in ns */
static _Atomic int skewed; /* for so many records; -1: for all */

uint64_t
clock_now(void)
{
	CUpti_TimestampCallbackFunc other =
	    atomic_load_explicit(&clock_of_profiler, memory_order_relaxed);
	struct timespec now;

	if (other != NULL)
		return other();
	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint32_t
clock_thread(void)
{
	static _Thread_local uint32_t tid;

	if (thread_id_type != CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM)
		return (uint32_t)(uintptr_t)pthread_self();
	if (tid == 0)
		tid = (uint32_t)syscall(SYS_gettid);
	return tid;
}

CUptiResult
cuptiGetTimestamp(uint64_t *now)
{
	if (now == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	*now = clock_now();
	return CUPTI_SUCCESS;
}

/* Something that the GPU did has the profiler's time but for this. */
uint64_t
clock_skew(void)
{
	if (skewed == 0)
		return 0;
	if (skewed > 0)
		skewed--;
	return skew;
}

static void
note_context(CUcontext context)
{
	(void)context;
	skewed = -1;
}

/*
 * Bugs of the real one, mended with 13.3.3: once there is a context, the
 * times of the GPU stay those of CLOCK_REALTIME; where a clock is replaced,
 * the first records are off by a day.
 */
static void
spoil_times(CUpti_TimestampCallbackFunc now)
{
	uint64_t before = clock_now(), after = now();

	if (FAKE_GENERATION > 130)
		return;
	if (atomic_load(&clock_of_profiler) == NULL) {
		skew = before - after;
		subscribe_contexts(note_context);
	} else {
		skew = 100000 * UINT64_C(1000000000);
		skewed = 5;
	}
}

CUptiResult
cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc now)
{
	if (now == NULL)
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (!subscribe_attach())
		return (CUptiResult)NO_DRIVER;
	spoil_times(now);
	atomic_store(&clock_of_profiler, now);
	return CUPTI_SUCCESS;
}

CUptiResult
cuptiSetThreadIdType(CUpti_ActivityThreadIdType type)
{
	if (!subscribe_attach())
		return (CUptiResult)NO_DRIVER;
	thread_id_type = type;
	return CUPTI_SUCCESS;
}

CUptiResult
cuptiGetThreadIdType(CUpti_ActivityThreadIdType *type)
{
	*type = thread_id_type;
	return CUPTI_SUCCESS;
}

void
clock_reset(void)
{
	atomic_store(&clock_of_profiler, NULL);
}
