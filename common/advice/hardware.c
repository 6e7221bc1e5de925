/* hardware.c - who made a device, and what its units for matrices multiply */

#include <string.h>

#include "tq/advice/hardware.h"
#include "tq/base/ascii.h"
#include "tq/base/text.h"

/* ---- compute capabilities ---- */

/*
 * GPUs by words of their names, the first that fits; a word that ends with '*'
 * may go on.
 */
static const struct {
	const char *word, *cc;
} gpus[] = {
    {"GTX 16*", "7.5"},
    {"Quadro RTX*", "7.5"},
    {"TITAN RTX", "7.5"},
    {"RTX 20*", "7.5"},
    {"T4*", "7.5"},
    {"T1000", "7.5"},
    {"T2000", "7.5"},
    {"RTX PRO*", "12.0"},
    {"Ada", "8.9"},
    {"RTX A*", "8.6"},
    {"RTX 30*", "8.6"},
    {"RTX 40*", "8.9"},
    {"RTX 50*", "12.0"},
    {"GH200", "9.0"},
    {"H100", "9.0"},
    {"H200", "9.0"},
    {"H800", "9.0"},
    {"H20", "9.0"},
    {"GB200", "10.0"},
    {"B200", "10.0"},
    {"B100", "10.0"},
    {"GB300", "10.3"},
    {"B300", "10.3"},
    {"GB10", "12.1"},
    {"Thor", "11.0"},
    {"L4", "8.9"},
    {"L40*", "8.9"},
    {"L20", "8.9"},
    {"L2", "8.9"},
    {"A100*", "8.0"},
    {"A800*", "8.0"},
    {"A30*", "8.0"},
    {"A10*", "8.6"},
    {"A16*", "8.6"},
    {"A40*", "8.6"},
    {"A2", "8.6"},
    {"A6000", "8.6"},
    {"A5000", "8.6"},
    {"A4000", "8.6"},
    {"Orin", "8.7"},
    {"Xavier", "7.2"},
    {"V100*", "7.0"},
    {"TITAN V", "7.0"},
    {"GV100*", "7.0"},
    {"P100*", "6.0"},
    {"GP100*", "6.0"},
    {"P40", "6.1"},
    {"P4", "6.1"},
    {"P6", "6.1"},
    {"GTX 10*", "6.1"},
    {"TITAN Xp", "6.1"},
    {"TX2", "6.2"},
    {"M40*", "5.2"},
    {"M60", "5.2"},
    {"M4", "5.2"},
    {"GTX 9*", "5.2"},
    {"GTX 75*", "5.0"},
    {"K80", "3.7"},
    {"K40*", "3.5"},
    {"K20*", "3.5"},
};

/* True if the word, and no longer one, stands in the name. */
static bool
has_word(struct span name, const char *word)
{
	size_t n = strlen(word);
	bool open = word[n - 1] == '*';

	n -= open;
	for (size_t i = 0; i + n <= name.len; i++)
		if (memcmp(name.p + i, word, n) == 0 &&
		    (i == 0 || !ascii_is_word(name.p[i - 1])) &&
		    (open || i + n == name.len ||
			!ascii_is_word(name.p[i + n])))
			return true;
	return false;
}

/* Empty if the name is of none. */
static struct span
cc_by_name(struct span name)
{
	for (size_t i = 0; i < sizeof(gpus) / sizeof(*gpus); i++)
		if (has_word(name, gpus[i].word))
			return span_of(gpus[i].cc);
	return SPAN("");
}

/* The number before the point of a compute capability; 0 if it is none. */
static int
major_of(struct span cc)
{
	int major = 0;
	size_t i = 0;

	for (; i < cc.len && i < 2 && ascii_is_digit(cc.p[i]); i++)
		major = major * 10 + (cc.p[i] - '0');
	return i > 0 && i < cc.len && cc.p[i] == '.' ? major : 0;
}

/* Turing without tensor cores: TU116, TU117. */
static bool
without_tensor_cores(struct span name)
{
	return has_word(name, "GTX 16*") || has_word(name, "T1000") ||
	       has_word(name, "T2000");
}

static enum hardware_matrix
matrix_of_cc(struct span cc, struct span name)
{
	int major = major_of(cc);

	if (major == 0)
		return MATRIX_UNKNOWN;
	if (major >= 8)
		return MATRIX_TF32;
	return major < 7 || without_tensor_cores(name) ? MATRIX_NONE
						       : MATRIX_FP16;
}

/* ---- other vendors ---- */

/* CDNA, and RDNA from the third on. */
static enum hardware_matrix
matrix_of_gfx(struct span gfx, struct span name)
{
	static const char *const with[] = {
	    "gfx908", "gfx90a", "gfx94", "gfx95", "gfx11", "gfx12"};

	for (size_t i = 0; i < sizeof(with) / sizeof(*with); i++)
		if (span_begins(gfx, span_of(with[i])))
			return MATRIX_BF16;
	if (gfx.len > 0)
		return MATRIX_NONE;
	return has_word(name, "MI1*") || has_word(name, "MI2*") ||
		       has_word(name, "MI3*")
		   ? MATRIX_BF16
		   : MATRIX_UNKNOWN;
}

static enum hardware_vendor
vendor_of(struct span vendor, struct span cc, struct span name)
{
	static const struct {
		const char *word;
		enum hardware_vendor vendor;
	} words[] = {
	    {"NVIDIA", HARDWARE_NVIDIA},
	    {"nvidia", HARDWARE_NVIDIA},
	    {"Tesla", HARDWARE_NVIDIA},
	    {"GeForce", HARDWARE_NVIDIA},
	    {"Quadro", HARDWARE_NVIDIA},
	    {"AMD", HARDWARE_AMD},
	    {"amd", HARDWARE_AMD},
	    {"Radeon", HARDWARE_AMD},
	    {"Instinct", HARDWARE_AMD},
	    {"Intel*", HARDWARE_INTEL},
	    {"intel*", HARDWARE_INTEL},
	    {"Ascend*", HARDWARE_ASCEND},
	    {"Huawei", HARDWARE_ASCEND},
	};

	if (span_begins(cc, SPAN("gfx")))
		return HARDWARE_AMD;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (has_word(vendor, words[i].word) ||
		    has_word(name, words[i].word))
			return words[i].vendor;
	return major_of(cc) > 0 ? HARDWARE_NVIDIA : HARDWARE_UNKNOWN;
}

/* ---- the whole ---- */

struct hardware
hardware_of(const struct event *device)
{
	struct text t = {0}, u = {0}, v = {0};
	struct span name = event_str(device, KEY_name, &t);
	struct span cc = event_str(device, KEY_cc, &u);
	struct span vendor = event_str(device, KEY_vendor, &v);
	struct hardware m = {0};

	if (cc.len == 0)
		cc = cc_by_name(name);
	m.vendor = vendor_of(vendor, cc, name);
	if (m.vendor == HARDWARE_AMD)
		m.matrix = matrix_of_gfx(
		    span_begins(cc, SPAN("gfx")) ? cc : SPAN(""), name);
	else if (m.vendor == HARDWARE_NVIDIA) {
		m.sm = occupancy_find_sm(cc);
		m.matrix = matrix_of_cc(cc, name);
	} else if (m.vendor == HARDWARE_ASCEND)
		m.matrix = MATRIX_BF16;
	text_free(&t);
	text_free(&u);
	text_free(&v);
	return m;
}
