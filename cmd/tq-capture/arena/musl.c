/* musl.c - programs of another C library, whose loader can't load ours */

#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "musl.h"

enum {
	SCRIPTS = 4,  /* interpreters of scripts that are scripts */
	LINE = 256,   /* bytes that the kernel reads of a script */
	SEGMENTS = 64 /* headers that are looked at */
};

/* pread(2) of that many bytes, or fewer; not by a function that is wrapped */
static size_t
read_at(int fd, void *to, size_t n, uint64_t at)
{
	ssize_t got = syscall(SYS_pread64, fd, to, n, at);

	return got > 0 ? (size_t)got : 0;
}

/* the path of the loader that the file names, and its NUL; false: none */
static bool
find_loader(int fd, const Elf64_Ehdr *head, char to[LINE])
{
	Elf64_Phdr p;

	for (unsigned i = 0; i < head->e_phnum && i < SEGMENTS; i++) {
		size_t n;

		if (read_at(fd, &p, sizeof(p), head->e_phoff + i * sizeof(p)) !=
		    sizeof(p))
			return false;
		if (p.p_type != PT_INTERP)
			continue;
		n = p.p_filesz < LINE ? (size_t)p.p_filesz : LINE - 1;
		n = read_at(fd, to, n, p.p_offset);
		to[n] = '\0';
		return true;
	}
	return false;
}

static bool
is_musl(const char *loader)
{
	const char *slash = strrchr(loader, '/');

	return strncmp(slash != NULL ? slash + 1 : loader, "ld-musl-", 8) == 0;
}

/* "#! PATH ARGUMENT" becomes PATH; false: it is no such line */
static bool
take_interpreter(char line[LINE], size_t n)
{
	char *from = line + 2;
	size_t len;

	if (n < 3 || line[0] != '#' || line[1] != '!')
		return false;
	line[n < LINE ? n : LINE - 1] = '\0';
	from += strspn(from, " \t");
	len = strcspn(from, " \t\r\n");
	memmove(line, from, len);
	line[len] = '\0';
	return len > 0;
}

/* What runs the file: true, and line is the path of a script's interpreter;
   false, and *musl is set. */
static bool
look(const char *path, char line[LINE], bool *musl)
{
	int fd = (int)syscall(
	    SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
	Elf64_Ehdr head;
	bool script = false;
	size_t n;

	*musl = false;
	if (fd < 0)
		return false;
	n = read_at(fd, line, LINE, 0);
	if (n >= sizeof(head) && memcmp(line, ELFMAG, SELFMAG) == 0 &&
	    line[EI_CLASS] == ELFCLASS64) {
		memcpy(&head, line, sizeof(head));
		*musl = head.e_phentsize == sizeof(Elf64_Phdr) &&
			find_loader(fd, &head, line) && is_musl(line);
	} else
		script = take_interpreter(line, n);
	syscall(SYS_close, fd);
	return script;
}

bool
musl_runs(const char *path)
{
	char line[LINE], next[LINE];
	bool musl;

	if (!look(path, line, &musl))
		return musl;
	for (int i = 0; i < SCRIPTS; i++) {
		memcpy(next, line, LINE);
		if (!look(next, line, &musl))
			return musl;
	}
	return false;
}
