/*
 * memory.cu - memory of each sort, taken and given back
 *
 *	memory [times]
 *
 * Prints how many calls took memory, "alloc", and gave it back, "free", and the
 * bytes that went to and from the device.
 */

#include "gpu.h"

enum { BYTES = 1 << 20 };

int
main(int argc, char *argv[])
{
	long times = argc > 1 ? strtol(argv[1], NULL, 10) : 10;
	cudaStream_t stream;
	char *device, *pinned, *pooled, *managed;

	CHECK(cudaStreamCreate(&stream));
	for (long i = 0; i < times; i++) {
		CHECK(cudaMalloc((void **)&device, BYTES));
		CHECK(cudaMallocHost((void **)&pinned, BYTES));
		CHECK(cudaMallocManaged((void **)&managed, BYTES));
		CHECK(cudaMallocAsync((void **)&pooled, BYTES, stream));
		CHECK(cudaMemcpyAsync(pooled, pinned, BYTES,
		    cudaMemcpyHostToDevice, stream));
		CHECK(cudaMemcpyAsync(device, pooled, BYTES,
		    cudaMemcpyDeviceToDevice, stream));
		CHECK(cudaMemcpyAsync(managed, device, BYTES,
		    cudaMemcpyDefault, stream));
		CHECK(cudaFreeAsync(pooled, stream));
		CHECK(cudaStreamSynchronize(stream));
		managed[0]++;
		CHECK(cudaFree(managed));
		CHECK(cudaFreeHost(pinned));
		CHECK(cudaFree(device));
	}
	printf("{\"alloc\":%ld,\"free\":%ld,\"memcpy\":%ld}\n", 4 * times,
	    4 * times, 3 * times);
	return 0;
}
