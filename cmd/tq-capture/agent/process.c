/* process.c - the arena of a process, and how the launcher gets it */

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "own_memory.h"
#include "process.h"
#include "settings.h"

enum { FD_FIRST = 1000, CONNECT_SECONDS = 2 };

struct process *process;
bool process_tsc;

/* a child inherits these: they are of its parent then */
static _Atomic uint32_t generations;
static struct arena *mapped;
static size_t mapped_size;
static int connection = -1;
static struct stat connection_stat;
static pid_t launcher; /* 0: not in our name space of processes */

/* ---- the description of the process ---- */

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

/*
 * Fill about[size] as arena.h has it: name, variables, command.  A value that
 * does not fit is cut, and ends in "...".
 */
static void
fill_about(char *about, size_t size)
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

/*
 * ---- the lock: 0, or twice the number of the thread that holds it, and 1 if
 * another waits ----
 *
 * One word, so that a thread whose signal handler jumps out finds out at any
 * moment whether it holds the lock.
 */

enum { WAITED_FOR = 1 };

/* of its own for each thread, and without a system call */
static uint32_t
own_number(void)
{
	return (uint32_t)((uintptr_t)&errno >> 4) << 1;
}

void
process_lock(void)
{
	uint32_t own = own_number(), seen;
	int error = errno;

	for (;;) {
		seen = 0;
		if (atomic_compare_exchange_strong(&process->lock, &seen, own))
			break;
		own |= WAITED_FOR; /* perhaps by others too */
		if ((seen & WAITED_FOR) == 0 &&
		    !atomic_compare_exchange_strong(
			&process->lock, &seen, seen | WAITED_FOR))
			continue;
		syscall(SYS_futex, &process->lock, FUTEX_WAIT_PRIVATE,
		    seen | WAITED_FOR, NULL);
	}
	errno = error;
}

void
process_unlock(void)
{
	if (atomic_exchange(&process->lock, 0) & WAITED_FOR)
		syscall(SYS_futex, &process->lock, FUTEX_WAKE_PRIVATE, 1);
}

void
process_forsake(void)
{
	if (process != NULL &&
	    (process->lock & ~(uint32_t)WAITED_FOR) == own_number())
		process_unlock();
}

/* ---- the page that is wiped in a child ---- */

static void
wipe(void)
{
	memset(process, 0, sizeof(*process));
}

static bool
make_page(void)
{
	static _Atomic(struct process *) page;
	struct process *none = NULL;
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	bool wiped;
	void *p;

	if (atomic_load(&page) != NULL) {
		process = atomic_load(&page);
		return true;
	}
	p = own_memory_map(size, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	if (p == NULL)
		return false;
	wiped = own_memory_advise(p, size, MADV_WIPEONFORK); /* Linux 4.14 */
	if (!atomic_compare_exchange_strong(&page, &none, p)) {
		own_memory_unmap(p, size);
		process = none;
		return true;
	}
	process = p;
	if (!wiped)
		pthread_atfork(NULL, NULL, wipe);
	return true;
}

/* ---- the arena ---- */

/* false if the file would be too long for the program, and end it by SIGXFSZ */
static bool
may_have(size_t size)
{
	struct rlimit most;

	return getrlimit(RLIMIT_FSIZE, &most) != 0 || size <= most.rlim_cur;
}

static struct arena *
make_arena(const struct agent_settings *s, int fd)
{
	size_t size = arena_size(s->chunks, s->buffers);
	struct arena *a;

	errno = EFBIG; /* may_have sets none */
	/* a file that somebody made shorter would end the program by SIGBUS */
	if (!may_have(size) || ftruncate(fd, (off_t)size) != 0 ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)
		return NULL;
	a = own_memory_map(size, MAP_SHARED, fd);
	if (a == NULL)
		return NULL;
	a->chunks = s->chunks;
	a->buffers = s->buffers;
	a->pid = getpid();
	a->parent = getppid();
	a->start = process_clock();
	a->on = s->on;
	for (uint32_t i = 0; i < s->chunks; i++)
		a->free[i / 64] |= UINT64_C(1) << i % 64;
	fill_about(a->about, sizeof(a->about));
	a->magic = ARENA_MAGIC;
	mapped = a;
	mapped_size = size;
	return a;
}

char *
process_lend_buffers(uint32_t *count)
{
	const struct agent_settings *s = settings_get();

	mapped_size = arena_size(s->chunks, 0);
	*count = s->buffers;
	return (char *)mapped + mapped_size;
}

/* the program may have closed our descriptor, and opened another file as it */
static bool
connected(void)
{
	struct stat st;

	return connection >= 0 && fstat(connection, &st) == 0 &&
	       st.st_dev == connection_stat.st_dev &&
	       st.st_ino == connection_stat.st_ino;
}

/* the arena and the connection; a child starts with its parent's */
static void
forget(void)
{
	if (mapped != NULL)
		own_memory_unmap(mapped, mapped_size);
	mapped = NULL;
	if (connected())
		close(connection);
	connection = -1;
}

/* out of the way of programs that expect or close low descriptors */
static int
move_up(int fd)
{
	static const int from[] = {FD_FIRST, FD_FIRST / 8, STDERR_FILENO + 1};
	int to = -1;

	for (size_t i = 0; i < sizeof(from) / sizeof(from[0]) && to < 0; i++)
		to = fcntl(fd, F_DUPFD_CLOEXEC, from[i]);
	if (to < 0)
		return fd;
	close(fd);
	return to;
}

/* fd < 0: there is none, for the reason -fd, which the launcher reports */
static bool
send_arena(const struct agent_settings *s, int to, int fd)
{
	struct arena_greeting greeting = {
	    .magic = ARENA_MAGIC, .error = fd < 0 ? -fd : 0};
	struct iovec iov = {&greeting, sizeof(greeting)};
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = {0};
	struct msghdr msg = {.msg_iov = &iov,
	    .msg_iovlen = 1,
	    .msg_control = &control,
	    .msg_controllen = sizeof(control)};
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);

	memcpy(greeting.secret, s->secret, sizeof(greeting.secret));
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof(int));
	if (fd < 0)
		msg.msg_controllen = 0;
	return sendmsg(to, &msg, MSG_NOSIGNAL) == (ssize_t)sizeof(greeting);
}

