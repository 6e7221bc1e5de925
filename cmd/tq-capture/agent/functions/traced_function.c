/* traced_function.c - a callable of Python in the place of another one */

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "function_label.h"
#include "python_api.h"
#include "arena/arena.h"
#include "traced_function.h"

struct traced_function {
	struct python_object head;
	void *real;  /* a reference that is never given back */
	void *after; /* NULL, or the same */
	void *weak;  /* references to this one, which Python keeps */
	/* Both NULL where the real one can't be called so.  Python counts a
	   call without it as one level of recursion more. */
	python_vectorcall *call, *real_call;
	int32_t label;
	unsigned flags;
};

static void *type;

static void *
type_of(const void *object)
{
	return ((const struct python_object *)object)->type;
}

/* ---- the arguments in a range ---- */

enum { NAME = 128, SHAPES = 512 };

/* bytes of UTF-8 of str(object) at to, cut to the room; false: it has none */
static bool
copy_text(void *object, char *to, size_t room)
{
	void *text = object != NULL ? python_api.PyObject_Str(object) : NULL;
	void *bytes =
	    text != NULL ? python_api.PyUnicode_AsUTF8String(text) : NULL;

	if (bytes != NULL)
		snprintf(to, room, "%s", python_api.PyBytes_AsString(bytes));
	else
		python_api.PyErr_Clear();
	if (text != NULL)
		python_api.Py_DecRef(text);
	if (bytes != NULL)
		python_api.Py_DecRef(bytes);
	return bytes != NULL;
}

/* the same of an attribute */
static bool
copy_attribute(void *object, const char *name, char *to, size_t room)
{
	void *value = python_api.PyObject_GetAttrString(object, name);
	bool copied = copy_text(value, to, room);

	if (value != NULL)
		python_api.Py_DecRef(value);
	else
		python_api.PyErr_Clear();
	return copied;
}

/* "(64, 1024) (1024, 10)": the shapes of the arguments that have one */
static bool
copy_shapes(void *const *args, size_t n, char to[SHAPES])
{
	size_t used = 0;

	for (size_t i = 0; i < n; i++) {
		char one[SHAPES / 4], *comma;

		if (!copy_attribute(args[i], "shape", one, sizeof(one)) ||
		    used + strlen(one) + 2 > SHAPES)
			continue;
		/* "torch.Size([2, 3])" */
		comma = strchr(one, '[');
		if (comma != NULL && one[strlen(one) - 1] == ')')
			one[strlen(one) - 1] = '\0';
		used += (size_t)snprintf(to + used, SHAPES - used, "%s%s",
		    used > 0 ? " " : "", comma != NULL ? comma : one);
	}
	return used > 0;
}

static void
begin(const struct traced_function *f, void *const *args, size_t n)
{
	char of[NAME], shapes[SHAPES];
	bool has_of = false, has_shapes = false;

	if ((f->flags & FUNCTION_CLASS) && n > 0)
		has_of = copy_attribute(
		    type_of(args[0]), "__name__", of, sizeof(of));
	if (f->flags & FUNCTION_SHAPES)
		has_shapes = copy_shapes(args, n, shapes);
	function_label_begin(
	    f->label, has_of ? of : NULL, has_shapes ? shapes : NULL);
}

/* ---- the type ---- */

/* returns the result of the real one; its range ends */
static void *
end(const struct traced_function *f, void *result)
{
	void *ignored;

	if (f->label != FUNCTION_LABEL_NONE)
		function_label_end(f->label);
	if (result == NULL || f->after == NULL)
		return result;
	ignored = python_api.PyObject_CallFunctionObjArgs(f->after, NULL);
	if (ignored != NULL)
		python_api.Py_DecRef(ignored);
	else
		python_api.PyErr_Clear();
	return result;
}

static void *
on_call(struct traced_function *f, void *args, void *named)
{
	if (f->label != FUNCTION_LABEL_NONE)
		begin(f, (void *const *)((char *)args + PYTHON_TUPLE_ITEMS),
		    (size_t)python_api.PyTuple_Size(args));
	return end(f, python_api.PyObject_Call(f->real, args, named));
}

