/* wprof_types.c - the records that events of wprof become: a row each */

#include "wprof_types.h"

#define NAME(member) \
	{ \
		member, KEY_name, WPROF_TEXT \
	}
#define CORR \
	{ \
		"corr_id", KEY_corr, WPROF_INT \
	}
#define PLACE \
	{"device_id", KEY_device, WPROF_INT}, \
	    {"context_id", KEY_context, WPROF_INT}, \
	{ \
		"stream_id", KEY_stream, WPROF_INT \
	}
#define END \
	{ \
		NULL, KEY_NONE, WPROF_INT \
	}

/* clang-format off */
static const struct wprof_lift mark[] = {END};
static const struct wprof_lift named_mark[] = {NAME("name"), END};
static const struct wprof_lift action[] = {NAME("action"), END};
static const struct wprof_lift work[] = {NAME("desc"), END};
static const struct wprof_lift kind[] = {NAME("kind"), END};
static const struct wprof_lift range[] = {
	{"stack_id", KEY_stack, WPROF_INT},
	END
};
static const struct wprof_lift sample[] = {
	{"cpu", KEY_cpu, WPROF_INT},
	{"stack_id", KEY_stack, WPROF_INT},
	END
};
static const struct wprof_lift api[] = {
	CORR,
	{"name", KEY_name, WPROF_FUNCTION},
	{"name", KEY_api, WPROF_API},
	{"name", KEY_raw, WPROF_RAW},
	{"stack_id", KEY_stack, WPROF_INT},
	END
};
static const struct wprof_lift kernel[] = {
	CORR,
	{"name", KEY_name, WPROF_KERNEL},
	{"name", KEY_sym, WPROF_SYMBOL},
	PLACE,
	{"grid", KEY_grid, WPROF_THREE},
	{"block", KEY_block, WPROF_THREE},
	END
};
static const struct wprof_lift memcpy_lifts[] = {
	CORR,
	PLACE,
	{"byte_cnt", KEY_bytes, WPROF_INT},
	{"kind", KEY_copy, WPROF_TEXT},
	{"src_kind", KEY_src, WPROF_MEMORY},
	{"dst_kind", KEY_dst, WPROF_MEMORY},
	{"src_device_id", KEY_src_device, WPROF_INT},
	{"dst_device_id", KEY_dst_device, WPROF_INT},
	END
};
static const struct wprof_lift memset_lifts[] = {
	CORR,
	PLACE,
	{"byte_cnt", KEY_bytes, WPROF_INT},
	{"kind", KEY_mem, WPROF_MEMORY},
	END
};
static const struct wprof_lift sync[] = {
	CORR,
	PLACE,
	{"kind", KEY_sync, WPROF_SYNC},
	END
};
static const struct wprof_lift overhead[] = {
	NAME("kind"),
	{"kind", KEY_what, WPROF_TEXT},
	END
};

#define RECORD WPROF_RECORD
static const struct wprof_type types[] = {
	{"switch", WPROF_SWITCH, KIND_sched, "prev", mark, NULL, false},
	{"timer", RECORD, KIND_sample, "task", sample, NULL, false},
	{"pmu_event", RECORD, KIND_sample, "task", sample, NULL, false},
	{"cuda_api", RECORD, KIND_api, "task", api, NULL, false},
	{"cuda_kernel", RECORD, KIND_kernel, "task", kernel, NULL, true},
	{"cuda_memcpy", RECORD, KIND_memcpy, "task", memcpy_lifts, NULL, true},
	{"cuda_memset", RECORD, KIND_memset, "task", memset_lifts, NULL, true},
	{"cuda_sync", RECORD, KIND_sync, "task", sync, NULL, true},
	{"cuda_overhead", RECORD, KIND_overhead, "task", overhead, NULL, false},
	{"pytorch_entry", WPROF_BEGIN, KIND_range, "task", range, "torch", false},
	{"pytorch_exit", WPROF_END, KIND_range, "task", range, "torch", false},
	{"pytrace_entry", WPROF_BEGIN, KIND_range, "task", range, "python", false},
	{"pytrace_exit", WPROF_END, KIND_range, "task", range, "python", false},
	{"utrace_entry", WPROF_BEGIN, KIND_range, "task", range, "utrace", false},
	{"utrace_exit", WPROF_END, KIND_range, "task", range, "utrace", false},
	{"utrace_instant", RECORD, KIND_mark, "task", named_mark, NULL, false},
	{"hardirq", RECORD, KIND_osrt, "task", action, NULL, false},
	{"softirq", RECORD, KIND_osrt, "task", action, NULL, false},
	{"wq", RECORD, KIND_osrt, "task", work, NULL, false},
	{"ipi", RECORD, KIND_osrt, "task", kind, NULL, false},
	{"waking", RECORD, KIND_mark, "waker", mark, NULL, false},
	{"wakeup_new", RECORD, KIND_mark, "waker", mark, NULL, false},
	/* and unknown types; a mark without a name has its type's */
	{NULL, RECORD, KIND_mark, "task", mark, NULL, false},
};
/* clang-format on */

const struct wprof_type *
wprof_types_find(struct span name)
{
	const struct wprof_type *t = types;

	while (t->name != NULL && !span_eq(span_of(t->name), name))
		t++;
	return t;
}
