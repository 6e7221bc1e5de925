/* schema.c - the table of events.def: all of it can be found */

#include "check.h"
#include "tq/line/schema.h"

static void
test_keys(void)
{
	char longer[64];

	for (enum key k = 0; k < KEY_COUNT; k++) {
		const struct schema_key *s = &schema_keys[k];

		CHECK(strlen(s->name) == s->len && s->len < 20, "%s: length",
		    s->name);
		CHECK(
		    schema_key(s->name, s->len) == k, "%s: not found", s->name);
		CHECK(*s->doc != '\0', "%s: no doc", s->name);
		CHECK(*s->unit == '\0' || strcmp(s->unit, "ns") == 0 ||
			  strcmp(s->unit, "bytes") == 0 ||
			  strcmp(s->unit, "id") == 0,
		    "%s: unit %s", s->name, s->unit);
		CHECK(schema_type(s->type) != NULL, "%s: type", s->name);
		/* what is nearly a key is none, or another */
		CHECK(schema_key(s->name, s->len - 1) != k, "%s cut", s->name);
		snprintf(longer, sizeof(longer), "%s_", s->name);
		CHECK(schema_key(longer, s->len + 1) == KEY_NONE, "%s", longer);
		longer[0] ^= 0x20;
		CHECK(schema_key(longer, s->len) == KEY_NONE, "%s", longer);
	}
	CHECK(schema_key("", 0) == KEY_NONE, "the empty key");
	CHECK(schema_key("\xff\xff", 2) == KEY_NONE, "bytes");
}

static void
test_kinds(void)
{
	for (enum kind k = 0; k < KIND_COUNT; k++) {
		const struct schema_kind *s = &schema_kinds[k];

		CHECK(strlen(s->name) == s->len && s->len < 20, "%s: length",
		    s->name);
		CHECK(schema_kind(s->name, s->len) == k, "%s: not found",
		    s->name);
		CHECK(schema_kind(s->name, s->len - 1) != k, "%s cut", s->name);
		CHECK(*s->doc != '\0', "%s: no doc", s->name);
	}
	CHECK(schema_kind("", 0) == KIND_UNKNOWN, "the empty kind");
	CHECK(schema_kind("Kernel", 6) == KIND_UNKNOWN, "Kernel");
}

/* each kind is opened once and has a key once; each key has a kind */
static void
test_rows(void)
{
	struct keyset seen = {0}, all = {0};
	size_t kinds = 0;
	const char *kind = "";

	for (size_t i = 0; i < schema_row_count; i++) {
		struct schema_row row = schema_rows[i];

		if (row.key == KEY_NONE) {
			CHECK(row.kind == kinds, "row %zu opens kind %d", i,
			    (int)row.kind);
			kind = schema_kinds[row.kind].name;
			seen = (struct keyset){0};
			kinds++;
			continue;
		}
		CHECK(row.key != KEY_kind, "%s: kind is no key", kind);
		CHECK(!keyset_has(&seen, row.key), "%s: %s twice", kind,
		    schema_keys[row.key].name);
		keyset_add(&seen, row.key);
		keyset_add(&all, row.key);
	}
	CHECK(kinds == KIND_COUNT, "%zu kinds have rows", kinds);
	for (enum key k = 0; k < KEY_COUNT; k++)
		CHECK(k == KEY_kind || keyset_has(&all, k),
		    "%s: no kind has it", schema_keys[k].name);
}

/* ---- lists of kinds ---- */

#define BIT(kind) (1ull << KIND_##kind)

static const struct {
	const char *list;
	uint64_t set;
	const char *bad;
} choices[] = {
    {"kernel", BIT(kernel), NULL},
    {"kernel,memcpy", BIT(kernel) | BIT(memcpy), NULL},
    {"kernel,kernel", BIT(kernel), NULL},
    {"gpu-range", BIT(gpu_range), NULL},
    {"nvtx", BIT(range) | BIT(mark), NULL},
    {"nvtx-kernel", BIT(gpu_range), NULL},
    {"cuda-api", BIT(api), NULL},
    {"cuda",
	BIT(kernel) | BIT(memcpy) | BIT(memset) | BIT(sync) | BIT(graph) |
	    BIT(api),
	NULL},
    {"osrt,nvtx,end", BIT(osrt) | BIT(range) | BIT(mark) | BIT(end), NULL},
    {"", 0, ""},
    {"kernels", 0, "kernels"},
    {"kernel,", BIT(kernel), ""},
    {"kernel,x,api", BIT(kernel), "x"},
    {"kernel, api", BIT(kernel), " api"},
    {"gpu_range", 0, "gpu_range"},
};

static void
test_choices(void)
{
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		const char *bad = NULL;
		uint64_t set = 0;
		size_t len = 0;
		bool ok = schema_choose(choices[i].list, &set, &bad, &len);

		CHECK(ok == (choices[i].bad == NULL), "'%s': %d",
		    choices[i].list, ok);
		CHECK(set == choices[i].set, "'%s': %#llx", choices[i].list,
		    (unsigned long long)set);
		if (!ok && choices[i].bad != NULL)
			CHECK(span_eq((struct span){bad, len},
				  span_of(choices[i].bad)),
			    "'%s': bad is '%.*s'", choices[i].list, (int)len,
			    bad);
	}
}

int
main(void)
{
	test_keys();
	test_kinds();
	test_rows();
	test_choices();
	return check_status();
}
