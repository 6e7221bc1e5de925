/* overview.c - the page without -r: the reports that it is made of */

#include "report.h"

static const struct report_part parts[] = {
    {"run", 0},
    {"device_time", 0},
    {"cuda_gpu_kern_sum", 10},
    {"cuda_gpu_mem_time_sum", 5},
    {"cuda_gpu_mem_size_sum", 5},
    {"cuda_api_sum", 10},
    {"nvtx_sum:folded", 10},
    {"osrt_sum", 5},
    {"launch", 5},
    {"gaps_sum", 0},
    {"gaps", 5},
    {"next", 0},
    {NULL, 0},
};

const struct report_kind overview_reports[] = {
    {.name = "overview",
	.title = "Overview Page, Printed without -r",
	.parts = parts},
    {0},
};
