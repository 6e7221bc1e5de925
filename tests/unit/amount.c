/* amount.c - amounts as people read them */

#include "check.h"
#include "tq/show/amount.h"

static const struct {
	int64_t ns;
	const char *text;
} times[] = {
    {0, "0 ns"},
    {999, "999 ns"},
    {1000, "1.00 us"},
    {26749, "26.7 us"},
    {151400, "151 us"},
    {999499, "999 us"},
    {999500, "1.00 ms"},
    {3980000, "3.98 ms"},
    {46700000000, "46.7 s"},
    {599499999999, "599 s"},
    {599500000000, "10m 0s"},
    {723000000000, "12m 3s"},
    {-5000, "-5.00 us"},
    {3599499999999, "59m 59s"},
    {8070000000000, "2h 14m"},
    {INT64_MAX, "2562047h 47m"},
};

static const struct {
	int64_t bytes;
	const char *text;
} sizes[] = {
    {272, "272 B"},
    {1076, "1.08 kB"},
    {8050000000, "8.05 GB"},
    {999600, "1.00 MB"},
    {INT64_MAX, "9,223,372 TB"},
};

static const struct {
	int64_t part, whole;
	const char *text;
} shares[] = {
    {0, 0, "0.0"},
    {0, 7, "0.0"},
    {1, 100000, "<.1"},
    {1, 2001, "<.1"},
    {1, 2000, "0.1"},
    {509, 1000, "50.9"},
    {2, 3, "66.7"},
    {INT64_MAX, INT64_MAX, "100.0"},
    {9999, 10000, "99.9"},
};

static void
test_numbers(void)
{
	struct text t = {0};

	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		t.len = 0;
		amount_time(&t, times[i].ns);
		CHECK(text_is(&t, times[i].text), "%s: %.*s", times[i].text,
		    (int)t.len, t.p);
	}
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		t.len = 0;
		amount_size(&t, sizes[i].bytes);
		CHECK(text_is(&t, sizes[i].text), "%s: %.*s", sizes[i].text,
		    (int)t.len, t.p);
	}
	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++) {
		t.len = 0;
		amount_share(&t, shares[i].part, shares[i].whole);
		CHECK(text_is(&t, shares[i].text), "%s: %.*s", shares[i].text,
		    (int)t.len, t.p);
	}
	text_free(&t);
}

static void
test_others(void)
{
	struct text t = {0};

	amount_moment(&t, 60401900000);
	CHECK(text_is(&t, "60.402 s"), "moment %.*s", (int)t.len, t.p);
	t.len = 0;
	amount_moment(&t, -1500000);
	CHECK(text_is(&t, "-0.002 s"), "moment %.*s", (int)t.len, t.p);
	t.len = 0;
	amount_half_time(&t, 25);
	amount_half_time(&t, 86200);
	CHECK(text_is(&t, "12.5 ns43.1 us"), "half %.*s", (int)t.len, t.p);
	t.len = 0;
	amount_seconds(&t, -1000000005);
	CHECK(text_is(&t, "-1.000000005"), "seconds %.*s", (int)t.len, t.p);
	t.len = 0;
	amount_rate(&t, 1420000000000);
	CHECK(text_is(&t, "1.42 TB/s"), "rate %.*s", (int)t.len, t.p);
	t.len = 0;
	amount_rate(&t, 10187265);
	CHECK(text_is(&t, "10.2 MB/s"), "rate %.*s", (int)t.len, t.p);
	t.len = 0;
	amount_count(&t, 1234567);
	CHECK(text_is(&t, "1,234,567"), "count %.*s", (int)t.len, t.p);
	t.len = 0;
	amount_of(&t, 1, "GPU", "GPUs");
	amount_of(&t, 5299, "GPU", "GPUs");
	CHECK(text_is(&t, "1 GPU5,299 GPUs"), "counted %.*s", (int)t.len, t.p);
	t.len = 0;
	amount_change(&t, 1.0322);
	amount_change(&t, 0.99999);
	amount_change(&t, 11.885);
	amount_change_range(&t, 0.5, 1.024);
	CHECK(text_is(&t, "+3.22 %0.00 %+1088 %-50.00 to +2.40 %"),
	    "changes %.*s", (int)t.len, t.p);
	text_free(&t);
}

int
main(void)
{
	test_numbers();
	test_others();
	return check_status();
}
