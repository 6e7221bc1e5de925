/* function.c - the names of functions of CUDA, as profilers spell them */

#include "tq/line/function.h"

struct span
function_name(struct span raw)
{
	size_t n = raw.len;

	while (n > 0 && raw.p[n - 1] >= '0' && raw.p[n - 1] <= '9')
		n--;
	if (n == raw.len || n < 3 || raw.p[n - 1] != 'v' || raw.p[n - 2] != '_')
		return raw;
	return (struct span){raw.p, n - 2};
}
