/*
 * raw.cu - what CUPTI really writes: the activity buffers of some work, as
 * they are, for tests that have no GPU
 *
 *	raw file
 *
 * The file has the version of CUPTI as 4 bytes, then for each buffer 8 bytes
 * for its size and its records.  Pointers in them mean nothing any more.
 */

#include <cstdint>
#include <cupti.h>

#include "gpu.h"

enum { BUFFER = 1 << 16, MOST = 1 << 20, ROUNDS = 20 };

static FILE *file;
static size_t written;

static void CUPTIAPI
request(uint8_t **buffer, size_t *size, size_t *records)
{
	*buffer = (uint8_t *)aligned_alloc(8, BUFFER);
	*size = BUFFER;
	*records = 0;
}

static void CUPTIAPI
complete(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t valid)
{
	uint64_t size = valid;

	if (valid > 0 && written + sizeof(size) + valid < MOST) {
		fwrite(&size, sizeof(size), 1, file);
		fwrite(buffer, 1, valid, file);
		written += sizeof(size) + valid;
	}
	free(buffer);
}

static void
work(void)
{
	static char host[4096];
	cudaStream_t stream;
	char *device;

	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaMalloc((void **)&device, sizeof(host)));
	for (int i = 0; i < ROUNDS; i++) {
		CHECK(cudaMemcpyAsync(device, host, sizeof(host),
		    cudaMemcpyHostToDevice, stream));
		spin<<<2, 32, 0, stream>>>(1000);
		CHECK(cudaMemsetAsync(device, i, sizeof(host), stream));
		CHECK(cudaMemcpyAsync(host, device, sizeof(host),
		    cudaMemcpyDeviceToHost, stream));
		CHECK(cudaStreamSynchronize(stream));
	}
	CHECK(cudaFree(device));
	CHECK(cudaDeviceSynchronize());
}

int
main(int argc, char *argv[])
{
	static const CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_DEVICE,
	    CUPTI_ACTIVITY_KIND_CONTEXT, CUPTI_ACTIVITY_KIND_STREAM,
	    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
	    CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_RUNTIME,
	    CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
	    CUPTI_ACTIVITY_KIND_MEMORY2, CUPTI_ACTIVITY_KIND_OVERHEAD};
	uint32_t version;

	if (argc != 2 || (file = fopen(argv[1], "wb")) == NULL)
		return 2;
	cuptiGetVersion(&version);
	fwrite(&version, sizeof(version), 1, file);
	if (cuptiActivityRegisterCallbacks(request, complete) != CUPTI_SUCCESS)
		return 1;
	for (CUpti_ActivityKind kind : kinds)
		if (cuptiActivityEnable(kind) != CUPTI_SUCCESS)
			fprintf(stderr, "raw: no kind %d\n", (int)kind);
	work();
	cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
	printf("{\"version\":%u,\"bytes\":%zu}\n", version, written);
	return fclose(file) == 0 ? 0 : 1;
}
