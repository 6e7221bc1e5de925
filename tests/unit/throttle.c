/* throttle.c - samples are missed until the next tick of the kernel at most */

#include "samples/throttle.h"
#include "check.h"

static struct throttle throttle = {.period = 10, .tick = 40};

static void
check_taken(uint64_t count, const char *what)
{
	uint64_t n = throttle_take(&throttle);

	CHECK(n == count, "%s: %d, not %d", what, (int)n, (int)count);
}

int
main(void)
{
	check_taken(0, "nothing began");
	throttle_begin(&throttle, 1, 0, 100);
	check_taken(0, "it has not ended");
	throttle_end(&throttle, 1, 0, 125);
	check_taken(2, "two periods and a half");
	throttle_end(&throttle, 1, 0, 165);
	check_taken(0, "an end without a beginning");
	throttle_begin(&throttle, 1, 0, 200);
	throttle_end(&throttle, 1, 1, 205);
	check_taken(0, "another processor");
	throttle_end(&throttle, 1, 0, 205);
	check_taken(1, "the halves of two");
	throttle_begin(&throttle, 1, 0, 300);
	throttle_begin(&throttle, 2, 0, 310);
	throttle_end(&throttle, 1, 0, 1000);
	throttle_end(&throttle, 2, 0, 320);
	check_taken(5, "a tick, while another thread ran, and a period");
	throttle_begin(&throttle, 1, 0, 2000);
	throttle_end(&throttle, 1, 0, 1990);
	check_taken(0, "a clock that goes back");
	throttle_free(&throttle);
	return check_status();
}
