/* program_loader.c - the loader that starts a program, by its file */

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "program_loader.h"

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
	return strncmp(basename(loader), "ld-musl-", 8) == 0;
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

/* of the beginning of a file, which goes to line */
static enum program_loader
look_at_program(int fd, char line[LINE])
{
	Elf64_Ehdr head;

	memcpy(&head, line, sizeof(head));
	if (line[EI_CLASS] != ELFCLASS64 ||
	    head.e_phentsize != sizeof(Elf64_Phdr))
		return PROGRAM_LOADER_OTHER;
	if (!find_loader(fd, &head, line))
		return PROGRAM_LOADER_NONE;
	return is_musl(line) ? PROGRAM_LOADER_MUSL : PROGRAM_LOADER_OTHER;
}

/* What runs the file: true, and line is the path of a script's interpreter;
   false, and *loader is set. */
static bool
look(const char *path, char line[LINE], enum program_loader *loader)
{
	int fd = (int)syscall(
	    SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
	bool script = false;
	size_t n;

	*loader = PROGRAM_LOADER_OTHER;
	if (fd < 0)
		return false;
	n = read_at(fd, line, LINE, 0);
	if (n >= sizeof(Elf64_Ehdr) && memcmp(line, ELFMAG, SELFMAG) == 0)
		*loader = look_at_program(fd, line);
	else
		script = take_interpreter(line, n);
	syscall(SYS_close, fd);
	return script;
}

enum program_loader
program_loader_of(const char *path)
{
	char line[LINE], next[LINE];
	enum program_loader loader;

	if (!look(path, line, &loader))
		return loader;
	for (int i = 0; i < SCRIPTS; i++) {
		memcpy(next, line, LINE);
		if (!look(next, line, &loader))
			return loader;
	}
	return PROGRAM_LOADER_OTHER;
}
