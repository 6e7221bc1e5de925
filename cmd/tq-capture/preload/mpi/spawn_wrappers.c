/* spawn_wrappers.c - the capture goes on in programs that a process spawns; the
   wrappers of the C library have wrappers of their own for that */

#include <spawn.h>
#include <stdint.h>

#include "preload/exec_wrappers.h"
#include "preload/real.h"

#define EXPORT __attribute__((visibility("default")))

typedef int spawn_function(pid_t *, const char *,
    const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
    char *const *, char *const *);

EXPORT int
posix_spawn(pid_t *pid, const char *path,
    const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
    char *const *argv, char *const *env)
{
	spawn_function *real =
	    (spawn_function *)(uintptr_t)real_of(OSRT_posix_spawn);

	EXEC_KEEP(path, false, env);
	return real(pid, path, actions, attr, argv, env);
}

EXPORT int
posix_spawnp(pid_t *pid, const char *file,
    const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
    char *const *argv, char *const *env)
{
	spawn_function *real =
	    (spawn_function *)(uintptr_t)real_of(OSRT_posix_spawnp);

	EXEC_KEEP(file, true, env);
	return real(pid, file, actions, attr, argv, env);
}
