// Direction numbers of Sobol's sequence: S. Joe and F. Y. Kuo, Constructing Sobol sequences with
// better two-dimensional projections, SIAM Journal on Scientific Computing 30, 2008. Their initial
// numbers, new-joe-kuo-6.21201, come under joe_kuo.license.

#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/detail/random/sobol.hpp>
#include <warpfold/random/sobol.hpp>

#include <bit>
#include <cstddef>

// WARPFOLD_JOE_KUO is the path of joe_kuo.bin, which pack_joe_kuo.py writes. The assembler refuses
// a file that is too short.
asm(R"(.pushsection .rodata.joe_kuo, "a", %progbits
.global warpfold_joe_kuo
.hidden warpfold_joe_kuo
.type warpfold_joe_kuo, %object
.size warpfold_joe_kuo, 440000
warpfold_joe_kuo:
.incbin ")" WARPFOLD_JOE_KUO R"(", 0, 440000
.popsection)");

extern "C" [[gnu::visibility("hidden")]] unsigned char const warpfold_joe_kuo[];

namespace warpfold::inline v0::random {
namespace {

/// The file's record of one dimension; pack_joe_kuo.py describes its fields.
constexpr std::size_t record_bytes = 22;
constexpr unsigned polynomial_at = 153;
static_assert(sobol_sequence<host>::max_dimensions * record_bytes == 440'000);

/// `count` bits of a record, from bit `first` on.
std::uint32_t bits_of(unsigned char const* record, unsigned first, unsigned count) {
  unsigned char const* const at = record + first / 8; // no field lies in more than 3 bytes
  std::uint32_t const word = at[0] | std::uint32_t{at[1]} << 8 | std::uint32_t{at[2]} << 16;
  return word >> first % 8 & ((1U << count) - 1);
}

/// Writes the direction numbers of a dimension: the first is point 1 as a fraction of 2^32, the
/// others are of bits 1, 2, ... of Gray's code. The recurrence is that of P. Bratley and B. L. Fox,
/// Algorithm 659, ACM Transactions on Mathematical Software 14, 1988.
void expand(unsigned char const* record, std::uint32_t* directions) {
  constexpr unsigned size = detail::sobol_bits;
  std::uint32_t const polynomial = bits_of(record, polynomial_at, 19);
  unsigned const degree = std::bit_width(polynomial) - 1;
  unsigned const given = degree > 0 ? degree : size; // the first dimension's are powers of two
  for (unsigned j = 0, first = 0; j < given; first += j++) {
    std::uint32_t const initial = j < degree ? bits_of(record, first, j) << 1 | 1 : 1;
    directions[j] = initial << (size - 1 - j);
  }
  for (unsigned j = given; j < size; ++j) {
    std::uint32_t const* const earlier = directions + j - degree;
    std::uint32_t word = earlier[0] >> degree;
    for (auto terms = polynomial ^ 1U << degree; terms != 0; terms &= terms - 1)
      word ^= earlier[std::countr_zero(terms)];
    directions[j] = word;
  }
}

std::vector<std::uint32_t> directions_of(int dimensions) {
  constexpr int most = sobol_sequence<host>::max_dimensions;
  detail::verb const scope("random::sobol_sequence");
  if (dimensions < 1 || dimensions > most)
    detail::refuse("dimensions", dimensions, detail::text("1 to ", most));
  auto const size = static_cast<std::size_t>(dimensions);
  std::vector<std::uint32_t> words(size * detail::sobol_bits);
  for (std::size_t d = 0; d < size; ++d)
    expand(warpfold_joe_kuo + d * record_bytes, words.data() + d * detail::sobol_bits);
  return words;
}

} // namespace

template <>
sobol_sequence<gpu>::sobol_sequence(gpu const& place, int dimensions)
    : dimensions_{dimensions}, table_(place, directions_of(dimensions)) {}

template <>
sobol_sequence<host>::sobol_sequence(host const&, int dimensions)
    : dimensions_{dimensions}, table_(directions_of(dimensions)) {}

} // namespace warpfold::inline v0::random
