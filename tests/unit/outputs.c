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
    /* no value leads out of the folder */
    {"d/%q{TQ_UP}", "d/_.__.__x", "d/_.__.__x"},
    {"%q{TQ_DOTS}/x", "_./x", "_./x"},
    {"d/%q{TQ_DOT}%q{TQ_DOT}/x", "d/_./x", "d/_./x"},
    {"d/.%q{TQ_DOT}/x", "d/._/x", "d/._/x"},
    {"d/%q{TQ_DOT}./x", "d/_./x", "d/_./x"},
    {"../%q{TQ_A}", "../of process", "../of capture"},
    {"%q{TQ_EMPTY}/x", "_/x", "_/x"},
    {"/%q{TQ_EMPTY}/x", "//x", "//x"},
    {"v%q{TQ_VERSION}.tq", "v1.2.tq", "v1.2.tq"},
    {"%q{TQ_ODD}", "a_b_c\xc3\xa9", "a_b_c\xc3\xa9"},
};

/* set in the process and in the launcher */
static const struct {
	const char *name, *value;
} values[] = {
    {"TQ_UP", "/../../x"},
    {"TQ_DOTS", ".."},
    {"TQ_DOT", "."},
    {"TQ_VERSION", "1.2"},
    {"TQ_ODD", "a\nb\033c\xc3\xa9"},
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
check_name(
    const char *pattern, const struct captured_process *p, const char *expect)
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
	char about[512] = "env.TQ_A=of process\0env.TQ_EMPTY=\0";
	char *at = about + sizeof("env.TQ_A=of process\0env.TQ_EMPTY=");
	struct captured_process p = {
	    .lines = {.pid = 1234, .rank = 3}, .about = about};
	struct captured_process without = {
	    .lines = {.pid = 1, .rank = -1}, .about = about};

	setenv("TQ_A", "of capture", 1);
	setenv("TQ_EMPTY", "", 1);
	setenv("RANK", "5", 1);
	unsetenv("TQ_NONE");
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		setenv(values[i].name, values[i].value, 1);
		at +=
		    sprintf(at, "env.%s=%s", values[i].name, values[i].value) +
		    1;
	}
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
	static const char *const names[] = {"a", "a \"b\"/\n", "", "%"};
	struct session_key key, other;
	int fd = session_listen(&key), next = session_listen(&other), again;
	char longest[1000];
	struct ucred peer;

	CHECK(fd >= 0 && next >= 0 && strcmp(key.name, other.name) != 0 &&
		  strcmp(key.secret, other.secret) != 0,
	    "%s, %s", key.name, other.name);
	CHECK(strlen(key.secret) == ARENA_SECRET &&
		  strpbrk(key.name, " =") == NULL,
	    "%s %s are not two words", key.name, key.secret);
	CHECK(
	    session_accept(fd, false, &peer) < 0 && errno == EAGAIN, "nobody");
	close(fd);
	close(next);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		fd = session_listen_orders(names[i]);
		again = session_listen_orders(names[i]);
		CHECK(fd >= 0 && again < 0 && errno == EADDRINUSE,
		    "\"%s\" twice", names[i]);
		close(fd);
		fd = session_listen_orders(names[i]);
		CHECK(fd >= 0, "\"%s\" again", names[i]);
		close(fd);
	}
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	fd = session_listen_orders(longest);
	CHECK(fd >= 0, "a long name: %s", strerror(errno));
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
