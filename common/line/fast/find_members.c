/*
 * find_members.c - the places of quotes, commas and the like in a text
 *
 * A block is 64 bytes, a set of bytes in it a word of 64 bits.  The code for
 * these words is written once, and compiled for each variant together with the
 * code that makes them.
 */

#include <string.h>

#include "tq/line/find_members.h"
#include "tq/base/words.h"

#define INLINE static inline __attribute__((always_inline))

/* keys of a line */
struct classes {
	uint64_t quotes, commas;
	uint64_t odd;  /* not 0: a backslash or a control character */
	uint64_t high; /* not 0: no ASCII, or DEL */
};

/* how a variant makes words, and counts in them */
typedef void classify_block(struct classes *c, const char *p);
typedef uint64_t newlines_block(const char *p);
typedef size_t count_bits(uint64_t bits);

/* the places of the bits, behind base; up to ahead more are written */
typedef void spread_bits(
    uint32_t *at, uint64_t bits, size_t count, uint32_t base);

/* ---- the same for all ---- */

INLINE bool
add_marks(struct member_starts *m, const struct classes *c, uint64_t *comma,
    uint32_t base, count_bits *count_of, spread_bits *spread)
{
	uint64_t bits = c->quotes & (c->commas << 1 | *comma);
	size_t count = count_of(bits);

	*comma = c->commas >> 63;
	m->quotes += count_of(c->quotes);
	m->plain &= c->high == 0;
	if (c->odd != 0 || m->count + count > MARKS_MAX)
		return false;
	spread(m->at + m->count, bits, count, base);
	m->count += count;
	return true;
}

INLINE bool
find_marks(struct member_starts *m, const char *p, size_t len,
    classify_block *classify, count_bits *count_of, spread_bits *spread)
{
	struct classes c;
	uint64_t comma = 0;
	size_t at, left;
	char copy[BLOCK];

	m->count = m->quotes = 0;
	m->plain = true;
	for (at = 0; at + BLOCK <= len; at += BLOCK) {
		classify(&c, p + at);
		if (!add_marks(m, &c, &comma, (uint32_t)at, count_of, spread))
			return false;
	}
	if ((left = len - at) == 0)
		return true;
	/* the last block of the line, without the part that is known */
	if (len < BLOCK) {
		memset(copy, ' ', BLOCK);
		memcpy(copy, p, len);
		classify(&c, copy);
	} else {
		classify(&c, p + len - BLOCK);
		c.quotes >>= BLOCK - left;
		c.commas >>= BLOCK - left;
	}
	return add_marks(m, &c, &comma, (uint32_t)at, count_of, spread);
}

INLINE size_t
find_newlines(uint32_t *to, size_t enough, const char *p, size_t len,
    size_t *done, newlines_block *newlines, count_bits *count_of,
    spread_bits *spread)
{
	size_t n = 0, count, at;
	uint64_t bits;

	for (at = 0; at + BLOCK <= len && n < enough; at += BLOCK) {
		bits = newlines(p + at);
		count = count_of(bits);
		spread(to + n, bits, count, (uint32_t)at);
		n += count;
	}
	*done = at;
	if (at < len && n < enough) {
		bits = newlines(p + at) & (((uint64_t)1 << (len - at)) - 1);
		count = count_of(bits);
		spread(to + n, bits, count, (uint32_t)at);
		n += count;
		*done = len;
	}
	return n;
}

/* ---- for any processor ---- */

/* the bytes of v that are zero, exactly, as the eight lowest bits */
static inline uint64_t
zero_bytes(uint64_t v)
{
	uint64_t hit =
	    ~(((v & ~WORDS_HIGHS) + ~WORDS_HIGHS) | v | ~WORDS_HIGHS);

	return (hit >> 7) * 0x0102040810204080u >> 56;
}

