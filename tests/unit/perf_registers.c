/* perf_registers.c - the numbers of the kernel's headers, where these are */

#include "check.h"
#include "samples/perf_registers.h"

#if defined(__x86_64__) || defined(__aarch64__)
#include <asm/perf_regs.h>
#endif

int
main(void)
{
#if defined(__x86_64__)
	CHECK(PERF_REGISTERS == (UINT64_C(1) << PERF_REG_X86_BP |
				    UINT64_C(1) << PERF_REG_X86_SP |
				    UINT64_C(1) << PERF_REG_X86_IP),
	    "%jx", (uintmax_t)PERF_REGISTERS);
#elif defined(__aarch64__)
	CHECK(PERF_REGISTERS == (UINT64_C(1) << PERF_REG_ARM64_X29 |
				    UINT64_C(1) << PERF_REG_ARM64_SP |
				    UINT64_C(1) << PERF_REG_ARM64_PC),
	    "%jx", (uintmax_t)PERF_REGISTERS);
#endif
	/* x29, sp and pc, of <asm/perf_regs.h> of arm64 */
	CHECK(perf_registers_of("aarch64") == UINT64_C(0x1a0000000), "%jx",
	    (uintmax_t)perf_registers_of("aarch64"));
	CHECK(perf_registers_of("x86_64") == UINT64_C(0x1c0), "%jx",
	    (uintmax_t)perf_registers_of("x86_64"));
	CHECK(perf_registers_of("riscv64") == 0, "a processor not known");
	return check_status();
}
