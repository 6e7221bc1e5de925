/*
 * perf_registers.h - the registers of perf's samples, by processor
 *
 * A sample has the values in ascending order of the numbers: frame pointer,
 * stack pointer, program counter.
 */
#ifndef TQ_CAPTURE_PERF_REGISTERS_H
#define TQ_CAPTURE_PERF_REGISTERS_H

#include <stdint.h>
#include <string.h>

/* Their bits, by the name that uname(1) has for the processor; 0: not known. */
static inline uint64_t
perf_registers_of(const char *processor)
{
	/* numbers of <asm/perf_regs.h> there */
	static const struct {
		const char *processor;
		int fp, sp, pc;
	} all[] = {{"x86_64", 6, 7, 8}, {"aarch64", 29, 31, 32}};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (strcmp(all[i].processor, processor) == 0)
			return UINT64_C(1) << all[i].fp |
			       UINT64_C(1) << all[i].sp |
			       UINT64_C(1) << all[i].pc;
	return 0;
}

#if defined(__x86_64__)
#define PERF_REGISTERS perf_registers_of("x86_64")
#elif defined(__aarch64__)
#define PERF_REGISTERS perf_registers_of("aarch64")
#else
#define PERF_REGISTERS UINT64_C(0)
#endif

#endif
