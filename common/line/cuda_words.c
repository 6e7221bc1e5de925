/* cuda_words.c - names of CUDA's functions and copies */

#include "tq/line/cuda_words.h"

struct span
cuda_words_function(struct span raw)
{
	size_t n = raw.len;

	while (n > 0 && raw.p[n - 1] >= '0' && raw.p[n - 1] <= '9')
		n--;
	if (n == raw.len || n < 3 || raw.p[n - 1] != 'v' || raw.p[n - 2] != '_')
		return raw;
	return (struct span){raw.p, n - 2};
}

const char *
cuda_words_copy(struct span copy)
{
	static const struct {
		const char *word, *name;
	} copies[] = {
#define COPY(cupti, nsys, word, name) {word, name},
#define COPY_NSYS(nsys, word, name) {word, name},
#include "tq/cuda.def"
	};

	for (size_t i = 0; i < sizeof(copies) / sizeof(*copies); i++)
		if (span_eq(copy, span_of(copies[i].word)))
			return copies[i].name;
	return NULL;
}
