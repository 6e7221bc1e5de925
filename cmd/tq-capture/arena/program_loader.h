/*
 * program_loader.h - the loader that starts a program, by its file
 */
#ifndef TQ_CAPTURE_PROGRAM_LOADER_H
#define TQ_CAPTURE_PROGRAM_LOADER_H

enum program_loader {
	PROGRAM_LOADER_OTHER, /* of the GNU C library, or unknown */
	PROGRAM_LOADER_MUSL,  /* with our libraries in LD_PRELOAD the program
				 would not start */
	PROGRAM_LOADER_NONE   /* it is linked statically: LD_PRELOAD does
				 nothing */
};

/*
 * The loader of the program in that file, or of the interpreter of that script.
 * Calls the kernel only, also in a child of vfork(2); errno may change.
 */
enum program_loader program_loader_of(const char *path);

#endif
