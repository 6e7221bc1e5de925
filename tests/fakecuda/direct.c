/*
 * direct - a program that knows the driver only, and loads it at run time
 *
 * It makes a context, launches that many kernels, waits, and
 * destroys the context.  Neither libcuda nor libcudart is linked to it.
 */

#include <cuda.h>
#include <dlfcn.h>
#include <err.h>
#include <stdlib.h>

#define STRING(x) #x
#define NAME(x) STRING(x) /* cuCtxCreate is cuCtxCreate_v4, and so on */
#define FIND(function) ((__typeof__(&(function)))find(NAME(function)))

static void *driver;

static void (*find(const char *name))(void)
{
	void (*function)(void);

	*(void **)&function = dlsym(driver, name);
	if (function == NULL)
		errx(1, "no %s", name);
	return function;
}

static void
check(CUresult result)
{
	if (result != CUDA_SUCCESS)
		errx(1, "cuda error %d", (int)result);
}

int
main(int argc, char *argv[])
{
	unsigned long n = argc < 2 ? 1 : strtoul(argv[1], NULL, 10);
	CUfunction function;
	CUcontext context;
	CUmodule module;

	if ((driver = dlopen("libcuda.so.1", RTLD_NOW)) == NULL)
		errx(1, "%s", dlerror());
	check(FIND(cuInit)(0));
	check(FIND(cuCtxCreate)(&context, NULL, 0, 0));
	check(FIND(cuModuleLoadData)(&module, ""));
	check(FIND(cuModuleGetFunction)(&function, module, "direct"));
	for (unsigned long i = 0; i < n; i++)
		check(FIND(cuLaunchKernel)(
		    function, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
	check(FIND(cuCtxSynchronize)());
	check(FIND(cuCtxDestroy)(context));
	return 0;
}
