/*
 * copies.cu - copies of each direction, of pageable and pinned memory, and
 * fills
 *
 *	copies [times]
 */

#include <cstring>

#include "gpu.h"

enum { BYTES = 1 << 16 };

int
main(int argc, char *argv[])
{
	long times = argc > 1 ? strtol(argv[1], NULL, 10) : 10;
	char *pageable = (char *)calloc(1, BYTES), *pinned = pageable;
	char *a, *b;
	cudaStream_t stream;

#ifndef FAKE
	CHECK(cudaMallocHost((void **)&pinned, BYTES));
	memset(pinned, 0, BYTES);
#endif
	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaMalloc((void **)&a, BYTES));
	CHECK(cudaMalloc((void **)&b, BYTES));
	for (long i = 0; i < times; i++) {
		CHECK(cudaMemcpy(a, pageable, BYTES, cudaMemcpyHostToDevice));
		CHECK(cudaMemcpyAsync(
		    b, pinned, BYTES, cudaMemcpyHostToDevice, stream));
		CHECK(cudaMemcpyAsync(
		    b, a, BYTES, cudaMemcpyDeviceToDevice, stream));
		CHECK(cudaMemsetAsync(a, 1, BYTES, stream));
		CHECK(cudaMemcpyAsync(
		    pinned, b, BYTES, cudaMemcpyDeviceToHost, stream));
		CHECK(cudaStreamSynchronize(stream));
		CHECK(cudaMemcpy(pageable, a, BYTES, cudaMemcpyDeviceToHost));
	}
	CHECK(cudaFree(a));
	CHECK(cudaFree(b));
	printf("{\"HtoD\":%ld,\"DtoH\":%ld,\"DtoD\":%ld,\"memset\":%ld,"
	       "\"bytes\":%ld}\n",
	    2 * times, 2 * times, times, times, 5 * times * BYTES);
	return 0;
}
