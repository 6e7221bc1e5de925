/* statistics.c - the statistics of tq-diff, against values worked out by hand
 */

#include <math.h>

#include "check.h"
#include "statistics/controls.h"
#include "statistics/discoveries.h"
#include "statistics/mann_whitney.h"
#include "statistics/quantiles.h"
#include "statistics/student.h"

#define NEAR(x, y, off) \
	CHECK(fabs((x) - (y)) <= (off), "%.9g, expected %.9g", (double)(x), \
	    (double)(y))

/* na values of A, then nb of B; p by hand, or of a table */
static const struct {
	size_t na, nb;
	double all[12], p;
} tests[] = {
    {1, 1, {1, 2}, 1},
    {3, 3, {1, 2, 3, 4, 5, 6}, 0.1}, /* 2 / C(6,3) */
    {4, 4, {1, 2, 3, 4, 5, 6, 7, 8}, 2 / 70.},
    {4, 4, {5, 6, 7, 8, 1, 2, 3, 4}, 2 / 70.},
    {4, 4, {1, 2, 3, 5, 4, 6, 7, 8}, 4 / 70.}, /* U = 1 */
    {3, 5, {1, 2, 3, 4, 5, 6, 7, 8}, 2 / 56.},
    {5, 5, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 2 / 252.},
    {2, 2, {7, 7, 7, 7}, 1},
    /* ranks 1.5 1.5 | 3 4: of 6 choices one has 7, none more */
    {2, 2, {1, 1, 2, 3}, 2 / 6.},
    /* ranks 1, 2.5 | 2.5, 4: 4.5 of B or more: 5, 6.5, 6.5 of 6 choices */
    {2, 2, {1, 2, 2, 3}, 4 / 6.},
};

static void
test_mann_whitney(void)
{
	double a[30], b[30];

	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++)
		NEAR(mann_whitney_p(tests[i].all, tests[i].na,
			 tests[i].all + tests[i].na, tests[i].nb),
		    tests[i].p, 1e-12);
	NEAR(mann_whitney_least(3, 3), 0.1, 1e-12);
	NEAR(mann_whitney_least(4, 4), 2 / 70., 1e-12);
	NEAR(mann_whitney_least(1, 1), 1, 1e-12);
	for (int i = 0; i < 30; i++) {
		a[i] = i;
		b[i] = i + 4;
	}
	NEAR(mann_whitney_p(a, 24, b, 24), 0.0701355646851146, 1e-9);
	NEAR(mann_whitney_p(a, 25, b, 25), 0.07569063424088437, 1e-9);
	/* exact: 0.0748813883 */
}

static void
test_ratio(void)
{
	static const double a[] = {100, 101, 102, 103};
	static const double b[] = {103, 104, 105, 106};
	struct mann_whitney_shift s = mann_whitney_ratio(a, 4, b, 4, 4, 4);
	double many[3000];

	/* all 16 ratios, of which the outermost are the interval: 97.1 % */
	NEAR(s.low, 1.0, 1e-12);
	NEAR(s.high, 1.06, 1e-12);
	NEAR(s.ratio, sqrt(103. / 100 * 106 / 103), 0.001);
	CHECK(s.interval, "4 + 4 have an interval");
	s = mann_whitney_ratio(b, 4, a, 4, 4, 4);
	NEAR(s.high, 1.0, 1e-12);
	s = mann_whitney_ratio(a, 3, b, 3, 3, 3);
	CHECK(!s.interval, "3 + 3 have none");
	for (int i = 0; i < 3000; i++)
		many[i] = 100 + i % 7;
	s = mann_whitney_ratio(many, 3000, many, 3000, 3000, 3000);
	NEAR(s.ratio, 1.0, 1e-12);
	CHECK(s.interval && s.low <= 1 && s.high >= 1, "1 is within");
}

static const struct {
	size_t n;
	double t;
} quantiles[] = {
    {1, 12.7062047},
    {2, 4.3026527},
    {3, 3.1824463},
    {4, 2.7764451},
    {5, 2.5705818},
    {6, 2.4469119},
    {30, 2.0422725},
    {120, 1.9799304},
};