static inline void
classify_plain(struct classes *c, const char *p)
{
	uint64_t v, odd = 0, high = 0;

	c->quotes = c->commas = 0;
	for (size_t i = 0; i < BLOCK; i += 8) {
		memcpy(&v, p + i, 8);
		c->quotes |= zero_bytes(v ^ WORDS_ONES * '"') << i;
		c->commas |= zero_bytes(v ^ WORDS_ONES * ',') << i;
		odd |= words_equal(v, '\\') | words_below(v, ' ');
		high |= v | (v + WORDS_ONES);
	}
	c->odd = odd;
	c->high = high & WORDS_HIGHS;
}

static inline uint64_t
newlines_plain(const char *p)
{
	uint64_t v, bits = 0;

	for (size_t i = 0; i < BLOCK; i += 8) {
		memcpy(&v, p + i, 8);
		bits |= zero_bytes(v ^ WORDS_ONES * '\n') << i;
	}
	return bits;
}

static inline size_t
count_plain(uint64_t bits)
{
	bits -= bits >> 1 & WORDS_ONES * 0x55;
	bits = (bits & WORDS_ONES * 0x33) + (bits >> 2 & WORDS_ONES * 0x33);
	bits = (bits + (bits >> 4)) & WORDS_ONES * 0x0f;
	return (size_t)(bits * WORDS_ONES >> 56);
}

static inline void
spread_plain(uint32_t *at, uint64_t bits, size_t count, uint32_t base)
{
	(void)count;
	for (; bits != 0; bits &= bits - 1)
		*at++ = base + (uint32_t)__builtin_ctzll(bits);
}

static bool
always(void)
{
	return true;
}

static bool
marks_plain(struct member_starts *m, const char *p, size_t len)
{
	return find_marks(m, p, len, classify_plain, count_plain, spread_plain);
}

static size_t
all_newlines_plain(
    uint32_t *at, size_t enough, const char *p, size_t len, size_t *done)
{
	return find_newlines(at, enough, p, len, done, newlines_plain,
	    count_plain, spread_plain);
}

/* ---- for x86-64 ---- */

#ifdef __x86_64__
#include <immintrin.h>

static inline uint64_t
equal_sse2(const __m128i v[4], char c)
{
	const __m128i x = _mm_set1_epi8(c);
	uint64_t bits = 0;

	for (unsigned i = 0; i < 4; i++)
		bits |= (uint64_t)(unsigned)_mm_movemask_epi8(
			    _mm_cmpeq_epi8(v[i], x))
			<< i * 16;
	return bits;
}

static inline void
load_sse2(__m128i v[4], const char *p)
{
	for (size_t i = 0; i < 4; i++)
		v[i] = _mm_loadu_si128((const void *)(p + i * 16));
}

static inline void
classify_sse2(struct classes *c, const char *p)
{
	const __m128i last = _mm_set1_epi8(0x1f), back = _mm_set1_epi8('\\');
	const __m128i one = _mm_set1_epi8(1);
	__m128i v[4], odd = _mm_setzero_si128(), high = odd;

	load_sse2(v, p);
	c->quotes = equal_sse2(v, '"');
	c->commas = equal_sse2(v, ',');
	for (size_t i = 0; i < 4; i++) {
		odd = _mm_or_si128(
		    odd, _mm_or_si128(_mm_cmpeq_epi8(v[i], back),
			     _mm_cmpeq_epi8(_mm_max_epu8(v[i], last), last)));
		high = _mm_or_si128(
		    high, _mm_or_si128(v[i], _mm_add_epi8(v[i], one)));
	}
	c->odd = (uint64_t)(unsigned)_mm_movemask_epi8(odd);
	c->high = (uint64_t)(unsigned)_mm_movemask_epi8(high);
}

static inline uint64_t
newlines_sse2(const char *p)
{
	__m128i v[4];

	load_sse2(v, p);
	return equal_sse2(v, '\n');
}

static bool
marks_sse2(struct member_starts *m, const char *p, size_t len)
{
	return find_marks(m, p, len, classify_sse2, count_plain, spread_plain);
}

static size_t
all_newlines_sse2(
    uint32_t *at, size_t enough, const char *p, size_t len, size_t *done)
{
	return find_newlines(
	    at, enough, p, len, done, newlines_sse2, count_plain, spread_plain);
}

