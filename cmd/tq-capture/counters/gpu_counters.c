/*
 * gpu_counters.c - counters of each GPU from NVIDIA's management library
 *
 * Devices have the numbers that CUDA gives them in the command: the devices in
 * CUDA_VISIBLE_DEVICES, in its order, else all in the order of their PCI bus.
 * (CUDA itself orders GPUs of different speed otherwise, unless
 * CUDA_DEVICE_ORDER is PCI_BUS_ID.)
 *
 * A call takes 1 to 16 us, the energy 4 ms: it is read once a second.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvml_lib.h"
#include "poll.h"
#include "tq/base/mem.h"

enum { MOST_GPUS = 64, HELD_NS = 1000000000 };

/* ---- the counters ---- */

static bool
read_utilization(const struct nvml_lib *l, nvml_device d, double v[2])
{
	struct nvml_utilization u;

	if (l->utilization == NULL || l->utilization(d, &u) != 0)
		return false;
	v[0] = u.gpu;
	v[1] = u.memory;
	return true;
}

static bool
read_memory(const struct nvml_lib *l, nvml_device d, double v[2])
{
	struct nvml_memory m;

	if (l->memory == NULL || l->memory(d, &m) != 0)
		return false;
	v[0] = (double)m.used;
	return true;
}

static bool
read_power(const struct nvml_lib *l, nvml_device d, double v[2])
{
	unsigned mw;

	if (l->power == NULL || l->power(d, &mw) != 0)
		return false;
	v[0] = mw / 1000.0;
	return true;
}

static bool
read_temperature(const struct nvml_lib *l, nvml_device d, double v[2])
{
	unsigned degrees;

	if (l->temperature == NULL || l->temperature(d, 0, &degrees) != 0)
		return false;
	v[0] = degrees;
	return true;
}

static bool
read_clocks(const struct nvml_lib *l, nvml_device d, double v[2])
{
	unsigned sm, memory;

	if (l->clock == NULL || l->clock(d, NVML_CLOCK_SM, &sm) != 0 ||
	    l->clock(d, NVML_CLOCK_MEMORY, &memory) != 0)
		return false;
	v[0] = sm;
	v[1] = memory;
	return true;
}

static bool
read_throttle(const struct nvml_lib *l, nvml_device d, double v[2])
{
	unsigned long long reasons;

	if (l->throttle == NULL || l->throttle(d, &reasons) != 0)
		return false;
	v[0] = (double)reasons;
	return true;
}

static bool
read_energy(const struct nvml_lib *l, nvml_device d, double v[2])
{
	unsigned long long mj;

	if (l->energy == NULL || l->energy(d, &mj) != 0)
		return false;
	v[0] = (double)mj / 1000.0;
	return true;
}

static const struct gauge {
	const char *name[2], *unit;
	bool (*read)(const struct nvml_lib *, nvml_device, double v[2]);
	bool slow; /* once a second */
} gauges[] = {
    {{"SM utilization", "memory utilization"}, "%", read_utilization, false},
    {{"memory used", NULL}, "bytes", read_memory, false},
    {{"power", NULL}, "W", read_power, false},
    {{"temperature", NULL}, "C", read_temperature, false},
    {{"SM clock", "memory clock"}, "MHz", read_clocks, false},
    {{"throttle reasons", NULL}, "mask", read_throttle, false},
    {{"energy", NULL}, "J", read_energy, true},
};

enum { GAUGES = sizeof(gauges) / sizeof(gauges[0]) };

/* bits of nvmlClocksEventReasons that cost speed, against the user's will */
static const struct cap {
	unsigned long long bit;
	const char *why;
} caps[] = {
    {0x4, "its power limit"},
    {0x8, "the hardware: power or heat"},
    {0x20, "its temperature, by the driver"},
    {0x40, "its temperature, by the hardware"},
    {0x80, "an external power brake"},
};

enum { CAPS = sizeof(caps) / sizeof(caps[0]) };

/* ---- the GPUs ---- */

struct gpu_poll {
	nvml_device device;
	int64_t number; /* of CUDA */
	uint32_t info[GAUGES][2];
	bool has[GAUGES];
	int64_t since[CAPS]; /* ns; 0: not capped now */
	bool told[CAPS];
};

struct gpu_counters {
	struct nvml_lib lib;
	struct gpu_poll gpus[MOST_GPUS];
	size_t count;
};

static void
add_gpu(struct gpu_counters *g, nvml_device device)
{
	if (g->count < MOST_GPUS) {
		g->gpus[g->count].device = device;
		g->gpus[g->count].number = (int64_t)g->count;
		g->count++;
	}
}

