/*
 * hardware.h - who made a device, and what its units for matrices multiply.
 */
#ifndef TQ_ADVICE_HARDWARE_H
#define TQ_ADVICE_HARDWARE_H

#include "tq/advice/occupancy.h"
#include "tq/line/event.h"

enum hardware_vendor {
	HARDWARE_UNKNOWN,
	HARDWARE_NVIDIA,
	HARDWARE_AMD,
	HARDWARE_INTEL,
	HARDWARE_ASCEND
};

/* the units that multiply matrices: tensor cores, matrix cores, ... */
enum hardware_matrix {
	MATRIX_UNKNOWN,
	MATRIX_NONE, /* the device has none */
	MATRIX_FP16, /* FP16, but neither TF32 nor bf16: NVIDIA's 7.x */
	MATRIX_BF16, /* bf16 and FP16 */
	MATRIX_TF32  /* these, and TF32: NVIDIA's from 8.0 on */
};

struct hardware {
	enum hardware_vendor vendor;
	enum hardware_matrix matrix;
	const struct occupancy_sm *sm; /* NULL: unknown, or of no NVIDIA GPU */
};

/*
 * By the definition of the device: its vendor, its compute capability or gfx
 * architecture, and where it has none of these its name.
 */
struct hardware hardware_of(const struct event *device);

#endif
