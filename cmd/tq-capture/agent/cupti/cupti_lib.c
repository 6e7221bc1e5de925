/* cupti_lib.c - the libcupti of this process, loaded at run time */
#include <dlfcn.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cupti_lib.h"

enum { PATH_ROOM = 4096, PROBE = 4096, ALIGNMENT = 8 };

struct search {
	struct cupti_lib *lib;
	bool (*use)(struct cupti_lib *lib);
};

struct function {
	const char *name;
	size_t at; /* in struct cupti_lib */
};

#define AT(member) offsetof(struct cupti_lib, member)

/* in the order of the struct */
static const struct function functions[] = {
    {"cuptiGetVersion", AT(get_version)},
    {"cuptiActivityGetNextRecord", AT(next_record)},
    {"cuptiSubscribe", AT(subscribe)},
    {"cuptiEnableCallback", AT(enable_callback)},
    {"cuptiGetCallbackName", AT(callback_name)},
    {"cuptiActivityRegisterCallbacks", AT(register_buffers)},
    {"cuptiActivityEnable", AT(enable)},
    {"cuptiActivityDisable", AT(disable)},
    {"cuptiActivityFlushAll", AT(flush)},
    {"cuptiActivityGetNumDroppedRecords", AT(dropped)},
    {"cuptiUnsubscribe", AT(unsubscribe)},
    {"cuptiSubscribe_v2", AT(subscribe_v2)},
    {"cuptiActivityRegisterTimestampCallback", AT(register_clock)},
    {"cuptiSetThreadIdType", AT(thread_id_type)},
    {"cuptiActivitySetAttribute", AT(set_attribute)},
    {"cuptiActivityEnableAndDump", AT(enable_and_dump)},
    {"cuptiActivityEnableRuntimeApi", AT(enable_runtime_api)},
    {"cuptiActivityEnableDriverApi", AT(enable_driver_api)},
    {"cuptiActivityEnableCudaEventDeviceTimestamps", AT(event_times)},
    {"cuptiGetStreamIdEx", AT(stream_id)},
    {"cuptiGetGraphNodeId", AT(node_id)},
};

/* the endings of sonames, the newest first */
static const char *const cupti_versions[] = {"13", "12", "11.8", "11.7", "11.6",
    "11.5", "11.4", "11.3", "11.2", "11.1", "11.0"};
static const char *const cudart_versions[] = {"13", "12", "11.0"};

/* folders of a libcupti, relative to its libcudart */
static const char *const near_cudart[] = {
    "", "../extras/CUPTI/lib64/", "../../cuda_cupti/lib/"};

static const char *const toolkit[] = {"/usr/local/cuda/lib64/libcupti.so",
    "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so",
    "/usr/local/cuda/lib/libcupti.so"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool
bind(struct cupti_lib *lib, void *handle)
{
	const struct function *f;
	size_t i;
	void *p;

	memset(lib, 0, sizeof(*lib));
	for (i = 0; i < COUNT(functions); i++) {
		f = &functions[i];
		p = dlsym(handle, f->name);
		if (p == NULL && f->at < AT(unsubscribe))
			return false;
		memcpy((char *)lib + f->at, &p, sizeof(p));
	}
	return lib->get_version(&lib->version) == CUPTI_SUCCESS;
}

/* true if it is a libcupti, and the one to be used */
__attribute__((format(printf, 3, 4))) static bool
try_load(const struct search *s, int flags, const char *format, ...)
{
	char path[PATH_ROOM];
	void *handle;
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(path, sizeof(path), format, ap);
	va_end(ap);
	if (n < 0 || n >= PATH_ROOM)
		return false;
	handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | flags);
	return handle != NULL && bind(s->lib, handle) && s->use(s->lib);
}

static bool
try_sonames(const struct search *s, int flags)
{
	size_t i;

	for (i = 0; i < COUNT(cupti_versions); i++)
		if (try_load(s, flags, "libcupti.so.%s", cupti_versions[i]))
			return true;
	return false;
}

