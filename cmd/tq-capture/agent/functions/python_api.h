/*
 * python_api.h - CPython as this library meets it: functions by their names,
 * and the structures that the stable ABI fixes
 *
 * The program brings Python; the library is built without it and not linked
 * with it.  CPython's methodobject.h, moduleobject.h, object.h, structmember.h
 * and typeslots.h define the structures and numbers: the same ones in 3.8 to
 * 3.13, with 64-bit pointers, in builds that have the lock (not free-threaded).
 */
#ifndef TQ_AGENT_PYTHON_API_H
#define TQ_AGENT_PYTHON_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct python_api {
#define API(type, name, parameters) type(*name) parameters;
#include "python_api.def"
#undef API
	void *none; /* _Py_NoneStruct */
};

/* The functions; call python_api_find first. */
extern struct python_api python_api;

/* Look them up; false if the program has not all of them. */
bool python_api_find(void);

/* PyObject */
struct python_object {
	intptr_t references;
	void *type;
};

typedef void (*python_function)(void); /* of any type */

/* PyMethodDef, and its flags */
struct python_method {
	const char *name;
	python_function function;
	int flags;
	const char *doc;
};

enum { PYTHON_VARARGS = 1, PYTHON_FASTCALL = 0x80 }; /* METH_* */

/* PyModuleDef */
struct python_module {
	struct python_object head;
	void *init;
	intptr_t index;
	void *copy;
	const char *name, *doc;
	intptr_t size;
	struct python_method *methods;
	void *rest[4];
};

enum { PYTHON_ABI = 3, PYTHON_MODULE_VERSION = 1013 };

/* PyType_Slot, PyType_Spec */
struct python_slot {
	int slot;
	union {
		python_function function;
		void *table;
	} p;
};

struct python_type {
	const char *name;
	int size, item;
	unsigned flags;
	struct python_slot *slots;
};

enum { PYTHON_VECTORCALL = 1 << 11 }; /* Py_TPFLAGS_HAVE_VECTORCALL */

/* Where a type has tp_vectorcall_offset, and a tuple its items. */
enum { PYTHON_VECTORCALL_OFFSET = 56, PYTHON_TUPLE_ITEMS = 24 };

/* vectorcallfunc, and PY_VECTORCALL_ARGUMENTS_OFFSET */
typedef void *python_vectorcall(
    void *callable, void *const *args, size_t n, void *names);
#define PYTHON_ARGUMENTS_OFFSET ((size_t)1 << 63)

/* Py_tp_* */
enum {
	PYTHON_CALL = 50,
	PYTHON_GET = 54,
	PYTHON_GETATTR = 58,
	PYTHON_METHODS = 64,
	PYTHON_REPR = 66,
	PYTHON_SETATTR = 69,
	PYTHON_MEMBERS = 72
};

/* PyMemberDef */
struct python_member {
	const char *name;
	int type;
	intptr_t offset;
	int flags;
	const char *doc;
};

enum { PYTHON_SSIZE = 19, PYTHON_READONLY = 1 };

#endif
