/*
 * osrt_files.c - which file a descriptor of the program is
 *
 * The kernel is queried once for each (1.5 us), and the name kept until a
 * wrapper reports that the descriptor was opened or closed.  A child of
 * vfork(2) shares the table with its parent, but not the descriptors: it makes
 * entries invalid, and never makes new ones.
 */

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "osrt_files.h"

enum { FILES = 512, KEPT = 248 }; /* descriptors, bytes of a name */

/* the file of a descriptor when its stamp was `named` */
struct known_file {
	_Atomic uint32_t stamp;  /* grows whenever it becomes another file */
	_Atomic uint32_t named;  /* stamp + 1 of the name; 0: it has none */
	_Atomic uint32_t writer; /* 1: a thread writes the name */
	uint32_t len;
	char name[KEPT];
};

static struct known_file files[FILES];

void
osrt_files_forget(int fd)
{
	if (fd >= 0 && fd < FILES)
		atomic_fetch_add_explicit(
		    &files[fd].stamp, 1, memory_order_acq_rel);
	for (int i = 0; fd < 0 && i < FILES; i++)
		atomic_fetch_add_explicit(
		    &files[i].stamp, 1, memory_order_acq_rel);
}

/* ---- the table ---- */

/* of the stamp that it has, or of the one before it */
static size_t
recall(struct known_file *f, uint32_t stamp, char *to)
{
	uint32_t named = atomic_load(&f->named), len;

	if (named == 0 || named != stamp + 1)
		return 0;
	len = f->len < KEPT ? f->len : KEPT;
	memcpy(to, f->name, len);
	atomic_thread_fence(memory_order_acquire);
	return atomic_load(&f->named) == named ? len : 0;
}

static void
keep(struct known_file *f, uint32_t stamp, const char *name, size_t len)
{
	uint32_t none = 0;

	if (len > KEPT || !atomic_compare_exchange_strong(&f->writer, &none, 1))
		return;
	atomic_store(&f->named, 0);
	atomic_thread_fence(memory_order_release);
	memcpy(f->name, name, len);
	f->len = (uint32_t)len;
	atomic_store(&f->named, stamp + 1);
	atomic_store(&f->writer, 0);
}

/* ---- asking the kernel ---- */

static size_t
append(char *to, size_t len, const char *text)
{
	size_t n = strlen(text);

	if (n > OSRT_FILE_MAX - 1 - len)
		n = OSRT_FILE_MAX - 1 - len;
	memcpy(to + len, text, n);
	to[len + n] = '\0';
	return len + n;
}

static size_t
append_number(char *to, size_t len, unsigned n)
{
	char digits[12];
	size_t at = sizeof(digits) - 1;

	digits[at] = '\0';
	do
		digits[--at] = (char)('0' + n % 10);
	while ((n /= 10) > 0);
	return append(to, len, digits + at);
}

static size_t
append_address(char *to, size_t len, const struct sockaddr_storage *peer)
{
	const struct sockaddr_in *in = (const void *)peer;
	const struct sockaddr_in6 *in6 = (const void *)peer;
	bool six = peer->ss_family == AF_INET6;
	const void *address =
	    six ? (const void *)&in6->sin6_addr : (const void *)&in->sin_addr;
	char text[INET6_ADDRSTRLEN];

	if (inet_ntop(peer->ss_family, address, text, sizeof(text)) == NULL)
		return len;
	len = append(to, len, six ? ":[" : ":");
	len = append(to, len, text);
	len = append(to, len, six ? "]:" : ":");
	return append_number(
	    to, len, ntohs(six ? in6->sin6_port : in->sin_port));
}

/* ":PATH", ":@NAME", or nothing for one that has no name */
static size_t
append_local(char *to, size_t len, const struct sockaddr_un *peer, size_t size)
{
	size_t head = offsetof(struct sockaddr_un, sun_path), n;
	bool abstract = size > head && peer->sun_path[0] == '\0';
	char text[sizeof(peer->sun_path) + 1] = {0};

	if (size <= head)
		return append(to, len, ":unix");
	n = size - head;
	if (n > sizeof(peer->sun_path))
		n = sizeof(peer->sun_path);
	memcpy(text, peer->sun_path, n);
	len = append(to, len, abstract ? ":@" : ":");
	return append(to, len, text + abstract);
}

static size_t
name_socket(int fd, char *to)
{
	struct sockaddr_storage peer = {0};
	socklen_t size = sizeof(peer);
	size_t len = append(to, 0, "socket");

	if (syscall(SYS_getpeername, fd, &peer, &size) != 0)
		return len;
	if (peer.ss_family == AF_UNIX)
		return append_local(to, len, (const void *)&peer, size);
	if (peer.ss_family == AF_INET || peer.ss_family == AF_INET6)
		return append_address(to, len, &peer);
	return len;
}

static size_t
ask_kernel(int fd, char *to)
{
	char link[40];
	/* /proc/self has nothing once the first thread has ended */
	size_t len = append(link, 0, "/proc/thread-self/fd/");
	long n;

	append_number(link, len, (unsigned)fd);
	n = syscall(
	    SYS_readlinkat, AT_FDCWD, link, to, (size_t)OSRT_FILE_MAX - 1);
	if (n <= 0)
		return 0;
	to[n] = '\0';
	if (strncmp(to, "socket:", 7) == 0)
		return name_socket(fd, to);
	if (strncmp(to, "pipe:", 5) == 0)
		return append(to, 0, "pipe");
	return (size_t)n;
}

size_t
osrt_files_name(int fd, bool ask, bool closed, char to[OSRT_FILE_MAX])
{
	struct known_file *f = fd >= 0 && fd < FILES ? &files[fd] : NULL;
	uint32_t stamp = f != NULL ? atomic_load(&f->stamp) : 0;
	size_t len = 0;

	if (fd < 0)
		return 0;
	if (f != NULL)
		len = recall(f, closed ? stamp - 1 : stamp, to);
	if (len > 0 || !ask || closed)
		return len;
	len = ask_kernel(fd, to);
	/* if it became another file meanwhile, the stamp is an old one */
	if (f != NULL && len > 0)
		keep(f, stamp, to, len);
	return len;
}
