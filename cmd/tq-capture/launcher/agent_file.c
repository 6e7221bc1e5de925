/* agent_file.c - the libraries that programs load */

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "agent_file.h"
#include "stacks/elf_file.h"
#include "tq/base/ascii.h"

bool
agent_file_find(char path[AGENT_FILE_PATH])
{
	static const char *const places[] = {"", "../lib/tq/"};
	const char *given = getenv("TQ_CAPTURE_AGENT");
	char self[PATH_MAX], *slash;
	ssize_t n;

	if (given != NULL) {
		/* absolute: the command may change its directory */
		if (strchr(given, '/') == NULL || realpath(given, self) == NULL)
			snprintf(self, sizeof(self), "%s", given);
		snprintf(path, AGENT_FILE_PATH, "%s", self);
		return true;
	}
	n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	self[n > 0 ? n : 0] = '\0';
	slash = strrchr(self, '/');
	for (size_t i = 0; slash != NULL && i < 2; i++) {
		char place[PATH_MAX + 64], *real;

		snprintf(place, sizeof(place), "%.*s/%slibtq-capture.so",
		    (int)(slash - self), self, places[i]);
		if ((real = realpath(place, NULL)) == NULL)
			continue;
		snprintf(path, AGENT_FILE_PATH, "%s", real);
		free(real);
		return true;
	}
	return false;
}

/* ---- whether programs can load it ---- */

/* true if a is a version, as "2.34", and above b */
static bool
is_above(const char *a, const char *b)
{
	return ascii_is_digit(*a) && strverscmp(a, b) > 0;
}

/* size bytes of a part at an offset; false: they are not in it */
static bool
copy_at(const struct elf_part *part, uint64_t at, void *to, size_t size)
{
	if (part->bytes == NULL || at > part->size || size > part->size - at)
		return false;
	memcpy(to, part->bytes + at, size);
	return true;
}

/*
 * The highest version of the C library, above least, that a table asks for, or
 * least.  Offsets only grow: a table of an enemy ends, too.
 */
static const char *
highest_version(const struct elf_part *needs, const struct elf_part *names,
    const char *least)
{
	static const char prefix[] = "GLIBC_";
	const size_t length = sizeof(prefix) - 1;
	Elf64_Verneed file;

	for (uint64_t at = 0; copy_at(needs, at, &file, sizeof(file));
	     at += file.vn_next) {
		Elf64_Vernaux version;
		uint64_t next = at + file.vn_aux;

		while (copy_at(needs, next, &version, sizeof(version))) {
			const char *name = names->bytes + version.vna_name;

			if (version.vna_name < names->size &&
			    strncmp(name, prefix, length) == 0 &&
			    is_above(name + length, least))
				least = name + length;
			if (version.vna_next == 0)
				break;
			next += version.vna_next;
		}
		if (file.vn_next == 0)
			break;
	}
	return least;
}

/* True if this system's C library has all that the agent needs. */
static bool
try_libc(const char *agent, const struct elf_file *e, struct text *why)
{
#ifdef __GLIBC__
	const char *here = gnu_get_libc_version(), *highest = here;
	struct elf_part needs = elf_file_section(e, ".gnu.version_r");
	struct elf_part names = elf_file_section(e, ".dynstr");
	bool fits;

	if (names.bytes != NULL && names.size > 0 &&
	    names.bytes[names.size - 1] == '\0')
		highest = highest_version(&needs, &names, here);
	fits = highest == here;
	if (!fits)
		text_printf(why, "%s needs glibc %s, and this system has %s",
		    agent, highest, here);
	free(needs.bytes);
	free(names.bytes);
	return fits;
#else
	(void)e;
	text_printf(why, "%s needs glibc, which this program is not of", agent);
	return false;
#endif
}

/* true if the loader would find that function, or data, in the library */
static bool
exports(const struct elf_file *e, const char *symbol)
{
	struct elf_part table = elf_file_section(e, ".dynsym");
	struct elf_part names = elf_file_section(e, ".dynstr");
	size_t length = strlen(symbol) + 1;
	bool found = false;
	Elf64_Sym s;

	for (uint64_t at = 0; !found && copy_at(&table, at, &s, sizeof(s));
	     at += sizeof(s))
		found = s.st_shndx != SHN_UNDEF && names.bytes != NULL &&
			s.st_name < names.size &&
			length <= names.size - s.st_name &&
			memcmp(names.bytes + s.st_name, symbol, length) == 0;
	free(table.bytes);
	free(names.bytes);
	return found;
}

static bool
try_elf(
    const char *agent, int fd, const char *symbol, bool *has, struct text *why)
{
#if defined(__x86_64__)
	const uint16_t machine = EM_X86_64;
#elif defined(__aarch64__)
	const uint16_t machine = EM_AARCH64;
#else
	const uint16_t machine = EM_NONE; /* any */
#endif
	struct elf_file e;
	bool fits;

	if (!elf_file_open(&e, fd)) {
		text_printf(why, "%s: not a library", agent);
		return false;
	}
	fits = machine == EM_NONE || machine == e.machine;
	if (!fits)
		text_printf(why, "%s: for another processor", agent);
	fits = fits && try_libc(agent, &e, why);
	*has = exports(&e, symbol);
	elf_file_close(&e);
	return fits;
}

bool
agent_file_has(
    const char *agent, const char *symbol, bool *has, struct text *why)
{
	int fd = elf_file_descriptor(agent);
	bool fits;

	*has = false;
	if (fd < 0) {
		text_printf(why, "%s: %s", agent, strerror(errno));
		return false;
	}
	fits = try_elf(agent, fd, symbol, has, why);
	close(fd);
	return fits;
}

char *
agent_file_beside(const char *agent, const char *name)
{
	const char *slash = strrchr(agent, '/');
	struct text t = {0};

	text_printf(&t, "%.*s%s", slash != NULL ? (int)(slash + 1 - agent) : 0,
	    agent, name);
	text_add_char(&t, '\0');
	return t.p;
}

bool
agent_file_preload(const char *agent, const char *name,
    char path[AGENT_FILE_PRELOAD], struct text *why)
{
	char *beside = agent_file_beside(agent, name);

	snprintf(path, AGENT_FILE_PRELOAD, "%s", beside);
	free(beside);
	if (access(path, R_OK) != 0)
		text_printf(why, "%s: %s", path, strerror(errno));
	else if (path[strcspn(path, " :")] != '\0')
		text_printf(why,
		    "%s: LD_PRELOAD takes no path with a space or a colon",
		    path);
	else
		return true;
	return false;
}