#define AVX2 __attribute__((target("avx2,bmi,popcnt")))

AVX2 static inline uint64_t
bits_avx2(__m256i low, __m256i high)
{
	return (unsigned)_mm256_movemask_epi8(low) |
	       (uint64_t)(unsigned)_mm256_movemask_epi8(high) << 32;
}

AVX2 static inline uint64_t
equal_avx2(const __m256i v[2], char c)
{
	const __m256i x = _mm256_set1_epi8(c);

	return bits_avx2(
	    _mm256_cmpeq_epi8(v[0], x), _mm256_cmpeq_epi8(v[1], x));
}

AVX2 static inline void
load_avx2(__m256i v[2], const char *p)
{
	v[0] = _mm256_loadu_si256((const void *)p);
	v[1] = _mm256_loadu_si256((const void *)(p + 32));
}

AVX2 static inline void
classify_avx2(struct classes *c, const char *p)
{
	const __m256i last = _mm256_set1_epi8(0x1f);
	const __m256i back = _mm256_set1_epi8('\\');
	const __m256i one = _mm256_set1_epi8(1);
	__m256i v[2], odd, high;

	load_avx2(v, p);
	c->quotes = equal_avx2(v, '"');
	c->commas = equal_avx2(v, ',');
	odd = _mm256_or_si256(
	    _mm256_cmpeq_epi8(_mm256_min_epu8(v[0], v[1]),
		_mm256_min_epu8(_mm256_min_epu8(v[0], v[1]), last)),
	    _mm256_or_si256(
		_mm256_cmpeq_epi8(v[0], back), _mm256_cmpeq_epi8(v[1], back)));
	high =
	    _mm256_or_si256(_mm256_or_si256(v[0], _mm256_add_epi8(v[0], one)),
		_mm256_or_si256(v[1], _mm256_add_epi8(v[1], one)));
	c->odd = (unsigned)_mm256_movemask_epi8(odd);
	c->high = (unsigned)_mm256_movemask_epi8(high);
}

AVX2 static inline uint64_t
newlines_avx2(const char *p)
{
	__m256i v[2];

	load_avx2(v, p);
	return equal_avx2(v, '\n');
}

AVX2 static inline size_t
count_avx2(uint64_t bits)
{
	return (size_t)_mm_popcnt_u64(bits);
}

AVX2 static inline uint64_t
put_two_avx2(uint32_t *at, uint64_t bits, uint32_t base)
{
	at[0] = base + (uint32_t)_tzcnt_u64(bits);
	bits = _blsr_u64(bits);
	at[1] = base + (uint32_t)_tzcnt_u64(bits);
	return _blsr_u64(bits);
}

/* six at once, so that how many there are is seldom a surprise */
AVX2 static inline void
spread_avx2(uint32_t *at, uint64_t bits, size_t count, uint32_t base)
{
	for (size_t i = 0; i == 0 || i < count; i += 6) {
		bits = put_two_avx2(at + i, bits, base);
		bits = put_two_avx2(at + i + 2, bits, base);
		bits = put_two_avx2(at + i + 4, bits, base);
	}
}

/* newlines are further apart: seldom is there a second one */
AVX2 static inline void
spread_few_avx2(uint32_t *at, uint64_t bits, size_t count, uint32_t base)
{
	at[0] = base + (uint32_t)_tzcnt_u64(bits);
	for (size_t i = 1; i < count; i++) {
		bits = _blsr_u64(bits);
		at[i] = base + (uint32_t)_tzcnt_u64(bits);
	}
}

AVX2 static bool
marks_avx2(struct member_starts *m, const char *p, size_t len)
{
	return find_marks(m, p, len, classify_avx2, count_avx2, spread_avx2);
}

AVX2 static size_t
all_newlines_avx2(
    uint32_t *at, size_t enough, const char *p, size_t len, size_t *done)
{
	return find_newlines(at, enough, p, len, done, newlines_avx2,
	    count_avx2, spread_few_avx2);
}

