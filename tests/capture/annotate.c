/*
 * annotate.c - makes the annotations that its arguments list, for the tests of
 * the capture
 *
 *	annotate [verb [argument ...]] ...
 *
 * does what its arguments say, one after the other, and exits 0.  How the
 * events after them are given: in DOMAIN ("-": the default one), plain, wide,
 * registered, category NUMBER, color ARGB, payload TYPE VALUE, bare (without
 * the last three).  Events: mark TEXT, push TEXT, pop, start TEXT, end (the
 * last one started), elsewhere (the same, on another thread).  Names:
 * name-category NUMBER TEXT, name-thread TEXT.  And times NUMBER (the next
 * verb so often), tell FILE (make it), await FILE (until it is there).
 */

#include <err.h>
#include <fcntl.h>
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { STARTED = 64, WIDE = 256, AWAIT_MS = 30000 };

static nvtxDomainHandle_t domain; /* NULL: the default one */
static nvtxEventAttributes_t style = {.version = NVTX_VERSION,
    .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
    .messageType = NVTX_MESSAGE_TYPE_ASCII};
static nvtxRangeId_t started[STARTED];
static int n_started;
static unsigned long times = 1;

static unsigned long
number(const char *s, int base)
{
	char *end;
	unsigned long n = strtoul(s, &end, base);

	if (end == s || *end != '\0')
		errx(2, "not a number: %s", s);
	return n;
}

/* ---- how ---- */

static void
in(char *argv[])
{
	domain = strcmp(*argv, "-") == 0 ? NULL : nvtxDomainCreateA(*argv);
}

static void
plain(char *argv[])
{
	(void)argv;
	style.messageType = NVTX_MESSAGE_TYPE_ASCII;
}

static void
wide(char *argv[])
{
	(void)argv;
	style.messageType = NVTX_MESSAGE_TYPE_UNICODE;
}

static void
registered(char *argv[])
{
	(void)argv;
	style.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
}

static void
category(char *argv[])
{
	style.category = (uint32_t)number(*argv, 10);
}

static void
color(char *argv[])
{
	style.colorType = NVTX_COLOR_ARGB;
	style.color = (uint32_t)number(*argv, 16);
}

static void
payload(char *argv[])
{
	static const struct {
		const char *name;
		int type;
	} types[] = {
	    {"u64", NVTX_PAYLOAD_TYPE_UNSIGNED_INT64},
	    {"i64", NVTX_PAYLOAD_TYPE_INT64},
	    {"f64", NVTX_PAYLOAD_TYPE_DOUBLE},
	    {"u32", NVTX_PAYLOAD_TYPE_UNSIGNED_INT32},
	    {"i32", NVTX_PAYLOAD_TYPE_INT32},
	    {"f32", NVTX_PAYLOAD_TYPE_FLOAT},
	};
	const char *v = argv[1];

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(argv[0], types[i].name) == 0)
			style.payloadType = types[i].type;
	switch ((int)style.payloadType) {
	case NVTX_PAYLOAD_TYPE_DOUBLE:
		style.payload.dValue = strtod(v, NULL);
		break;
	case NVTX_PAYLOAD_TYPE_FLOAT:
		style.payload.fValue = strtof(v, NULL);
		break;
	case NVTX_PAYLOAD_TYPE_UNSIGNED_INT32:
		style.payload.uiValue = (uint32_t)strtoul(v, NULL, 10);
		break;
	case NVTX_PAYLOAD_TYPE_INT32:
		style.payload.iValue = (int32_t)strtol(v, NULL, 10);
		break;
	case NVTX_PAYLOAD_TYPE_INT64:
		style.payload.llValue = strtoll(v, NULL, 10);
		break;
	default:
		style.payload.ullValue = strtoull(v, NULL, 10);
	}
}

static void
bare(char *argv[])
{
	(void)argv;
	style.category = 0;
	style.colorType = style.payloadType = 0;
}

/* ---- events ---- */

