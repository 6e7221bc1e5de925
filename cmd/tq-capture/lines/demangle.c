/* demangle.c - mangled names of C++ functions become readable */

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "demangle.h"

/* of the C++ ABI; found at run time, so that building needs no C++ */
typedef char *demangler(const char *name, char *buffer, size_t *n, int *status);

static demangler *
find_demangler(void)
{
	static const char *const libraries[] = {
	    "libstdc++.so.6", "libc++abi.so.1", "libc++.so.1"};
	static demangler *found;
	static bool tried;
	void *library;

	for (size_t i = 0; !tried && i < 3; i++) {
		library = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);
		if (library == NULL)
			continue;
		*(void **)&found = dlsym(library, "__cxa_demangle");
		if (found != NULL)
			break;
	}
	tried = true;
	return found;
}

char *
demangle(const char *mangled)
{
	demangler *f;
	int status = 0;

	if (strncmp(mangled, "_Z", 2) != 0 || (f = find_demangler()) == NULL)
		return NULL;
	return f(mangled, NULL, NULL, &status);
}

/* ---- the base name of a mangled one ---- */

struct span
demangle_source(struct span s)
{
	struct span name = {NULL, 0};
	const char *p = s.p + 2, *end = s.p + s.len;

	if (s.len < 3 || memcmp(s.p, "_Z", 2) != 0)
		return name;
	while (p < end && strchr("NLrVK", *p) != NULL)
		p++;
	if (end - p > 2 && *p == 'S' && p[1] == 't')
		p += 2;
	while (p < end && *p >= '0' && *p <= '9') {
		size_t n = 0;

		for (; p < end && *p >= '0' && *p <= '9'; p++)
			n = n < s.len ? n * 10 + (size_t)(*p - '0') : n;
		if (n == 0 || n > (size_t)(end - p))
			break;
		name = (struct span){p, n};
		p += n;
	}
	return name;
}