/* a word of CUDA_VISIBLE_DEVICES: a number, or how an UUID begins */
static bool
find_visible(
    const struct nvml_lib *l, const char *word, unsigned n, nvml_device *device)
{
	char *end, uuid[NVML_UUID];
	unsigned long index = strtoul(word, &end, 10);

	if (end != word && *end == '\0')
		return index < n && l->handle((unsigned)index, device) == 0;
	for (unsigned i = 0; i < n && *word != '\0'; i++)
		if (l->uuid != NULL && l->handle(i, device) == 0 &&
		    l->uuid(*device, uuid, sizeof(uuid)) == 0 &&
		    strncmp(uuid, word, strlen(word)) == 0)
			return true;
	return false;
}

static void
find_gpus(struct gpu_counters *g, const char *visible)
{
	nvml_device device;
	char *list, *rest, *word;
	unsigned n;

	if (g->lib.count(&n) != 0)
		n = 0;
	for (unsigned i = 0; i < n && visible == NULL; i++)
		if (g->lib.handle(i, &device) == 0)
			add_gpu(g, device);
	if (visible == NULL)
		return;
	/* CUDA stops at the first that it does not find */
	list = rest = mem_copy(visible, strlen(visible));
	while ((word = strsep(&rest, ",")) != NULL &&
	       find_visible(&g->lib, word, n, &device))
		add_gpu(g, device);
	free(list);
}

static void
define_gauges(struct gpu_counters *g, struct poll *p, struct gpu_poll *gpu)
{
	double v[2];

	for (int i = 0; i < GAUGES; i++) {
		gpu->has[i] = gauges[i].read(&g->lib, gpu->device, v);
		for (int k = 0; k < 2 && gpu->has[i]; k++)
			if (gauges[i].name[k] != NULL)
				gpu->info[i][k] =
				    poll_define(p, gauges[i].name[k],
					gauges[i].unit, gpu->number);
	}
}

/* NULL, or why there is none */
static const char *
open_gpus(struct gpu_counters *g)
{
	const char *why = nvml_lib_open(&g->lib);

	if (why == NULL)
		find_gpus(g, getenv("CUDA_VISIBLE_DEVICES"));
	return why == NULL && g->count == 0 ? "libnvidia-ml finds no GPU" : why;
}

static void *
gpu_open(struct poll *p)
{
	struct gpu_counters *g = mem_alloc(sizeof(*g));
	const char *why = open_gpus(g);

	if (why != NULL) {
		poll_note(p, "--counters gpu: %s", why);
		free(g);
		return NULL;
	}
	for (size_t i = 0; i < g->count; i++)
		define_gauges(g, p, &g->gpus[i]);
	return g;
}

/* note the reasons that have slowed a GPU down for a second, each once */
static void
watch_caps(struct gpu_poll *gpu, struct poll *p, unsigned long long reasons)
{
	for (int i = 0; i < CAPS; i++) {
		if ((reasons & caps[i].bit) == 0)
			gpu->since[i] = 0;
		else if (gpu->since[i] == 0)
			gpu->since[i] = p->now;
		else if (p->now - gpu->since[i] > HELD_NS && !gpu->told[i]) {
			gpu->told[i] = true;
			poll_note(p, "GPU %d is slowed down by %s",
			    (int)gpu->number, caps[i].why);
		}
	}
}

static void
gpu_read(void *state, struct poll *p)
{
	struct gpu_counters *g = state;
	double v[2];

	for (size_t n = 0; n < g->count; n++)
		for (int i = 0; i < GAUGES; i++) {
			struct gpu_poll *gpu = &g->gpus[n];

			if (!gpu->has[i] || (gauges[i].slow && !p->second) ||
			    !gauges[i].read(&g->lib, gpu->device, v))
				continue;
			for (int k = 0; k < 2; k++)
				if (gauges[i].name[k] != NULL)
					poll_value(p, gpu->info[i][k], 0, v[k]);
			if (gauges[i].read == read_throttle)
				watch_caps(gpu, p, (unsigned long long)v[0]);
		}
}

static void
gpu_close(void *state)
{
	struct gpu_counters *g = state;

	if (g->lib.shutdown != NULL)
		g->lib.shutdown();
	free(g);
}

const char *
gpu_counters_missing(void)
{
	struct gpu_counters *g = mem_alloc(sizeof(*g));
	const char *why = open_gpus(g);

	gpu_close(g);
	return why;
}

const struct poll_set gpu_counters = {gpu_open, gpu_read, gpu_close};
