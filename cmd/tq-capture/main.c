/*
 * tq-capture - run a command and write its work on GPU and CPU as a stream of
 * events
 *
 * The command and all of its descendants find a library in their environment
 * (NVTX_INJECTION64_PATH, CUDA_INJECTION64_PATH): the agent.  It writes records
 * into memory that it shares with us, see arena/arena.h.  We read them, turn
 * them into lines, sort these by time and write them.
 */

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tq/base/mem.h"
#include "tq/io/note.h"

#include "launcher/attach.h"
#include "launcher/capture.h"
#include "launcher/child.h"
#include "launcher/environment.h"
#include "launcher/hotkey.h"
#include "launcher/summary.h"
#include "launcher/session.h"
#include "launcher/group_signal.h"

/* a connection whose message has not come yet */
struct caller {
	int fd;
	struct ucred peer;
	bool gives_orders; /* false: it is an agent */
	bool waits;    /* the message is there: no descriptor for its arena */
	int64_t since; /* ns: accepted */
};

struct loop {
	struct capture capture;
	struct child child;
	struct session_key key;
	int programs, orders, hotkey; /* -1: none */
	int attached; /* a descriptor of that process; -1: a command runs */
	struct caller *callers;
	size_t count;
	bool no_room; /* no descriptor is left for a connection or an arena */
	int spare;    /* a descriptor, to see who is left without one */
};

enum { FIXED = 5 }; /* signals, programs, orders, hotkey, attached */
enum { BETWEEN_LOOKS = 10000 }; /* us */
enum { PATIENCE = 200000000 };  /* ns: for a message, where room is short */

/* ---- connections ---- */

static void
ask_for_dump(struct loop *l, int caller)
{
	struct capture *c = &l->capture;

	dumps_ask(c, clock_now(&c->clock), caller);
}

static void
answer_order(struct loop *l, int fd)
{
	struct capture *c = &l->capture;
	struct text answer = {0};
	char order[16];
	ssize_t n = recv(fd, order, sizeof(order) - 1, 0);

	order[n > 0 ? n : 0] = '\0';
	if (strcmp(order, "dump") == 0 && c->options.keep > 0) {
		ask_for_dump(l, fd); /* the reply comes with it */
		return;
	}
	if (strcmp(order, "dump") == 0)
		text_add_str(&answer, SESSION_REFUSED
		    "the session keeps no events: it has no --keep\n");
	else if (strcmp(order, "start") == 0)
		text_add_str(&answer,
		    capture_set(c, true) ? "started\n" : "already on\n");
	else if (strcmp(order, "stop") == 0)
		text_add_str(&answer,
		    capture_set(c, false) ? "stopped\n" : "already off\n");
	else
		capture_status(c, &answer);
	send(fd, answer.p, answer.len, MSG_NOSIGNAL);
	text_free(&answer);
	close(fd);
}

/* Print why an agent is not captured.  Other users, all of whom may connect to
   a capture by root, cause no messages. */
static void
refuse_caller(struct loop *l, const struct caller *c, const char *why)
{
	if (c->peer.uid == getuid() && !c->gives_orders)
		capture_refuse(&l->capture, c->peer.pid, why);
}

/* it may be no process of the command: the recording has no word of it */
static void
refuse_stranger(const struct caller *c)
{
	if (c->peer.uid == getuid())
		warnx("process %d is not captured: its agent is of another "
		      "version",
		    c->peer.pid);
}

/* true if the message came, or never will: it is no caller any more */
static bool
read_message(struct loop *l, struct caller *c)
{
	int memfd;

	if (c->gives_orders) {
		answer_order(l, c->fd);
		return true;
	}
	memfd = session_receive(c->fd, &l->key);
	if (memfd >= 0) {
		capture_add(&l->capture, memfd, c->fd, c->peer.pid);
		return true;
	}
	if (memfd == SESSION_NO_ROOM) {
		c->waits = l->no_room = true;
		return false;
	}
	if (errno == EAGAIN)
		return false;
	/* a process that only closed has died, or has no agent */
	if (errno == EACCES)
		refuse_stranger(c);
	else if (errno != EPIPE)
		capture_refuse(&l->capture, c->peer.pid, strerror(errno));
	close(c->fd);
	return true;
}

