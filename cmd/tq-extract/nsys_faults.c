/* nsys_faults.c - page faults of unified memory, and what they become */

#include "nsys_columns.h"

static const char *const access_types[] = {
    "Unknown", "Read", "Write", "Atomic", "Prefetch", NULL};

/* of a process; which thread it was, the export does not say */
const struct nsys_column nsys_cpu_fault[] = {
    {"start", KEY_ts, AS_TIME},
    {"globalPid", KEY_pid, AS_PID},
    {"start", KEY_name, AS_CONST, "CPU page fault"},
    {"address", KEY_address, AS_HEX},
    ARG("CpuInstruction", AS_STRING),
    ARG("module", AS_STRING),
    ARG("originalFaultPc", AS_HEX),
    ARG("sourceFile", AS_STRING),
    ARG("sourceLine", AS_INT),
    ARG("unresolvedFaultPc", AS_BOOL),
    {0},
};

/* several on one page are a row */
const struct nsys_column nsys_gpu_fault[] = {
    INTERVAL,
    {"globalPid", KEY_pid, AS_PID},
    {"start", KEY_name, AS_CONST, "GPU page fault"},
    {"deviceId", KEY_device, AS_ID},
    {"address", KEY_address, AS_HEX},
    {"numberOfPageFaults", KEY_count, AS_INT},
    {"faultAccessType", KEY_args, AS_ENUM, "ENUM_CUDA_UNIF_MEM_ACCESS_TYPE",
	access_types},
    {0},
};
