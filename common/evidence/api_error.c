/* api_error.c - the names of the codes that calls of CUDA and HIP return */

#include "tq/evidence/api_error.h"

static const struct api_code {
	int64_t code;
	const char *runtime, *driver, *hip;
} codes[] = {
#define ERROR(code, runtime, driver, hip) {code, runtime, driver, hip},
#include "api_errors.def"
};

const char *
api_error_name(enum api_family family, int64_t code)
{
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
		const struct api_code *c = &codes[i];
		const char *name = family == API_CUDA_RUNTIME  ? c->runtime
				   : family == API_CUDA_DRIVER ? c->driver
				   : family == API_HIP         ? c->hip
							       : "";

		if (c->code == code && *name != '\0')
			return name;
	}
	return NULL;
}