/*
 * Read the messages of callers that fds says are ready, one for each; without
 * it of all that give no orders, as no read waits for these.
 */
static void
read_callers(struct loop *l, const struct pollfd *fds)
{
	size_t left = 0;

	for (size_t i = 0; i < l->count; i++) {
		bool ready = fds != NULL ? fds[i].revents != 0
					 : !l->callers[i].gives_orders;

		if (!ready || !read_message(l, &l->callers[i]))
			l->callers[left++] = l->callers[i];
	}
	l->count = left;
}

/*
 * Accept connections, and read the message of each before the next one takes
 * the descriptor that its arena needs.  False: some may be left.
 */
static bool
accept_callers(struct loop *l, int listener, bool gives_orders)
{
	struct caller c = {.gives_orders = gives_orders,
	    .since = clock_now(&l->capture.clock)};

	while (!l->no_room &&
	       (c.fd = session_accept(listener, gives_orders, &c.peer)) >= 0) {
		if (!gives_orders && read_message(l, &c))
			continue;
		l->callers =
		    mem_resize(l->callers, l->count + 1, sizeof(*l->callers));
		l->callers[l->count++] = c;
		c.waits = false;
	}
	if (l->no_room)
		return false;
	l->no_room = errno == EMFILE || errno == ENFILE;
	return errno == EAGAIN;
}

/*
 * Add the processes whose agents have sent their arenas.  The clock is read
 * first: an agent that sends its arena later writes its first record after
 * that, so that no record from before `heard` can come of an unknown process.
 */
static void
add_processes(struct loop *l)
{
	int64_t now = clock_now(&l->capture.clock);

	read_callers(l, NULL);
	if (accept_callers(l, l->programs, false))
		l->capture.heard = now;
}

static void
drop_caller(struct loop *l, size_t i)
{
	refuse_caller(l, &l->callers[i], strerror(EMFILE));
	close(l->callers[i].fd);
	memmove(&l->callers[i], &l->callers[i + 1],
	    (--l->count - i) * sizeof(*l->callers));
}

/*
 * The oldest connection without a message makes room for the next one.  One
 * with a message waits until a captured process ends, if there is one.
 */
static void
make_room(struct loop *l)
{
	size_t i = 0;

	l->no_room = false;
	while (i < l->count && l->callers[i].waits)
		i++;
	if (i < l->count) {
		if (clock_now(&l->capture.clock) - l->callers[i].since >
		    PATIENCE)
			drop_caller(l, i);
		return;
	}
	if (l->capture.running > 0)
		return;
	read_callers(l, NULL);
	if (l->no_room)
		drop_caller(l, 0);
	l->no_room = false;
}

/* ---- signals ---- */

/* true of a signal that ends the look at a process that runs on */
static bool
is_farewell(int signal)
{
	return signal == SIGHUP || signal == SIGINT || signal == SIGQUIT ||
	       signal == SIGTERM;
}

static void
read_signals(struct loop *l)
{
	struct signalfd_siginfo info;

	while (child_signal(&l->child, &info)) {
		bool start = info.ssi_signo == SIGUSR1;

		if (info.ssi_signo == SIGCHLD)
			continue;
		if (start && l->capture.options.keep > 0) {
			ask_for_dump(l, -1);
			continue;
		}
		if (l->attached >= 0 && is_farewell((int)info.ssi_signo))
			l->child.running = false;
		else if (l->capture.options.focus.trigger == FOCUS_SIGNAL &&
			 (start || info.ssi_signo == SIGUSR2))
			capture_set(&l->capture, start);
		else if (l->attached < 0) {
			if (l->child.running)
				capture_look(&l->capture);
			child_forward(&l->child, &info);
		}
	}
	/* without a readable signal too, or the loop would never end */
	child_reap(&l->child);
}

/* ---- the loop ---- */

static bool
is_running(const struct loop *l)
{
	if (l->attached >= 0)
		return l->child.running && !l->capture.options.focus.over;
	if (l->child.running)
		return true;
	return !l->capture.options.wait_for_primary && l->child.others;
}

