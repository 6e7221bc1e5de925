/*
 * graph.cu - a graph of kernels, launched often
 *
 *	graph [launches [kernels]]
 */

#include "gpu.h"

int
main(int argc, char *argv[])
{
	long launches = argc > 1 ? strtol(argv[1], NULL, 10) : 100;
	long kernels = argc > 2 ? strtol(argv[2], NULL, 10) : 5;
	cudaStream_t stream;
	cudaGraph_t graph;
	cudaGraphExec_t exec;

	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	for (long i = 0; i < kernels; i++)
		spin<<<1, 1, 0, stream>>>(1000);
	CHECK(cudaStreamEndCapture(stream, &graph));
	CHECK(cudaGraphInstantiate(&exec, graph, 0));
	for (long i = 0; i < launches; i++)
		CHECK(cudaGraphLaunch(exec, stream));
	CHECK(cudaStreamSynchronize(stream));
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphDestroy(graph));
	printf(
	    "{\"graph\":%ld,\"kernel\":%ld}\n", launches, launches * kernels);
	return 0;
}
