/*
 * nvml.c - a libnvidia-ml of two GPUs, for tests of --counters gpu
 *
 * GPU n has the UUID GPU-n, and values that tell it apart.  FAKE_NVML_REASONS
 * are its throttle reasons; with FAKE_NVML_BROKEN there is no driver; with
 * FAKE_NVML_SLOW each look at a utilization takes so many ms.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "counters/nvml_lib.h"

struct nvml_device {
	unsigned number;
};

enum { GPUS = 2 };

static struct nvml_device gpus[GPUS] = {{0}, {1}};

int
nvmlInit_v2(void)
{
	return getenv("FAKE_NVML_BROKEN") != NULL ? 9 : 0;
}

int
nvmlShutdown(void)
{
	return 0;
}

int
nvmlDeviceGetCount_v2(unsigned *n)
{
	*n = GPUS;
	return 0;
}

int
nvmlDeviceGetHandleByIndex_v2(unsigned i, nvml_device *d)
{
	*d = &gpus[i % GPUS];
	return i < GPUS ? 0 : 2;
}

int
nvmlDeviceGetUUID(nvml_device d, char *uuid, unsigned size)
{
	snprintf(uuid, size, "GPU-%u", d->number);
	return 0;
}

int
nvmlDeviceGetUtilizationRates(nvml_device d, struct nvml_utilization *u)
{
	static unsigned calls;
	const char *slow = getenv("FAKE_NVML_SLOW");

	if (slow != NULL)
		usleep((unsigned)strtoul(slow, NULL, 10) * 1000);
	u->gpu = d->number * 10 + ++calls % 7;
	u->memory = 40 + d->number;
	return 0;
}

int
nvmlDeviceGetMemoryInfo(nvml_device d, struct nvml_memory *m)
{
	m->used = 1000000000ULL * (d->number + 1);
	return 0;
}

int
nvmlDeviceGetPowerUsage(nvml_device d, unsigned *mw)
{
	*mw = 75493 + d->number;
	return 0;
}

/* no temperature, as some GPUs: 3 is NVML_ERROR_NOT_SUPPORTED */
int
nvmlDeviceGetTemperature(nvml_device d, int sensor, unsigned *degrees)
{
	(void)d;
	(void)sensor;
	(void)degrees;
	return 3;
}

int
nvmlDeviceGetClockInfo(nvml_device d, int type, unsigned *mhz)
{
	*mhz = type == NVML_CLOCK_SM ? 1980 - d->number : 2619;
	return 0;
}

/* under the name that older drivers have */
int
nvmlDeviceGetCurrentClocksThrottleReasons(
    nvml_device d, unsigned long long *reasons)
{
	const char *given = getenv("FAKE_NVML_REASONS");

	*reasons =
	    d->number == 0 && given != NULL ? strtoull(given, NULL, 0) : 0;
	return 0;
}