/*
 * Near a library that is loaded from that path, of a version that begins as the
 * other one does.
 */
static bool
try_beside(const struct search *s, const char *path, const char *version)
{
	const char *slash = strrchr(path, '/');
	size_t i, k;
	int dir;

	if (slash == NULL || slash - path > PATH_ROOM / 2)
		return false;
	dir = (int)(slash - path);
	for (i = 0; i < COUNT(near_cudart); i++)
		for (k = 0; k < COUNT(cupti_versions); k++)
			if (strncmp(cupti_versions[k], version, 2) == 0 &&
			    try_load(s, 0, "%.*s/%slibcupti.so.%s", dir, path,
				near_cudart[i], cupti_versions[k]))
				return true;
	return false;
}

/* next to the libcudart of that version, if it is loaded */
static bool
try_near(const struct search *s, const char *version)
{
	char name[32];
	struct link_map *map;
	void *handle;

	snprintf(name, sizeof(name), "libcudart.so.%s", version);
	handle = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
	return handle != NULL && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 &&
	       try_beside(s, map->l_name, version);
}

/* where pip has put a library of the toolkit that is loaded */
static bool
try_wheels(const struct search *s)
{
	struct link_map *map;
	void *self = dlopen(NULL, RTLD_LAZY | RTLD_NOLOAD);
	size_t k;

	if (self == NULL || dlinfo(self, RTLD_DI_LINKMAP, &map) != 0)
		return false;
	for (; map != NULL; map = map->l_next) {
		if (strstr(map->l_name, "/nvidia/") == NULL)
			continue;
		for (k = 0; k < COUNT(cudart_versions); k++)
			if (try_beside(s, map->l_name, cudart_versions[k]))
				return true;
	}
	return false;
}

bool
cupti_lib_find(struct cupti_lib *lib, bool (*use)(struct cupti_lib *lib))
{
	const struct search s = {lib, use};
	const char *own = getenv("TQ_CUPTI");
	size_t i;

	if (try_sonames(&s, RTLD_NOLOAD))
		return true;
	if (own != NULL && own[0] != '\0' && try_load(&s, 0, "%s", own))
		return true;
	for (i = 0; i < COUNT(cudart_versions); i++)
		if (try_near(&s, cudart_versions[i]))
			return true;
	if (try_wheels(&s))
		return true;
	if (try_sonames(&s, 0))
		return true;
	for (i = 0; i < COUNT(toolkit); i++)
		if (try_load(&s, 0, "%s", toolkit[i]))
			return true;
	return false;
}

/* ---- the sizes of its records ---- */

/*
 * cuptiActivityGetNextRecord finds the second record of a buffer in which
 * another one may begin at every multiple of eight.
 */
static uint16_t
find_stride(const struct cupti_lib *lib, uint64_t *buffer, uint32_t kind)
{
	const uint32_t any = CUPTI_ACTIVITY_KIND_RUNTIME;
	uint8_t *begin = (uint8_t *)buffer;
	CUpti_Activity *r = NULL;
	size_t i;

	memset(buffer, 0, PROBE);
	for (i = 0; i < PROBE; i += ALIGNMENT)
		memcpy(begin + i, &any, sizeof(any));
	memcpy(begin, &kind, sizeof(kind));
	if (lib->next_record(begin, PROBE, &r) != CUPTI_SUCCESS ||
	    (uint8_t *)r != begin ||
	    lib->next_record(begin, PROBE, &r) != CUPTI_SUCCESS ||
	    (uint8_t *)r <= begin || (uint8_t *)r >= begin + PROBE)
		return 0;
	return (uint16_t)((uint8_t *)r - begin);
}

void
cupti_lib_strides(const struct cupti_lib *lib, uint16_t stride[ARENA_STRIDES])
{
	uint64_t buffer[PROBE / sizeof(uint64_t)];
	uint32_t kind;

	stride[CUPTI_ACTIVITY_KIND_INVALID] = 0;
	for (kind = 1; kind < ARENA_STRIDES; kind++)
		stride[kind] = find_stride(lib, buffer, kind);
}