static void
press_hotkey(struct loop *l)
{
	struct capture *c = &l->capture;

	if (c->options.keep > 0)
		ask_for_dump(l, -1);
	else
		capture_set(
		    c, !focus_wants(&c->options.focus, clock_now(&c->clock)));
}

/* Without memory for poll(2) the end of the command is looked for now and then.
 */
static bool
is_ready(struct loop *l, struct pollfd *fds, size_t n, int ms)
{
	int ready = poll(fds, n, ms);

	if (ready < 0 && errno != EINTR) {
		usleep(BETWEEN_LOOKS);
		read_signals(l);
	}
	return ready > 0;
}

static void
wait_for(struct loop *l, int ms)
{
	struct pollfd *fds = mem_alloc((FIXED + l->count) * sizeof(*fds));
	size_t count = l->count;
	bool no_room = l->no_room; /* then they wait for the next tick */

	fds[0] = (struct pollfd){l->child.signals, POLLIN, 0};
	fds[1] = (struct pollfd){no_room ? -1 : l->programs, POLLIN, 0};
	fds[2] = (struct pollfd){no_room ? -1 : l->orders, POLLIN, 0};
	fds[3] = (struct pollfd){l->hotkey, POLLIN, 0};
	fds[4] = (struct pollfd){l->attached, POLLIN, 0};
	for (size_t i = 0; i < count; i++)
		fds[FIXED + i] = (struct pollfd){
		    l->callers[i].waits ? -1 : l->callers[i].fd, POLLIN, 0};
	if (is_ready(l, fds, FIXED + count, ms)) {
		if (fds[0].revents != 0)
			read_signals(l);
		read_callers(l, fds + FIXED);
		if (fds[2].revents != 0)
			(void)accept_callers(l, l->orders, true);
		if (fds[4].revents != 0)
			l->child.running = false;
		if (fds[3].revents != 0 && hotkey_pressed(l->hotkey))
			press_hotkey(l);
	}
	if (no_room)
		make_room(l);
	add_processes(l);
	free(fds);
}

/* processes that run on hold the descriptors which these need */
static void
refuse_rest(struct loop *l)
{
	struct caller c = {0};

	while (l->count > 0)
		drop_caller(l, 0);
	close(l->spare);
	while ((c.fd = session_accept(l->programs, false, &c.peer)) >= 0) {
		refuse_caller(l, &c, strerror(EMFILE));
		close(c.fd);
	}
}

/*
 * Read what processes have sent that died meanwhile, or that waited for others
 * to end.
 */
static void
read_last_messages(struct loop *l)
{
	struct capture *c = &l->capture;
	size_t before = SIZE_MAX, known;

	for (;; before = known) {
		l->no_room = false;
		read_callers(l, NULL);
		(void)accept_callers(l, l->programs, false);
		known = c->count + c->refused;
		if (!l->no_room || known == before)
			break;
		capture_tick(c);
	}
	if (l->no_room)
		refuse_rest(l);
	for (size_t i = 0; i < l->count; i++)
		close(l->callers[i].fd);
	l->count = 0;
}

static void
run_loop(struct loop *l)
{
	struct focus *f = &l->capture.options.focus;

	while (is_running(l)) {
		int ms = capture_tick(&l->capture);

		if (f->shutdown && l->child.running) {
			f->shutdown = false;
			kill(l->child.pid, l->capture.options.kill);
		}
		wait_for(l, ms);
	}
	read_last_messages(l);
}

/* A process that runs on hands over what CUPTI has of it. */
static void
read_rest(struct loop *l)
{
	struct capture *c = &l->capture;
	int64_t end = clock_now(&c->clock) + CAPTURE_REST_MS * INT64_C(1000000);

	if (l->attached < 0 || c->running == 0)
		return;
	capture_pause_all(c);
	while (c->running > 0 && clock_now(&c->clock) < end) {
		capture_tick(c);
		usleep(BETWEEN_LOOKS);
	}
}

/* ---- the end ---- */

static void
release(struct loop *l)
{
	if (l->attached >= 0)
		attach_free(l->capture.options.command);
	capture_free(&l->capture);
}