static void
test_student(void)
{
	static const double same[] = {5, 5, 5, 5, 5};
	static const double five[] = {
	    1, M_E, M_E * M_E, M_E * M_E * M_E, M_E * M_E * M_E * M_E};
	struct student_interval i;
	double half;

	for (size_t q = 0; q < sizeof(quantiles) / sizeof(*quantiles); q++)
		NEAR(student_quantile(quantiles[q].n, 0.95), quantiles[q].t,
		    1e-7);
	/* logarithms 0 to 4: mean 2, s^2 = 2.5 */
	half = 2.7764451051977987 * sqrt(2.5 * 1.2);
	i = student_predict(five, 5, exp(2));
	NEAR(log(i.low), 2 - half, 1e-9);
	NEAR(log(i.high), 2 + half, 1e-9);
	NEAR(i.p, 1, 1e-9);
	NEAR(student_predict(five, 5, i.high).p, 0.05, 1e-9);
	i = student_predict(same, 5, 5);
	NEAR(i.low, 5, 1e-9);
	NEAR(i.p, 1, 1e-9);
	NEAR(student_predict(same, 5, 6).p, 0, 1e-9);
}

static void
test_discoveries(void)
{
	double p[] = {0.04, 0.01, 0.03, 0.005};
	static const double rates[] = {0.04, 0.02, 0.04, 0.02};

	discoveries_adjust(p, 4);
	for (int i = 0; i < 4; i++)
		NEAR(p[i], rates[i], 1e-12);
	discoveries_adjust(p, 0);
}

static void
test_middle(void)
{
	double all[] = {3, 1, 2, 10};
	static const double up[] = {1, 2, 3, 4, 5}, flip[] = {1, 9, 1, 9};

	quantiles_sort(all, 4);
	NEAR(quantiles_median(all, 4), 2.5, 0);
	NEAR(quantiles_quantile(all, 4, 0.25), 1.75, 1e-12);
	NEAR(quantiles_quantile(all, 4, 1), 10, 0);
	NEAR(quantiles_width(all, 4, 2.5), 1.4826, 1e-12); /* 0.5 0.5 1.5 7.5 */
	NEAR(quantiles_lag(up, 5), 0.4, 1e-12); /* (2 + 0 + 0 + 2) / 10 */
	NEAR(quantiles_lag(flip, 4), -0.75, 1e-12);
	NEAR(quantiles_lag(up, 2), 0, 0);
}

static void
test_controls(void)
{
	struct control all[20];
	struct controls_result r;

	for (uint32_t i = 0; i < 20; i++)
		all[i] = (struct control){
		    100000, 100000 * exp(((int)i - 9) / 1e4), i, 1};
	all[19].b = 94000;
	r = controls_judge(all, 20, &all[19]);
	CHECK(r.count == 19 && r.far, "-6 %% is far");
	CHECK(!controls_judge(all, 20, &all[0]).far, "-0.09 %% is not");
	NEAR(r.centre, 0, 1e-9); /* of -9 to 9 */
	NEAR(r.width, 1.4826 * 5e-4, 1e-9);

	/* a row with many controls counts once, and does not judge itself */
	for (uint32_t i = 0; i < 12; i++)
		all[i] = (struct control){100000, 120000, 30, 1. / 12};
	CHECK(!controls_judge(all, 20, &all[15]).far, "one row moved");
	CHECK(controls_judge(all, 20, &all[0]).far, "that one");

	/* few long ones are joined by the short, whose ticks count */
	for (uint32_t i = 0; i < 16; i++)
		all[i] =
		    (struct control){6400, 6400 + 32 * ((int)i % 3 - 1), i, 1};
	r = controls_judge(all, 20, &all[19]);
	CHECK(r.count == 19 && r.far, "joined");
	NEAR(controls_judge(all, 20, &all[1]).width, 64. / 6400, 1e-12);
	CHECK(controls_judge(all, 5, &all[0]).count == 0, "too few");

	for (uint32_t i = 0; i < 20; i++)
		all[i].b = all[i].a * (i < 14 ? 1.04 : 1);
	NEAR(controls_scale(all, 20), log(1.04), 1e-9);
	NEAR(controls_scale(all + 8, 12), 0, 1e-9);
}

int
main(void)
{
	test_mann_whitney();
	test_ratio();
	test_student();
	test_discoveries();
	test_middle();
	test_controls();
	return check_status();
}
