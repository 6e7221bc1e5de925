/* symbol_class.c - the class of a kernel or a function, by its name */

#include <string.h>

#include "tq/names/symbol_class.h"

/* one pass over names that hardly ever have a library in them */
bool
symbol_class_communicates(struct span name)
{
	const char *p = name.p;

	for (size_t i = 0; i + 3 < name.len; i++) {
		if (p[i] != 'n' && p[i] != 'r')
			continue;
		if (p[i + 1] == 'c' && p[i + 2] == 'c' && p[i + 3] == 'l')
			return true;
		if (p[i] == 'n' && p[i + 1] == 'v' &&
		    span_begins(
			(struct span){p + i, name.len - i}, SPAN("nvshmem")))
			return true;
	}
	return false;
}

bool
symbol_class_hta_communicates(struct span name)
{
	return span_begins(name, SPAN("nccl")) ||
	       span_begins(name, SPAN("hip")) ||
	       span_begins(name, SPAN("hccl")) ||
	       memmem(name.p, name.len, "ncclKernel", 10) != NULL;
}

bool
symbol_class_cut_nccl(struct span *name)
{
	static const char *const behind[] = {"DevKernel_", "Kernel_", ":"};

	if (!span_begins(*name, SPAN("nccl")) &&
	    !span_begins(*name, SPAN("rccl")))
		return false;
	*name = (struct span){name->p + 4, name->len - 4};
	for (size_t i = 0; i < sizeof(behind) / sizeof(*behind); i++) {
		struct span s = span_of(behind[i]);

		if (!span_begins(*name, s))
			continue;
		*name = (struct span){name->p + s.len, name->len - s.len};
		break;
	}
	return true;
}

/* ---- products of matrices ---- */

static bool
has_any(struct span name, const char *const *words)
{
	for (; *words != NULL; words++)
		if (memmem(name.p, name.len, *words, strlen(*words)) != NULL)
			return true;
	return false;
}

/* The type of a kernel of Tensile is S: Cijk_Ailk_Bljk_SB_..., ..._S_B_... */
static bool
is_fp32_of_tensile(struct span name)
{
	for (int field = 0; field < 3; field++) {
		const char *p = memchr(name.p, '_', name.len);

		if (p == NULL)
			return false;
		name.len -= (size_t)(p + 1 - name.p);
		name.p = p + 1;
	}
	return span_begins(name, SPAN("SB_")) ||
	       span_begins(name, SPAN("S_B_"));
}

bool
symbol_class_is_fp32_matrix(struct span name)
{
	static const char *const fp32[] = {"sgemm", "scudnn",
	    "gemm_f32f32_f32f32_f32", "gemm_indexed_f32f32_f32f32_f32", NULL};
	static const char *const simt[] = {"OpClassSimt", "MmaSimt", NULL};
	static const char *const other[] = {"tensorop", "TensorOp", "tf32",
	    "f16", "fp16", "half", "Half", "double", "complex", NULL};
	const char *tensile = memmem(name.p, name.len, "Cijk_", 5);

	if (tensile != NULL)
		return is_fp32_of_tensile((struct span){
		    tensile, name.len - (size_t)(tensile - name.p)});
	if (has_any(name, other))
		return false;
	return has_any(name, fp32) ||
	       (has_any(name, simt) &&
		   memmem(name.p, name.len, "float", 5) != NULL);
}
