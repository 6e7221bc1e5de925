/* demangle.c - the names of C++ functions as people write them */

#include <dlfcn.h>
#include <stddef.h>

#include "demangle.h"

/* of the C++ ABI; found at run time so that nothing of C++ is needed to build
 */
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

/* the place of the bracket that the one before `end` closes, or 0 */
static size_t
opening(struct span s, size_t end, char open, char close)
{
	size_t depth = 0;

	for (size_t i = end; i-- > 0;) {
		if (s.p[i] == close)
			depth++;
		else if (s.p[i] == open && --depth == 0)
			return i;
	}
	return 0;
}

static bool
ends_with(struct span s, size_t end, const char *word)
{
	size_t n = strlen(word);

	return end >= n && memcmp(s.p + end - n, word, n) == 0;
}

struct span
demangle_base(struct span s)
{
	static const char *const qualifiers[] = {
	    " const", " volatile", " &", " &&", " noexcept"};
	size_t end = s.len, start, i;

	for (i = 0; i < 5; i++)
		if (ends_with(s, end, qualifiers[i]))
			end -= strlen(qualifiers[i]);
	if (end > 0 && s.p[end - 1] == ']') /* [clone .kd] and the like */
		end = opening(s, end, '[', ']');
	while (end > 0 && s.p[end - 1] == ' ')
		end--;
	if (end > 0 && s.p[end - 1] == ')')
		end = opening(s, end, '(', ')');
	if (end == 0)
		return s;
	if (s.p[end - 1] == '>' && !ends_with(s, end, "operator>") &&
	    !ends_with(s, end, "operator->"))
		end = opening(s, end, '<', '>');
	for (start = end; start > 0; start--) {
		char c = s.p[start - 1];

		if (c == ' ' && !ends_with(s, start, "operator "))
			break;
		if (c == ':' || c == '*' || c == '&')
			break;
	}
	if (start == end)
		return s;
	return (struct span){s.p + start, end - start};
}