/* the text in the chosen form, good until the next one */
static const nvtxEventAttributes_t *
with(const char *text)
{
	static wchar_t buffer[WIDE];

	switch ((int)style.messageType) {
	case NVTX_MESSAGE_TYPE_REGISTERED:
		style.message.registered =
		    nvtxDomainRegisterStringA(domain, text);
		break;
	case NVTX_MESSAGE_TYPE_UNICODE:
		/* these tests have no use for more than ASCII here */
		for (size_t i = 0; i <= strlen(text) && i < WIDE - 1; i++)
			buffer[i] = (wchar_t)text[i];
		style.message.unicode = buffer;
		break;
	default:
		style.message.ascii = text;
	}
	return &style;
}

static void
mark(char *argv[])
{
	nvtxDomainMarkEx(domain, with(*argv));
}

static void
push(char *argv[])
{
	nvtxDomainRangePushEx(domain, with(*argv));
}

static void
pop(char *argv[])
{
	(void)argv;
	nvtxDomainRangePop(domain);
}

static void
start(char *argv[])
{
	if (n_started == STARTED)
		errx(2, "too many ranges");
	started[n_started++] = nvtxDomainRangeStartEx(domain, with(*argv));
}

static void *
end_one(void *unused)
{
	if (n_started > 0)
		nvtxDomainRangeEnd(domain, started[--n_started]);
	return unused;
}

static void
end(char *argv[])
{
	(void)argv;
	end_one(NULL);
}

static void
elsewhere(char *argv[])
{
	pthread_t t;

	(void)argv;
	if (pthread_create(&t, NULL, end_one, NULL) != 0)
		errx(1, "no thread");
	pthread_join(t, NULL);
}

/* ---- names, and the rest ---- */

static void
name_category(char *argv[])
{
	nvtxDomainNameCategoryA(domain, (uint32_t)number(argv[0], 10), argv[1]);
}

static void
name_thread(char *argv[])
{
	nvtxNameOsThreadA((uint32_t)syscall(SYS_gettid), *argv);
}

static void
more(char *argv[])
{
	times = number(*argv, 10);
}

static void
tell(char *argv[])
{
	int fd = open(*argv, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0)
		err(1, "%s", *argv);
	close(fd);
}

static void
await(char *argv[])
{
	struct timespec ms = {.tv_nsec = 1000000};

	for (int i = 0; access(*argv, F_OK) != 0; i++) {
		if (i == AWAIT_MS)
			errx(1, "%s did not come", *argv);
		nanosleep(&ms, NULL);
	}
}

static const struct verb {
	const char *name;
	int arguments;
	void (*act)(char *argv[]);
} verbs[] = {
    {"in", 1, in},
    {"plain", 0, plain},
    {"wide", 0, wide},
    {"registered", 0, registered},
    {"category", 1, category},
    {"color", 1, color},
    {"payload", 2, payload},
    {"bare", 0, bare},
    {"mark", 1, mark},
    {"push", 1, push},
    {"pop", 0, pop},
    {"start", 1, start},
    {"end", 0, end},
    {"elsewhere", 0, elsewhere},
    {"name-category", 2, name_category},
    {"name-thread", 1, name_thread},
    {"times", 1, more},
    {"tell", 1, tell},
    {"await", 1, await},
};

/* how many arguments it used */
static int
act(char *argv[])
{
	const struct verb *v = verbs,
			  *past = verbs + sizeof(verbs) / sizeof(*v);
	unsigned long n = times;

	while (v < past && strcmp(v->name, *argv) != 0)
		v++;
	if (v == past)
		errx(2, "what is %s?", *argv);
	for (int i = 1; i <= v->arguments; i++)
		if (argv[i] == NULL)
			errx(2, "%s lacks an argument", *argv);
	times = 1;
	while (n-- > 0)
		v->act(argv + 1);
	return v->arguments + 1;
}

int
main(int argc, char *argv[])
{
	(void)argc;
	argv++;
	while (*argv != NULL)
		argv += act(argv);
	return 0;
}