static int
finish(struct loop *l)
{
	struct capture *c = &l->capture;
	const struct focus *f = &c->options.focus;
	bool ok = capture_finish(c);
	int status = l->child.status;

	if (!ok && (status == 0 || outputs_error(&c->outputs) != EPIPE))
		status = CHILD_TROUBLE;
	if (f->trigger != FOCUS_ALWAYS &&
	    (f->recorder ? f->ends : f->begun) == 0) {
		warnx("the range to capture never %s",
		    f->recorder ? "ended" : "began");
		if (c->options.require_range)
			status = CHILD_TROUBLE;
	}
	if (c->options.strict && status == 0 &&
	    (c->unloaded.count > 0 || c->refused > 0))
		status = CHILD_TROUBLE;
	if (note_wanted())
		summary_print(c);
	release(l);
	free(l->callers);
	return status;
}

static void
prepare(void *capture, int pid)
{
	capture_prepare(capture, pid);
}

/* returns 0, or the status to exit with */
static int
start_command(struct loop *l)
{
	const struct capture_options *o = &l->capture.options;
	int status;
	struct child_command command = {.argv = o->command,
	    .stdout_taken = o->file == NULL,
	    .hide_output = o->hide_output,
	    .clean_environment = o->clean_environment};

	if (!capture_environment(&l->capture, &l->key))
		return CHILD_TROUBLE;
	command.variables = o->variables;
	command.prepare = prepare;
	command.context = &l->capture;
	if ((status = child_start(&l->child, &command)) == 0)
		capture_watch(&l->capture, l->child.pid);
	return status;
}

/* The same with a process that runs already. */
static int
attach(struct loop *l)
{
	struct capture *c = &l->capture;
	pid_t pid = (pid_t)c->options.attach;

	l->child.pid = pid;
	l->child.running = true;
	child_outlast();
	if (!capture_may_attach(c, pid) || !capture_inject(c, &l->key, pid))
		return CHILD_TROUBLE;
	attach_define(&c->outputs, pid);
	capture_prepare(c, pid);
	capture_watch(c, pid);
	return 0;
}

/*
 * Look for the program to run, or for the process to attach to.  Returns 0, or
 * the status to exit with, after a message.
 */
static int
look_for_program(struct loop *l)
{
	struct capture_options *o = &l->capture.options;

	if (o->attach == 0)
		return child_look_for(o->command[0], &l->capture.loader);
	if (o->attach == getpid() ||
	    (l->attached = attach_open((pid_t)o->attach)) < 0) {
		warnx("--attach %" PRId64 ": %s", o->attach,
		    strerror(o->attach == getpid() ? EINVAL : errno));
		return CHILD_TROUBLE;
	}
	o->command = attach_command((pid_t)o->attach);
	return 0;
}

int
main(int argc, char *argv[])
{
	struct loop l = {.orders = -1, .hotkey = -1, .attached = -1};
	struct capture_options *o = &l.capture.options;
	int status, fifo;

	capture_options_parse(o, argc, argv);
	if (o->environment)
		return environment_print();
	if (o->order != NULL)
		return session_order(o->order, o->session);
	if ((status = look_for_program(&l)) != 0)
		return status;
	fifo = outputs_wait_for_reader(o);
	if (!child_prepare(&l.child))
		err(CHILD_TROUBLE, "signals");
	if ((l.programs = session_listen(&l.key)) < 0)
		err(CHILD_TROUBLE, "socket");
	l.spare = fcntl(l.programs, F_DUPFD_CLOEXEC, 0);
	if (o->session != NULL &&
	    (l.orders = session_listen_orders(o->session)) < 0)
		err(CHILD_TROUBLE, "session %s", o->session);
	if (o->key != NULL &&
	    (l.hotkey = hotkey_open((unsigned char)o->key[0])) < 0)
		err(CHILD_TROUBLE, "/dev/tty");
	if (!capture_open(&l.capture)) {
		release(&l);
		return CHILD_TROUBLE;
	}
	if (fifo >= 0)
		close(fifo);
	status = o->attach != 0 ? attach(&l) : start_command(&l);
	if (status != 0) {
		outputs_abandon(&l.capture.outputs);
		release(&l);
		return status;
	}
	run_loop(&l);
	read_rest(&l);
	group_signal_end();
	hotkey_close(l.hotkey);
	return finish(&l);
}
