/*
 * nvml_lib.h - libnvidia-ml, loaded while the capture runs
 *
 * The prototypes are those of NVIDIA's nvml.h, whose ABI is stable; a function
 * that a driver lacks is NULL.  0 is success.
 */
#ifndef TQ_CAPTURE_NVML_LIB_H
#define TQ_CAPTURE_NVML_LIB_H

#include <stdbool.h>

typedef struct nvml_device *nvml_device; /* theirs */

struct nvml_utilization { /* nvmlUtilization_t: percent */
	unsigned gpu, memory;
};

struct nvml_memory { /* nvmlMemory_t: bytes */
	unsigned long long total, free, used;
};

enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEMORY = 2, NVML_UUID = 96 };

/* FUNCTION(member, name, or its older name, prototype) */
#define NVML_FUNCTIONS(FUNCTION) \
	FUNCTION(init, "nvmlInit_v2", NULL, (void)) \
	FUNCTION(shutdown, "nvmlShutdown", NULL, (void)) \
	FUNCTION(count, "nvmlDeviceGetCount_v2", NULL, (unsigned *)) \
	FUNCTION(handle, "nvmlDeviceGetHandleByIndex_v2", NULL, \
	    (unsigned, nvml_device *)) \
	FUNCTION( \
	    uuid, "nvmlDeviceGetUUID", NULL, (nvml_device, char *, unsigned)) \
	FUNCTION(utilization, "nvmlDeviceGetUtilizationRates", NULL, \
	    (nvml_device, struct nvml_utilization *)) \
	FUNCTION(memory, "nvmlDeviceGetMemoryInfo", NULL, \
	    (nvml_device, struct nvml_memory *)) \
	FUNCTION( \
	    power, "nvmlDeviceGetPowerUsage", NULL, (nvml_device, unsigned *)) \
	FUNCTION(energy, "nvmlDeviceGetTotalEnergyConsumption", NULL, \
	    (nvml_device, unsigned long long *)) \
	FUNCTION(temperature, "nvmlDeviceGetTemperature", NULL, \
	    (nvml_device, int, unsigned *)) \
	FUNCTION(clock, "nvmlDeviceGetClockInfo", NULL, \
	    (nvml_device, int, unsigned *)) \
	FUNCTION(throttle, "nvmlDeviceGetCurrentClocksEventReasons", \
	    "nvmlDeviceGetCurrentClocksThrottleReasons", \
	    (nvml_device, unsigned long long *))

struct nvml_lib {
#define MEMBER(member, name, older, prototype) int(*member) prototype;
	NVML_FUNCTIONS(MEMBER)
#undef MEMBER
};

/* Load and initialise it; NULL, or why not. */
const char *nvml_lib_open(struct nvml_lib *lib);

#endif
