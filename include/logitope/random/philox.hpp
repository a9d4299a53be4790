// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_RANDOM_PHILOX_HPP
#define LOGITOPE_RANDOM_PHILOX_HPP

#include <Random123/philox.h>

#include <cstddef>
#include <cstdint>
#include <limits>

#include "../core/config.hpp"
#include "../core/uniform_source.hpp"

/// @file
/// @brief Random bits that depend on (seed, stream, index) alone.
///
/// Random123's own headers throw, which g++ -fno-exceptions refuses: such builds define R123_USE_SSE=0 and
/// R123_THROW(x)=__builtin_abort() for the whole program, which changes no draw.

namespace logitope {
inline namespace LOGITOPE_ABI {

/// @brief Philox4x64-10 keyed by (seed, stream): the same draw for any thread count; models `uniform_source`.
/// Each (seed, stream) has 2^64 draws, after which it starts again.
/// @par Cost one block of ten rounds for four draws, no allocation
/// @par Accuracy the known answers of Random123, in tests/random/philox.cpp
/// @par Source Salmon et al. 2011, doi 10.1145/2063384.2063405
class philox {
 public:
  using result_type = std::uint64_t;

  explicit philox(std::uint64_t seed, std::uint64_t stream = 0) noexcept : key_{{seed, stream}} {}

  static constexpr result_type(min)() noexcept { return 0; }
  static constexpr result_type(max)() noexcept { return (std::numeric_limits<result_type>::max)(); }

  /// The next 64 bits; draw n is word n mod 4 of block n / 4.
  [[nodiscard]] result_type operator()() noexcept {
    const std::size_t word = index_ % 4;
    if (word == 0 || !fresh_) {
      block_ = r123::Philox4x64{}({{index_ / 4, 0, 0, 0}}, key_);
      fresh_ = true;
    }
    ++index_;
    return block_[word];
  }

  /// Passes over n draws in constant time.
  void skip(std::uint64_t n) noexcept {
    index_ += n;
    fresh_ = false;
  }

 private:
  r123::Philox4x64::key_type key_;
  r123::Philox4x64::ctr_type block_{};
  std::uint64_t index_ = 0;
  bool fresh_ = false;
};

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
