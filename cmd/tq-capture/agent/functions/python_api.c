/* python_api.c - functions of CPython, by their names */

#include <dlfcn.h>
#include <stddef.h>

#include "python_api.h"

struct python_api python_api;

bool
python_api_find(void)
{
	bool found = true;

#define API(type, name, parameters) \
	*(void **)&python_api.name = dlsym(RTLD_DEFAULT, #name); \
	found = found && python_api.name != NULL;
#include "python_api.def"
#undef API
	python_api.none = dlsym(RTLD_DEFAULT, "_Py_NoneStruct");
	return found && python_api.none != NULL;
}
