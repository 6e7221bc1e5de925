/*
 * kernel_numbers.h - numbers of the kernel that older C libraries lack: what
 * is built with these runs on newer kernels, too
 */
#ifndef TQ_CAPTURE_KERNEL_NUMBERS_H
#define TQ_CAPTURE_KERNEL_NUMBERS_H

#include <sys/mman.h>
#include <sys/syscall.h>

/* the same on all processors */
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#endif
