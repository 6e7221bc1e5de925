/* fuzz.h - what the fuzz targets share */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* a property that has to hold; what breaks it is kept by libFuzzer */
#define REQUIRE(ok) \
	do { \
		if (!(ok)) { \
			fprintf( \
			    stderr, "%s:%d: %s\n", __FILE__, __LINE__, #ok); \
			abort(); \
		} \
	} while (0)

#endif
