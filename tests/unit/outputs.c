/* outputs.c - the names of files and of sessions */

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "launcher/outputs.h"
#include "launcher/session.h"
#include "check.h"

/* @P, @H stand for our process id and host */
static const struct {
	const char *pattern, *of_process, *of_capture;
} rows[] = {
    {"out.tq", "out.tq", "out.tq"},
    {"", "", ""},
    {"%p.tq", "1234.tq", "@P.tq"},
    {"%h-%p", "@H-1234", "@H-@P"},
    {"%%p", "%p", "%p"},
    {"100%%", "100%", "100%"},
    {"100%", "100%", "100%"},
    {"%", "%", "%"},
    {"%x%p", "%x1234", "%x@P"},
    {"%q{TQ_A}", "of process", "of capture"},
    {"a%q{TQ_A}b", "aof processb", "aof captureb"},
    {"%q{TQ_NONE}x", "x", "x"},
    {"%q{TQ_EMPTY}", "", ""},
    {"%q{TQ", "%q{TQ", "%q{TQ"},
    {"%q{}", "%q{}", "%q{}"},
    {"%q{a b}", "%q{a b}", "%q{a b}"},
    {"%q{A,on=1}", "%q{A,on=1}", "%q{A,on=1}"},
    {"%q{%p}", "%q{1234}", "%q{@P}"},
    {"%{rank}.tq", "3.tq", "5.tq"},
    {"%{rank", "%{rank", "%{rank"},
    {"%{host}", "%{host}", "%{host}"},
};

static void
expand(struct text *t, const char *s)
{
	char host[256] = "";

	gethostname(host, sizeof(host) - 1);
	t->len = 0;
	for (; *s != '\0'; s++)
		if (strncmp(s, "@P", 2) == 0)
			text_add_int(t, (s++, getpid()));
		else if (strncmp(s, "@H", 2) == 0)
			text_add_str(t, (s++, host));
		else
			text_add_char(t, *s);
}

static void
check_name(const char *pattern, const struct target *p, const char *expect)
{
	char *name = outputs_name(pattern, p);
	struct text t = {0};

	expand(&t, expect);
	CHECK(text_is(&t, name), "%s: %s", pattern, name);
	text_free(&t);
	free(name);
}

static void
test_names(void)
{
	char about[] = "env.TQ_A=of process\0env.TQ_EMPTY=\0";
	struct target p = {.lines = {.pid = 1234}, .about = about, .rank = 3};
	struct target without = {
	    .lines = {.pid = 1}, .about = about, .rank = -1};

	setenv("TQ_A", "of capture", 1);
	setenv("TQ_EMPTY", "", 1);
	setenv("RANK", "5", 1);
	unsetenv("TQ_NONE");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		check_name(rows[i].pattern, &p, rows[i].of_process);
		check_name(rows[i].pattern, NULL, rows[i].of_capture);
	}
	check_name("a%{rank}b", &without, "ab");
	CHECK(outputs_name(NULL, &p) == NULL, "stdout");
}

static void
test_variables(void)
{
	static const struct {
		const char *pattern, *names;
	} all[] = {
	    {"%p", ""},
	    {"%q{A}", "A"},
	    {"%q{A}%q{B_2}x%q{A}", "A,B_2,A"},
	    {"%%q{A}", ""},
	    {"%q{a b}%q{}%q{C}%q{", "C"},
	};
	struct text t = {0};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		t.len = 0;
		outputs_variables(&t, all[i].pattern);
		CHECK(text_is(&t, all[i].names), "%s: %.*s", all[i].pattern,
		    (int)t.len, t.p);
	}
	t.len = 0;
	outputs_variables(&t, NULL);
	CHECK(t.len == 0, "stdout");
	text_free(&t);
}

/* ---- sessions ---- */

static void
test_sessions(void)
{
	char name[SESSION_NAME], other[SESSION_NAME], longest[SESSION_NAME + 1];
	int fd = session_listen(name), next = session_listen(other), again, pid;
	size_t n = 0;

	CHECK(fd >= 0 && next >= 0 && strcmp(name, other) != 0, "%s, %s", name,
	    other);
	CHECK(strpbrk(name, " =") == NULL, "%s is not one word", name);
	CHECK(session_accept(fd, &pid) < 0 && errno == EAGAIN, "nobody");
	close(fd);
	close(next);

	/* a name may be anything, but not longer than an address */
	for (n = 1; n < SESSION_NAME; n++) {
		memset(longest, '%', n);
		longest[n] = '\0';
		if ((fd = session_listen_orders(longest)) < 0)
			break;
		again = session_listen_orders(longest);
		CHECK(again < 0 && errno == EADDRINUSE, "%zu bytes twice", n);
		close(fd);
	}
	CHECK(fd < 0 && session_listen_orders(longest) < 0 &&
		  errno == ENAMETOOLONG && n > 32,
	    "%zu bytes: %s", n, strerror(errno));
	fd = session_listen_orders("a \"b\"/\n");
	CHECK(fd >= 0, "odd bytes");
	close(fd);
	fd = session_listen_orders("");
	CHECK(fd >= 0, "no bytes");
	close(fd);
}

int
main(void)
{
	test_names();
	test_variables();
	test_sessions();
	return check_status();
}