static void *
on_vectorcall(void *callable, void *const *args, size_t n, void *names)
{
	struct traced_function *f = callable;

	if (f->label != FUNCTION_LABEL_NONE)
		begin(f, args, n & ~PYTHON_ARGUMENTS_OFFSET);
	return end(f, f->real_call(f->real, args, n, names));
}

static void *
on_get(struct traced_function *f, void *instance, void *owner)
{
	(void)owner;
	if (instance != NULL && instance != python_api.none &&
	    (f->flags & FUNCTION_BINDS))
		return python_api.PyMethod_New(f, instance);
	python_api.Py_IncRef(f);
	return f;
}

/* attributes of this object, not of the callable that it replaces */
static void *
on_getattr(struct traced_function *f, void *name)
{
	static const char *const own[] = {
	    "__call__", "__get__", "__reduce__", "__reduce_ex__"};

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (python_api.PyUnicode_CompareWithASCIIString(name, own[i]) ==
		    0)
			return python_api.PyObject_GenericGetAttr(f, name);
	return python_api.PyObject_GetAttr(f->real, name);
}

static int
on_setattr(struct traced_function *f, void *name, void *value)
{
	return python_api.PyObject_SetAttr(f->real, name, value);
}

static void *
on_repr(struct traced_function *f)
{
	return python_api.PyObject_Repr(f->real);
}

/* what pickle looks up again: the name under which this one is found */
static void *
on_reduce(struct traced_function *f, void *ignored)
{
	(void)ignored;
	return python_api.PyObject_GetAttrString(f->real, "__qualname__");
}

bool
traced_function_open(void)
{
	static struct python_method methods[] = {
	    {"__reduce__", (python_function)on_reduce, PYTHON_VARARGS, NULL},
	    {"__reduce_ex__", (python_function)on_reduce, PYTHON_VARARGS, NULL},
	    {0}};
	static struct python_member members[] = {
	    {"__weaklistoffset__", PYTHON_SSIZE,
		offsetof(struct traced_function, weak), PYTHON_READONLY, NULL},
	    {0}};
	static struct python_slot slots[] = {
	    {PYTHON_CALL, {(python_function)on_call}},
	    {PYTHON_GET, {(python_function)on_get}},
	    {PYTHON_GETATTR, {(python_function)on_getattr}},
	    {PYTHON_SETATTR, {(python_function)on_setattr}},
	    {PYTHON_REPR, {(python_function)on_repr}},
	    {PYTHON_METHODS, {.table = methods}},
	    {PYTHON_MEMBERS, {.table = members}}, {0}};
	static struct python_type spec = {"_tq_capture.function",
	    sizeof(struct traced_function), 0, PYTHON_VECTORCALL, slots};
	const intptr_t offset = offsetof(struct traced_function, call);

	if (type == NULL && (type = python_api.PyType_FromSpec(&spec)) != NULL)
		/* 3.8 has no other way to set it */
		memcpy((char *)type + PYTHON_VECTORCALL_OFFSET, &offset,
		    sizeof(offset));
	return type != NULL;
}

/* how a callable is called without a tuple; NULL: it can't be */
static python_vectorcall *
vectorcall_of(const void *callable)
{
	python_vectorcall *call = NULL;
	char *its_type = type_of(callable);
	intptr_t offset;

	if (!(python_api.PyType_GetFlags(its_type) & PYTHON_VECTORCALL))
		return NULL;
	memcpy(&offset, its_type + PYTHON_VECTORCALL_OFFSET, sizeof(offset));
	if (offset > 0)
		memcpy(&call, (const char *)callable + offset, sizeof(call));
	return call;
}

void *
traced_function_new(void *real, void *after, int32_t label, unsigned flags)
{
	struct traced_function *f = python_api.PyType_GenericAlloc(type, 0);

	if (f == NULL)
		return NULL;
	python_api.Py_IncRef(real);
	f->real = real;
	f->label = label;
	f->flags = flags;
	f->real_call = vectorcall_of(real);
	f->call = f->real_call != NULL ? on_vectorcall : NULL;
	if (after != python_api.none) {
		python_api.Py_IncRef(after);
		f->after = after;
	}
	return f;
}
