/* finding_remedy.c - remedies that depend on the machine and its work */

#include <inttypes.h>

#include "finding_remedy.h"
#include "tq/show/amount.h"

#define TF32 \
	"llow TF32{PyTorch:  (torch.set_float32_matmul_precision(\"high\"))}"

/* The text, with the words of the recording. */
static void
add(struct text *t, const struct engine *e, const char *text)
{
	const struct dialect *p = e != NULL ? &e->survey->dialect : NULL;
	struct span s = span_of(text);

	for (size_t i = 0, n; i<s.len; i += n> 0 ? n : 1) {
		n = dialect_place(p, (struct span){s.p + i, s.len - i}, t);
		if (n == 0)
			text_add_char(t, s.p[i]);
	}
}

/* ---- precision ---- */

/* The device of the finding; of its process, or of all of them. */
static struct hardware
hardware_of_finding(const struct engine *e, const struct finding *f)
{
	const struct survey_device *d =
	    survey_find_device(e->survey, e->devices[f->worst].number);

	return d != NULL && d->hardware.vendor != HARDWARE_UNKNOWN
		   ? d->hardware
		   : e->survey->hardware;
}

void
finding_remedy_precision(
    struct text *t, const struct engine *e, const struct finding *f)
{
	struct hardware m = e != NULL && f != NULL && e->device_count > 0
				? hardware_of_finding(e, f)
				: (struct hardware){0};

	if (m.vendor == HARDWARE_UNKNOWN && e != NULL)
		m.vendor = e->survey->dialect.vendor;
	if (m.matrix == MATRIX_TF32)
		add(t, e, "A" TF32 ", or compute in bf16 or FP16.");
	else if (m.matrix == MATRIX_FP16)
		add(t, e,
		    "Compute in FP16: the tensor cores of this device multiply "
		    "neither TF32 nor bf16.");
	else if (m.matrix == MATRIX_BF16)
		add(t, e, "Compute in bf16 or FP16.");
	else if (m.vendor <= HARDWARE_NVIDIA)
		add(t, e,
		    "From compute capability 8.0 on, a" TF32
		    ", or compute in bf16 or FP16; on 7.x compute in FP16.");
	else
		add(t, e,
		    "Compute in bf16 or FP16, if the device has {tensor "
		    "cores}.");
}

/* ---- overlap ---- */

static bool
is_copy(const struct finding *f)
{
	return span_eq(f->rule->class, SPAN("copy"));
}

/* What the device computes, if that is less than what is to be hidden. */
static void
add_ceiling(struct text *t, const struct engine *e, const struct finding *f,
    int64_t compute)
{
	if (compute == 0) {
		add(t, e, "The device computes nothing that could hide it. ");
	} else {
		text_add_str(t, "Overlap hides no more than the ");
		amount_time(t, compute);
		add(t, e, " that the device computes: the link is the limit. ");
	}
	add(t, e,
	    is_copy(f) ? "Copy less: keep data on the device, or use smaller "
			 "types."
		       : "Send less: smaller types, or fewer and larger "
			 "batches.");
}

static void
add_copy(
    struct text *t, const struct engine *e, const struct workload_device *w)
{
	if (w != NULL && w->pageable > w->ns[DEVICE_COPY] / 2)
		add(t, e,
		    "Pin the memory of the host first ({cudaMallocHost}"
		    "{PyTorch: , pin_memory=True}): copies of pageable memory "
		    "hide behind nothing. Then copy on a stream of its own.");
	else if (w != NULL && w->copy_streams > 1) {
		text_printf(t, "Copies are on %" PRId64 " streams already: ",
		    w->copy_streams);
		add(t, e,
		    "the link is the limit. Copy less, or earlier; keep data "
		    "on the device.");
	} else
		add(t, e,
		    "Copy on a stream of its own while the device computes; "
		    "copy less, or keep data on the device.");
}

void
finding_remedy_overlap(
    struct text *t, const struct engine *e, const struct finding *f)
{
	const struct workload_device *w = NULL;
	int64_t compute;

	if (e == NULL || f == NULL || e->device_count == 0) {
		add(t, e,
		    "Let it run on a stream of its own while the device "
		    "computes.");
		return;
	}
	compute = e->devices[f->worst].parts[PART_COMPUTE];
	w = numbered_find(
	    &e->survey->workload.devices, e->devices[f->worst].number);
	if (f->gain > compute)
		add_ceiling(t, e, f, compute);
	else if (is_copy(f))
		add_copy(t, e, w);
	else
		add(t, e,
		    "Overlap it: a stream of its own, smaller buckets that "
		    "start earlier, prefetch of parameters.");
}

/* ---- pools ---- */

void
finding_remedy_pool(
    struct text *t, const struct engine *e, const struct finding *f)
{
	(void)f;
	if (e != NULL && e->derived.refill > e->derived.allocate / 2)
		add(t, e,
		    "The pool gives its memory back at each wait, and gets it "
		    "again: set its release threshold "
		    "(cudaMemPoolSetAttribute, "
		    "cudaMemPoolAttrReleaseThreshold, UINT64_MAX).");
	else
		add(t, e,
		    "Keep buffers, or use a pool: {cudaMallocAsync}"
		    "{PyTorch: , the caching allocator of PyTorch}.");
}
