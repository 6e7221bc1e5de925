/*
 * bench.c - what a call of NVTX costs: prints "operation ns" by line, the best
 * of many bursts, and first the cost of reading the clock
 */

#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <time.h>

enum { BURSTS = 200, BURST = 1000 };

static nvtxDomainHandle_t domain;
static nvtxEventAttributes_t plain, styled;

static double
now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static void
clock_read(void)
{
#ifdef __x86_64__
	volatile uint64_t ticks = __builtin_ia32_rdtsc();

	(void)ticks;
#else
	now();
#endif
}

static void
push_ascii(void)
{
	nvtxRangePushA("eighteen chars, or");
	nvtxRangePop();
}

static void
push_registered(void)
{
	nvtxDomainRangePushEx(domain, &plain);
	nvtxDomainRangePop(domain);
}

static void
push_styled(void)
{
	nvtxDomainRangePushEx(domain, &styled);
	nvtxDomainRangePop(domain);
}

static void
mark(void)
{
	nvtxMarkA("eighteen chars, or");
}

static void
start_end(void)
{
	nvtxRangeEnd(nvtxRangeStartA("eighteen chars, or"));
}

static void
prepare(void)
{
	plain.version = NVTX_VERSION;
	plain.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	styled = plain;

	domain = nvtxDomainCreateA("bench");
	plain.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
	plain.message.registered =
	    nvtxDomainRegisterStringA(domain, "registered");

	styled.category = 1;
	styled.colorType = NVTX_COLOR_ARGB;
	styled.color = 0xff00ff00;
	styled.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
	styled.payload.ullValue = 1;
	styled.messageType = NVTX_MESSAGE_TYPE_ASCII;
	styled.message.ascii = "eighteen chars, or";
}

static const struct {
	const char *name;
	void (*run)(void);
} operations[] = {
    {"clock", clock_read},
    {"ascii", push_ascii},
    {"registered", push_registered},
    {"styled", push_styled},
    {"mark", mark},
    {"start-end", start_end},
};

int
main(void)
{
	struct timespec rest = {.tv_nsec = 1000000};

	prepare();
	for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++) {
		double best = 1e9;

		for (int burst = 0; burst < BURSTS; burst++) {
			double from = now(), each;

			for (int n = 0; n < BURST; n++)
				operations[i].run();
			each = (now() - from) / BURST;
			if (each < best)
				best = each;
			if (burst % 20 == 0) /* let the reader catch up */
				nanosleep(&rest, NULL);
		}
		printf("%s %.1f\n", operations[i].name, best);
	}
	return 0;
}
