/* overview.c - the page without -r: the reports that it is made of */

#include "ranges/averages.h"
#include "gpu_account.h"
#include "page_reports.h"

const struct report_part overview_parts[] = {
    {"run", 0, NULL, false},
    {"torch_ops", 10, &averages_page, false},
    {"functions", 10, NULL, false},
    {"device_time", 0, NULL, false},
    {"cuda_gpu_graph_sum", 10, NULL, false},
    {"cuda_gpu_kern_sum", 10, NULL, false},
    {"cuda_gpu_mem_time_sum", 5, NULL, false},
    {"cuda_gpu_mem_size_sum", 5, NULL, false},
    {"cuda_api_sum", 10, NULL, false},
    {"nvtx_sum:folded", 10, NULL, false},
    {"osrt_sum", 5, NULL, false},
    {"launch", 5, NULL, false},
    {"gaps_sum", 0, NULL, false},
    {"gaps_sum:thing", 10, NULL, false},
    {"gaps", 5, NULL, false},
    {"page_copies", 0, &page_reports_copies, true},
    {"page_account", 0, &gpu_account_kind, true},
    {"next", 0, NULL, false},
    {NULL, 0, NULL, false},
};

const struct report_kind overview_reports[] = {
    {.name = "overview",
	.question = ASKS_FIRST,
	.title = "Overview Page, Printed without -r",
	.parts = overview_parts},
    {0},
};
