/* demangle.c - what kernels are called, of all that C++ calls them */

#include <stdlib.h>

#include "lines/demangle.h"
#include "check.h"
#include "tq/base/cpp_name.h"

static const struct {
	const char *full, *base;
} bases[] = {
    {"main", "main"},
    {"kernel(int*)", "kernel"},
    {"void kernel<int>(int*)", "kernel"},
    {"a::b::kernel(int, float)", "kernel"},
    {"void a::b<int>::kernel<float, 3>(a::c<int>)", "kernel"},
    {"(anonymous namespace)::kernel(int)", "kernel"},
    {"void (anonymous namespace)::kernel<int>(int)", "kernel"},
    {"void at::native::vectorized_elementwise_kernel<4, "
     "at::native::FillFunctor<int>, std::array<char*, 1ul> >(int, "
     "at::native::FillFunctor<int>, std::array<char*, 1ul>)",
	"vectorized_elementwise_kernel"},
    {"void kernel<(a > 3)>(int)", "kernel"},
    {"void kernel<((1)>(2)), 3>(int)", "kernel"},
    {"void kernel<a::b(int), (c)1>(int)", "kernel"},
    {"void kernel<&(a::operator>(int))>(int)", "kernel"},
    {"int* kernel<int>(int)", "kernel"},
    {"a<int>& kernel()", "kernel"},
    {"std::vector<int, std::allocator<int> > f(int)", "f"},
    {"a::b() const", "b"},
    {"a::b() const &", "b"},
    {"a::b() const volatile &&", "b"},
    {"kernel(int) [clone .kd]", "kernel"},
    {"kernel(int) [clone .isra.0] [clone .cold]", "kernel"},
    {"a::b<int>(int) const [clone .part.1]", "b"},
    {"a::~a()", "~a"},
    {"a::operator()(int) const", "operator()"},
    {"a::operator()", "operator()"},
    {"void a::operator()<int>(int) const", "operator()"},
    {"a::operator[](int)", "operator[]"},
    {"a::operator->()", "operator->"},
    {"a::operator->*(int)", "operator->*"},
    {"bool operator< <int>(int, int)", "operator<"},
    {"bool operator><int>(int, int)", "operator>"},
    {"a& a::operator<< <b>(b)", "operator<<"},
    {"a::operator*(a const&)", "operator*"},
    {"a::operator&&(a const&)", "operator&&"},
    {"a operator+(a, a)", "operator+"},
    {"a::operator int() const", "operator int"},
    {"a::operator int*()", "operator int*"},
    {"a::operator std::string()", "operator std::string"},
    {"a::operator b<c::d>()", "operator b"},
    {"operator new(unsigned long)", "operator new"},
    {"operator delete[](void*)", "operator delete[]"},
    {"operator\"\" _s(char const*)", "operator\"\" _s"},
    {"my_operator(int)", "my_operator"},
    {"main::{lambda(int)#1}::operator()(int) const", "operator()"},
    {"void run<main::{lambda()#1}>(main::{lambda()#1})", "run"},
    {"a::f(int)::{lambda(int)#2}::operator()<int>(int) const", "operator()"},
    {"a::operator()(int)::local(int)", "local"},
    {"f(int)::g(int)", "g"},
    {"f(void (*)(int))", "f"},
    {"extern_c_kernel", "extern_c_kernel"},
    {"", ""},
    {"(", "("},
    {")", ")"},
    {">", ">"},
    {"<>", "<>"},
    {"::", "::"},
    {"a::", "a::"},
    {" const", " const"},
    {"]]]])))>>>", "]]]])))>>>"},
};

static const struct {
	const char *mangled, *name;
} sources[] = {
    {"_Z6kernelPi", "kernel"},
    {"_Z6kernelIiEvPT_", "kernel"},
    {"_ZN1a1b6kernelEi", "kernel"},
    {"_ZN7cutlass13device_kernelIN", "device_kernel"},
    {"_ZNK1a1bEv", "b"},
    {"_ZL6kernelv", "kernel"},
    {"_ZNSt6vector", "vector"},
    {"_ZN12_GLOBAL__N_16kernelEv", "kernel"},
    {"_Z", ""},
    {"_Z9", ""},
    {"_Z9short", ""},
    {"_Z99999999999999999999x", ""},
    {"_Z0", ""},
    {"_ZN1a", "a"},
    {"kernel", ""},
    {"", ""},
};

/* all brackets, words and ends in all orders, a little deep */
static void
test_any(void)
{
	static const char *const words[] = {"(", ")", "<", ">", "[", "]", "{",
	    "}", "::", " ", "a", "operator", "()", " const", "*", "->"};
	char text[64];

	for (unsigned n = 0; n < 16 * 16 * 16 * 16; n++) {
		struct span base;

		snprintf(text, sizeof(text), "%s%s%s%s", words[n & 15],
		    words[n >> 4 & 15], words[n >> 8 & 15], words[n >> 12]);
		base = cpp_name_base(span_of(text));
		CHECK(base.p >= text && base.len > 0 &&
			  base.p + base.len <= text + strlen(text),
		    "%s", text);
	}
}

/* where this machine has the library */
static void
test_library(void)
{
	char *full = demangle("_ZN1a6kernelIiEEvPT_");

	if (full != NULL) {
		CHECK(
		    strcmp(full, "void a::kernel<int>(int*)") == 0, "%s", full);
		free(full);
	}
	CHECK(demangle("kernel") == NULL, "not mangled");
	CHECK(demangle("_Z") == NULL && demangle("_ZN") == NULL &&
		  demangle("") == NULL,
	    "broken");
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
		struct span s = cpp_name_base(span_of(bases[i].full));

		CHECK(span_eq(s, span_of(bases[i].base)), "%s: %.*s, not %s",
		    bases[i].full, (int)s.len, s.p, bases[i].base);
	}
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		struct span s = demangle_source(span_of(sources[i].mangled));

		CHECK(span_eq(s, span_of(sources[i].name)), "%s: %.*s",
		    sources[i].mangled, (int)s.len, s.p);
	}
	test_any();
	test_library();
	return check_status();
}
