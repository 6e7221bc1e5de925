/* about.c - the description of a process in its arena */

#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "about.h"
#include "settings.h"

static const char cut[] = "...";

struct about_room {
	char *p;
	size_t left; /* without the last NUL */
};

static size_t
append_text(struct about_room *r, const char *s, size_t len)
{
	size_t n = len < r->left ? len : r->left;

	memcpy(r->p, s, n);
	r->p += n;
	r->left -= n;
	return len - n;
}

/* KEY=VALUE and its NUL; nothing if there is no room for the key */
static void
put_value(struct about_room *r, const char *prefix, const char *key,
    const char *value, size_t len)
{
	size_t least = strlen(prefix) + strlen(key) + sizeof(cut) + 1;

	if (r->left < least)
		return;
	r->left--; /* the NUL */
	append_text(r, prefix, strlen(prefix));
	append_text(r, key, strlen(key));
	append_text(r, "=", 1);
	if (append_text(r, value, len) > 0)
		memcpy(r->p - (sizeof(cut) - 1), cut, sizeof(cut) - 1);
	*r->p++ = '\0';
}

static void
put_variable(void *to, const char *name, const char *value)
{
	put_value(to, "env.", name, value, strlen(value));
}

/* bytes of the arguments, each with its NUL */
static size_t
arguments(char *buf, size_t size)
{
	size_t len = 0;
	ssize_t n;
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 0;
	while (len < size && (n = read(fd, buf + len, size - len)) > 0)
		len += (size_t)n;
	close(fd);
	return len;
}

void
about_fill(char *about, size_t size)
{
	struct about_room r = {about, size - 1};
	static char args[8192]; /* small stacks have no room for it */
	char comm[16 + 1] = "";
	size_t len = arguments(args, sizeof(args) - 1);
	const char *name = args, *slash;

	args[len] = '\0';
	if (args[0] == '\0') {
		prctl(PR_GET_NAME, comm);
		name = comm;
	}
	if ((slash = strrchr(name, '/')) != NULL && slash[1] != '\0')
		name = slash + 1;
	put_value(&r, "", "name", name, strlen(name));
	settings_variables(put_variable, &r);

	while (len > 0 && args[len - 1] == '\0')
		len--;
	for (size_t i = 0; i < len; i++)
		if (args[i] == '\0')
			args[i] = ' ';
	put_value(&r, "", "command", args, len);
	*r.p = '\0';
}
