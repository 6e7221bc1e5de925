/* nvml_lib.c - libnvidia-ml, loaded while the capture runs */

#include <dlfcn.h>
#include <stddef.h>

#include "nvml_lib.h"

const char *
nvml_lib_open(struct nvml_lib *lib)
{
	static const struct {
		const char *name, *older;
		size_t at;
	} functions[] = {
#define ROW(member, name, older, prototype) \
	{name, older, offsetof(struct nvml_lib, member)},
	    NVML_FUNCTIONS(ROW)
#undef ROW
	};
	void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);

	if (library == NULL)
		return "no libnvidia-ml.so.1";
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void **to = (void **)((char *)lib + functions[i].at);

		*to = dlsym(library, functions[i].name);
		if (*to == NULL && functions[i].older != NULL)
			*to = dlsym(library, functions[i].older);
	}
	if (lib->init == NULL || lib->count == NULL || lib->handle == NULL)
		return "libnvidia-ml.so.1 is too old";
	return lib->init() == 0 ? NULL : "libnvidia-ml finds no driver";
}
