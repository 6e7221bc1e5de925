/* units.c - durations, sizes and percentages */

#include <inttypes.h>

#include "check.h"
#include "tq/base/units.h"

struct row {
	const char *text;
	int64_t v;
};

static const struct row times[] = {
    {"0", 0},
    {"17", 17},
    {"007", 7},
    {"-5", -5},
    {"3ns", 3},
    {"3us", 3000},
    {"3\xc2\xb5s", 3000},
    {"10ms", 10000000},
    {"-10ms", -10000000},
    {"1s", 1000000000},
    {"2m", 120000000000},
    {"1h", 3600000000000},
    {"1.5ms", 1500000},
    {"0.25us", 250},
    {"1s20ms", 1020000000},
    {"1h2m3s4ms5us6", 3723004005006},
    {"-1s500ms", -1500000000},
    {"1.9ns", 1},
    {"0.9999999999s", 999999999},
    {"0.00000000000000000001s", 0},
    {"1.00000000000000000000000001h", 3600000000000},
    {"9223372036854775807", INT64_MAX},
    {"-9223372036854775807", -INT64_MAX},
    {"2562047h47m16.854775807s", INT64_MAX},
};

static const struct row sizes[] = {
    {"0", 0},
    {"4096", 4096},
    {"12B", 12},
    {"1kB", 1000},
    {"1MB", 1000000},
    {"1GB", 1000000000},
    {"1TB", 1000000000000},
    {"4K", 4096},
    {"4k", 4096},
    {"4KiB", 4096},
    {"1M", 1 << 20},
    {"1MiB", 1 << 20},
    {"1G", 1 << 30},
    {"1GiB", 1 << 30},
    {"2T", (int64_t)2 << 40},
    {"2TiB", (int64_t)2 << 40},
    {"1.5KiB", 1536},
    {"1KiB1", 1025},
};

static const char *const no_times[] = {"", "-", "--1", "+1", ".5s", "ms",
    "1 ms", " 1", "1 ", "1x", "1MS", "1kB", "1e3", "0x10", "1..5s", "1.",
    "60.2", "1.5.5s", "1s-1ms", "1,5s", "nan", "9223372036854775808",
    "-9223372036854775809", "99999999999999999999999999",
    "9223372036854775807ns1", "2562047h47m16.854775808s", "9999999h",
    "1ms1\xc2"};

static const char *const no_sizes[] = {
    "", "1kb", "1KB", "1Kib", "1ms", "1 K", "9000000000G", "K"};

static const struct row percents[] = {
    {"0", 0},
    {"1", UNITS_PERCENT},
    {"2.5", 2500000},
    {"2.5%", 2500000},
    {"100%", 100 * UNITS_PERCENT},
    {"0.0000019", 1},
    {"-3", -3 * UNITS_PERCENT},
    {"1000000000000%", 1000000000000 * UNITS_PERCENT},
};

static const char *const no_percents[] = {
    "", "%", "x", "1 %", "1%%", "1e2", "nan", "10000000000000", ".5"};

/* as they are printed: the largest unit that divides them */
static const struct row printed_times[] = {
    {"0", 0},
    {"7ns", 7},
    {"3us", 3000},
    {"10ms", 10000000},
    {"1500ms", 1500000000},
    {"24h", 86400000000000},
};

static const struct row printed_sizes[] = {
    {"0", 0},
    {"256B", 256},
    {"1kB", 1000},
    {"32KiB", 32768},
    {"256MiB", 256 << 20},
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void
test_accepted(bool (*parse)(const char *, int64_t *), const struct row *rows,
    size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int64_t v = -1;

		CHECK(parse(rows[i].text, &v), "%s: refused", rows[i].text);
		CHECK(v == rows[i].v, "%s: %" PRId64, rows[i].text, v);
	}
}

static void
test_refused(bool (*parse)(const char *, int64_t *), const char *const *texts,
    size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int64_t v;

		CHECK(!parse(texts[i], &v), "'%s': accepted", texts[i]);
	}
}

static void
test_printed(
    void (*add)(struct text *, int64_t), const struct row *rows, size_t count)
{
	struct text t = {0};

	for (size_t i = 0; i < count; i++) {
		t.len = 0;
		add(&t, rows[i].v);
		CHECK(span_eq(text_span(&t), span_of(rows[i].text)), "%s: %.*s",
		    rows[i].text, (int)t.len, t.p);
	}
	text_free(&t);
}

int
main(void)
{
	test_accepted(units_time, times, COUNT(times));
	test_accepted(units_size, sizes, COUNT(sizes));
	test_refused(units_time, no_times, COUNT(no_times));
	test_refused(units_size, no_sizes, COUNT(no_sizes));
	test_accepted(units_percent, percents, COUNT(percents));
	test_refused(units_percent, no_percents, COUNT(no_percents));
	test_printed(units_add_time, printed_times, COUNT(printed_times));
	test_printed(units_add_size, printed_sizes, COUNT(printed_sizes));
	return check_status();
}