/*
 * Anybody may listen under the name once the launcher has ended, and whoever
 * has the arena can write into the memory of this program: so it goes to root
 * and to the program's own user only.
 */
static bool
trust_peer(int to)
{
	struct ucred peer = {0};
	socklen_t size = sizeof(peer);

	if (getsockopt(to, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 ||
	    (peer.uid != 0 && peer.uid != geteuid()))
		return false;
	launcher = peer.pid;
	return true;
}

static bool
connect_launcher(const struct agent_settings *s, int fd)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	struct timeval patience = {.tv_sec = CONNECT_SECONDS};
	size_t len = strlen(s->socket);
	int to = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (to < 0)
		return false;
	memcpy(name.sun_path + 1, s->socket, len);
	len += offsetof(struct sockaddr_un, sun_path) + 1;
	setsockopt(to, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (connect(to, (struct sockaddr *)&name, (socklen_t)len) != 0 ||
	    !trust_peer(to) || !send_arena(s, to, fd)) {
		close(to);
		return false;
	}
	if (!s->block) { /* a program may count its descriptors */
		close(to);
		return true;
	}
	connection = move_up(to);
	fstat(connection, &connection_stat);
	return true;
}

static bool
start_capture(void)
{
	const struct agent_settings *s = settings_get();
	struct arena *a;
	bool sent, no_room;
	int fd, error;

	forget();
	if (!s->capture)
		return false;
	process_tsc = s->tsc;
	fd = memfd_create("tq-capture", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	a = fd >= 0 ? make_arena(s, fd) : NULL;
	error = errno;
	sent = connect_launcher(s, a != NULL ? fd : -error);
	/* the last: of its user too many are on their way */
	no_room = !sent &&
		  (errno == EMFILE || errno == ENFILE || errno == ETOOMANYREFS);
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && no_room) /* now there is a descriptor for the message */
		connect_launcher(s, -EMFILE);
	if (a == NULL || !sent) {
		forget();
		return false;
	}
	process->arena = a;
	process->generation = ++generations;
	return true;
}

bool
process_is_wanted(void)
{
	int error = errno;
	bool wanted = false;

	if (process != NULL || make_page()) {
		process_lock();
		wanted = settings_get()->capture && !process->refused;
		process_unlock();
	}
	errno = error;
	return wanted;
}

bool
process_open(void)
{
	int cancel;

	if (process == NULL && !make_page())
		return false;
	if (process->generation != 0 || process->refused)
		return process->generation != 0;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	process_lock();
	if (process->generation == 0 && !process->refused && !start_capture())
		process->refused = 1;
	process_unlock();
	pthread_setcancelstate(cancel, NULL);
	return process->generation != 0;
}

bool
process_alone(void)
{
	char c;

	if (launcher > 0 && kill(launcher, 0) != 0 && errno == ESRCH)
		return true;
	/* recv would be a cancellation point */
	return connected() && syscall(SYS_recvfrom, connection, &c, 1,
				  MSG_PEEK | MSG_DONTWAIT, NULL, NULL) == 0;
}
