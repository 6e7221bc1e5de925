/*
 * name_rules.c - what kernels have in common whose names differ
 *
 * With a file of full names, a line each, prints for each the cleaned name, its
 * base name and family, with tabs between them.
 */

#include <stdlib.h>

#include "check.h"
#include "names/name_rules.h"

static const struct {
	const char *full, *clean, *family;
} rows[] = {
    {"triton_poi_fused_add_mul_12", "triton_poi_fused_add_mul",
	"triton_poi_fused_add_mul"},
    {"triton__0d1d2d3de", "triton_", "triton_"},
    {"void at::<unnamed>::f<(int)4, (bool)0>(int *)",
	"void at::@::f<4,0>(int*)", "f"},
    {"void at::(anonymous namespace)::f<4, false>(int*)",
	"void at::@::f<4,0>(int*)", "f"},
    {"f(g()::[lambda(int) (instance 3)])", "f(g()::[lambda(int)])", "f"},
    {"f<g()::{lambda(int)#3}>(int)", "f<g()::[lambda(int)]>(int)", "f"},
    {"gemm.constprop.0 [clone .isra.1]", "gemm", "gemm"},
    {"f_1a2b3c4d5e_x", "f_0_x", "f_0_x"},
    {"f(0xdeadbeef12)", "f(0x0)", "f"},
    {"attention_2d", "attention_2d", "attention_2d"},
    {"f(int, unsigned long)", "f(int,unsigned long)", "f"},
    {"nvjet_hsh_128x256_64x4_2x1_v_bz_coopA_NTN",
	"nvjet_hsh_128x256_64x4_2x1_v_bz_coopA_NTN", "nvjet_hsh_*"},
    {"ampere_sgemm_128x64_tn", "ampere_sgemm_128x64_tn", "ampere_sgemm_*_tn"},
    {"ampere_sgemm_32x32_sliced1x4_tn", "ampere_sgemm_32x32_sliced1x4_tn",
	"ampere_sgemm_*_tn"},
    {"<unnamed>::nvfuser_none_f0_c0_r0_g0(int)",
	"@::nvfuser_none_f0_c0_r0_g0(int)", "nvfuser_none"},
    {"void cutlass::Kernel2<cutlass_80_simt_sgemm_128x32_8x5_nn_align1>(x)",
	"cutlass_80_simt_sgemm_128x32_8x5_nn_align1",
	"cutlass_80_simt_sgemm_*_nn"},
    {"", "", ""},
};

static void
test_rows(struct name_rules *r)
{
	struct text clean = {0}, family = {0};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		clean.len = family.len = 0;
		name_rules_clean(r, span_of(rows[i].full), &clean);
		name_rules_family(
		    r, name_rules_base(text_span(&clean)), &family);
		CHECK(text_is(&clean, rows[i].clean), "%s: clean %.*s",
		    rows[i].full, (int)clean.len, clean.p);
		CHECK(text_is(&family, rows[i].family), "%s: family %.*s",
		    rows[i].full, (int)family.len, family.p);
	}
	text_free(&clean);
	text_free(&family);
}

static void
print_classes(struct name_rules *r, FILE *in)
{
	struct text clean = {0}, family = {0};
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	while ((n = getline(&line, &cap, in)) > 0) {
		struct span full = {line, (size_t)n - (line[n - 1] == '\n')};
		struct span base;

		clean.len = family.len = 0;
		name_rules_clean(r, full, &clean);
		base = name_rules_base(text_span(&clean));
		name_rules_family(r, base, &family);
		printf("%.*s\t%.*s\t%.*s\n", (int)clean.len, clean.p,
		    (int)base.len, base.p, (int)family.len, family.p);
	}
	free(line);
	text_free(&clean);
	text_free(&family);
}

int
main(int argc, char *argv[])
{
	struct name_rules *r = name_rules_open(argc > 2 ? argv[2] : NULL);
	FILE *in = argc > 1 ? fopen(argv[1], "re") : NULL;

	if (in != NULL) {
		print_classes(r, in);
		fclose(in);
	} else
		test_rows(r);
	name_rules_free(r);
	return check_status();
}
