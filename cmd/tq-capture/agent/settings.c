/* settings.c - the environment variable TQ_CAPTURE, parsed */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "settings.h"

enum { NAME_MAX_BYTES = 256 };

static const char *const rank_variables[] = {RANK_VARIABLES};
enum { RANKS = sizeof(rank_variables) / sizeof(rank_variables[0]) };

static struct agent_settings settings;
static char text[CAPTURE_VARIABLE_MAX]; /* the variable, cut into words */
static bool parsed;

/*
 * A variable of the environment; NULL: there is none.  Not getenv(3): a program
 * may have one of its own, as bash has, which calls malloc; the first sample
 * reads variables in the handler of a timer.
 */
static const char *
variable(const char *name)
{
	size_t n = strlen(name);

	for (char **e = environ; e != NULL && *e != NULL; e++)
		if (strncmp(*e, name, n) == 0 && (*e)[n] == '=')
			return *e + n + 1;
	return NULL;
}

/* true if the rank of this process is among "A,B,..." */
static bool
has_rank(const char *ranks)
{
	const char *own = NULL;
	unsigned long rank;
	char *end;

	for (size_t i = 0; i < RANKS && own == NULL; i++)
		own = variable(rank_variables[i]);
	if (own == NULL)
		return false;
	rank = strtoul(own, &end, 10);
	if (end == own)
		return false;
	while (*ranks != '\0') {
		unsigned long r = strtoul(ranks, &end, 10);

		if (end == ranks)
			return false;
		if (r == rank)
			return true;
		ranks = *end == ',' ? end + 1 : end;
	}
	return false;
}

static uint32_t
number(const char *s, uint32_t most)
{
	unsigned long v = strtoul(s, NULL, 10);

	return v < most ? (uint32_t)v : most;
}

/* "A,B,..." */
static void
set_numbers(uint64_t *const *all, size_t n, const char *value)
{
	char *end;

	for (size_t i = 0; i < n; i++) {
		*all[i] = strtoull(value, &end, 10);
		value = *end == ',' ? end + 1 : end;
	}
}

/* in the order of the struct */
static void
set_osrt(const char *value)
{
	struct osrt_limits *o = &settings.osrt;
	uint64_t *all[OSRT_GROUPS + 3] = {
	    [OSRT_GROUPS] = &o->names, &o->stacks, &o->stack};

	for (size_t i = 0; i < OSRT_GROUPS; i++)
		all[i] = &o->calls[i];
	set_numbers(all, sizeof(all) / sizeof(all[0]), value);
}

/* the same */
static void
set_cuda(const char *value)
{
	struct cuda_settings *c = &settings.cuda;
	uint64_t *const all[] = {&c->threshold[CUDA_KERNEL],
	    &c->threshold[CUDA_MEMORY], &c->threshold[CUDA_SYNC],
	    &c->threshold[CUDA_OTHER], &c->stack, &c->modules};

	set_numbers(all, sizeof(all) / sizeof(all[0]), value);
}

/* the same */
static void
set_sample(const char *value)
{
	struct sample_settings *s = &settings.sample;
	uint64_t *const all[] = {&s->period, &s->stack, &s->modules};

	set_numbers(all, sizeof(all) / sizeof(all[0]), value);
}

static void
set_word(const char *key, const char *value, const char **ranks)
{
	if (strcmp(key, "socket") == 0) {
		if (strlen(value) <= SETTINGS_SOCKET_MAX)
			memcpy(settings.socket, value, strlen(value) + 1);
	} else if (strcmp(key, "secret") == 0) {
		if (strlen(value) == ARENA_SECRET)
			memcpy(settings.secret, value, ARENA_SECRET);
	} else if (strcmp(key, "clock") == 0) {
		settings.tsc = strcmp(value, "tsc") == 0;
	} else if (strcmp(key, "on") == 0) {
		settings.on = number(value, UINT32_MAX);
	} else if (strcmp(key, "arm") == 0) {
		settings.arm = number(value, UINT32_MAX);
	} else if (strcmp(key, "chain") == 0) {
		settings.chain = value;
	} else if (strcmp(key, "osrt") == 0) {
		set_osrt(value);
	} else if (strcmp(key, "cuda") == 0) {
		set_cuda(value);
	} else if (strcmp(key, "sample") == 0) {
		set_sample(value);
	} else if (strcmp(key, "gil") == 0) {
		settings.gil = strtoull(value, NULL, 10);
	} else if (strcmp(key, "chunks") == 0) {
		settings.chunks = number(value, ARENA_CHUNKS_MAX);
	} else if (strcmp(key, "buffers") == 0) {
		settings.buffers = number(value, ARENA_BUFFERS_MAX);
	} else if (strcmp(key, "full") == 0) {
		settings.block = strcmp(value, "block") == 0;
	} else if (strcmp(key, "flush") == 0) {
		settings.flush = number(value, UINT32_MAX);
	} else if (strcmp(key, "ranks") == 0) {
		*ranks = value;
	} else if (strcmp(key, "env") == 0) {
		settings.variables = value;
	}
}

static void
parse(const char *all)
{
	const char *ranks = NULL;
	char *save, *word, *equals;

	settings = (struct agent_settings){.chunks = 64,
	    .osrt = OSRT_LIMITS_NONE,
	    .chain = "",
	    .variables = ""};
	if (all != NULL && strlen(all) < sizeof(text)) {
		memcpy(text, all, strlen(all) + 1);
		word = strtok_r(text, " ", &save);
		for (; word != NULL; word = strtok_r(NULL, " ", &save))
			if ((equals = strchr(word, '=')) != NULL) {
				*equals = '\0';
				set_word(word, equals + 1, &ranks);
			}
	}
	if (settings.chunks < 2)
		settings.chunks = 2; /* one for names, one for records */
	settings.capture =
	    settings.socket[0] != '\0' && (ranks == NULL || has_rank(ranks));
	parsed = true;
}

const struct agent_settings *
settings_get(void)
{
	if (!parsed)
		parse(variable(CAPTURE_VARIABLE));
	return &settings;
}

bool
settings_set(const char *all)
{
	if (settings.socket[0] != '\0' || variable(CAPTURE_VARIABLE) != NULL)
		return false;
	parse(all);
	return true;
}

void
settings_variables(
    void (*put)(void *to, const char *name, const char *value), void *to)
{
	const char *list = settings.variables, *value;
	char name[NAME_MAX_BYTES];

	for (size_t i = 0; i < RANKS; i++)
		if ((value = variable(rank_variables[i])) != NULL)
			put(to, rank_variables[i], value);
	while (*list != '\0') {
		size_t len = strcspn(list, ",");

		if (len > 0 && len < sizeof(name)) {
			memcpy(name, list, len);
			name[len] = '\0';
			if ((value = variable(name)) != NULL)
				put(to, name, value);
		}
		list += len + (list[len] == ',');
	}
}