static bool
has_avx2(void)
{
	__builtin_cpu_init();
	return __builtin_cpu_supports("avx2") &&
	       __builtin_cpu_supports("bmi") &&
	       __builtin_cpu_supports("popcnt");
}

#define AVX512 \
	__attribute__(( \
	    target("avx512f,avx512bw,avx512vbmi2,avx2,bmi,bmi2,popcnt")))

/* the places of the bits; up to 15 more are written */
AVX512 static inline void
spread_avx512(uint32_t *at, uint64_t bits, size_t count, uint32_t base)
{
	const __m512i places =
	    _mm512_set_epi64(0x3f3e3d3c3b3a3938, 0x3736353433323130,
		0x2f2e2d2c2b2a2928, 0x2726252423222120, 0x1f1e1d1c1b1a1918,
		0x1716151413121110, 0x0f0e0d0c0b0a0908, 0x0706050403020100);
	const __m512i first = _mm512_set1_epi32((int)base);
	__m512i v = _mm512_maskz_compress_epi8(bits, places);

	_mm512_storeu_si512(
	    at, _mm512_add_epi32(
		    first, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(v))));
	if (count > 16)
		_mm512_storeu_si512(at + 16,
		    _mm512_add_epi32(first,
			_mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(v, 1))));
}

AVX512 static bool
marks_avx512(struct member_starts *m, const char *p, size_t len)
{
	uint64_t comma = 0, odd = 0, high = 0;

	m->count = m->quotes = 0;
	for (size_t at = 0; at < len; at += BLOCK) {
		uint64_t all = len - at < BLOCK
				   ? _bzhi_u64(UINT64_MAX, (unsigned)(len - at))
				   : UINT64_MAX;
		__m512i v = _mm512_maskz_loadu_epi8(all, p + at);
		uint64_t quotes =
		    _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('"'));
		uint64_t commas =
		    _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(','));
		uint64_t bits = quotes & (commas << 1 | comma);
		size_t count = (size_t)_mm_popcnt_u64(bits);

		odd |=
		    _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\\')) |
		    _mm512_mask_cmplt_epu8_mask(all, v, _mm512_set1_epi8(' '));
		high |= _mm512_cmpge_epu8_mask(v, _mm512_set1_epi8(0x7f));
		comma = commas >> 63;
		m->quotes += (size_t)_mm_popcnt_u64(quotes);
		spread_avx512(m->at + m->count, bits, count, (uint32_t)at);
		m->count += count;
		if (m->count > MARKS_MAX)
			return false;
	}
	m->plain = high == 0;
	return odd == 0;
}

AVX512 static inline uint64_t
newlines_avx512(const char *p)
{
	return _mm512_cmpeq_epi8_mask(
	    _mm512_loadu_si512(p), _mm512_set1_epi8('\n'));
}

AVX512 static size_t
all_newlines_avx512(
    uint32_t *at, size_t enough, const char *p, size_t len, size_t *done)
{
	return find_newlines(at, enough, p, len, done, newlines_avx512,
	    count_avx2, spread_few_avx2);
}

static bool
has_avx512(void)
{
	return has_avx2() && __builtin_cpu_supports("avx512f") &&
	       __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512vbmi2") &&
	       __builtin_cpu_supports("bmi2");
}

#endif

/* ---- which ---- */

const struct finder find_members_variants[] = {
#ifdef __x86_64__
    {"avx512", has_avx512, marks_avx512, all_newlines_avx512},
    {"avx2", has_avx2, marks_avx2, all_newlines_avx2},
    {"sse2", always, marks_sse2, all_newlines_sse2},
#endif
    {"plain", always, marks_plain, all_newlines_plain},
};

const size_t find_members_variant_count =
    sizeof(find_members_variants) / sizeof(*find_members_variants);

const struct finder *find_members;

__attribute__((constructor)) static void
choose(void)
{
	find_members = find_members_variants;
	while (!find_members->supported())
		find_members++;
}
