/*
 * nvtx.c - a program that says by NVTX what it is doing
 *
 *	cc -I /usr/local/cuda/include -o nvtx nvtx.c -lpthread -ldl
 *	tq-capture ./nvtx | tq-correlate | tq-chrome -o nvtx.json
 *
 * A thread loads batches, another one works on them in steps.  Shown are what
 * NVTX has to offer: ranges that nest, in a domain, with registered strings,
 * which cost least; one that begins in a thread and ends in another; a mark
 * with category, colour and payload; and the name of a thread.  nvToolsExt.h
 * comes with CUDA, and needs neither a GPU nor a library.
 *
 *	nvtx [steps [microseconds of a step]]
 */

#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { EPOCH = 1, STEPS_MAX = 1000000 };

static long steps = 3, step_us = 1000;
static nvtxRangeId_t *batches; /* the life of each, from loader to end */
static sem_t loaded;

static void
work(long us)
{
	struct timespec ts = {us / 1000000, us % 1000000 * 1000};

	nanosleep(&ts, NULL);
}

static void *
load(void *unused)
{
	(void)unused;
	nvtxNameOsThreadA((uint32_t)syscall(SYS_gettid), "loader");
	for (long i = 0; i < steps; i++) {
		batches[i] = nvtxRangeStartA("batch");
		nvtxRangePushA("load");
		work(step_us / 4);
		nvtxRangePop();
		sem_post(&loaded);
	}
	return NULL;
}

static nvtxEventAttributes_t
registered(nvtxDomainHandle_t domain, const char *text)
{
	nvtxEventAttributes_t a = {.version = NVTX_VERSION,
	    .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
	    .messageType = NVTX_MESSAGE_TYPE_REGISTERED};

	a.message.registered = nvtxDomainRegisterStringA(domain, text);
	return a;
}

static void
train(void)
{
	nvtxDomainHandle_t domain = nvtxDomainCreateA("trainer");
	nvtxEventAttributes_t step = registered(domain, "step"),
			      forward = registered(domain, "forward"),
			      backward = registered(domain, "backward");

	for (long i = 0; i < steps; i++) {
		sem_wait(&loaded);
		nvtxDomainRangePushEx(domain, &step);
		nvtxDomainRangePushEx(domain, &forward);
		work(step_us / 3);
		nvtxDomainRangePop(domain);
		nvtxDomainRangePushEx(domain, &backward);
		work(step_us * 2 / 3);
		nvtxDomainRangePop(domain);
		nvtxDomainRangePop(domain);
		nvtxRangeEnd(batches[i]);
	}
}

static void
report_end(double loss)
{
	nvtxEventAttributes_t a = {.version = NVTX_VERSION,
	    .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
	    .category = EPOCH,
	    .colorType = NVTX_COLOR_ARGB,
	    .color = 0xff76b900,
	    .payloadType = NVTX_PAYLOAD_TYPE_DOUBLE,
	    .messageType = NVTX_MESSAGE_TYPE_ASCII};

	nvtxNameCategoryA(EPOCH, "epoch");
	a.payload.dValue = loss;
	a.message.ascii = "end of epoch";
	nvtxMarkEx(&a);
}

int
main(int argc, char *argv[])
{
	pthread_t loader;

	if (argc > 1)
		steps = strtol(argv[1], NULL, 10);
	if (argc > 2)
		step_us = strtol(argv[2], NULL, 10);
	if (steps < 0 || steps > STEPS_MAX || step_us < 0)
		return 2;
	batches = calloc((size_t)steps + 1, sizeof(*batches));
	if (batches == NULL || sem_init(&loaded, 0, 0) != 0 ||
	    pthread_create(&loader, NULL, load, NULL) != 0)
		return 1;
	train();
	report_end(0.25);
	pthread_join(loader, NULL);
	free(batches);
	return 0;
}
