// SPDX-License-Identifier: BSD-3-Clause
#ifndef LOGITOPE_INTEROP_XTENSOR_HPP
#define LOGITOPE_INTEROP_XTENSOR_HPP

#if __has_include(<xtensor/containers/xtensor.hpp>)
#include <xtensor/containers/xadapt.hpp>
#include <xtensor/containers/xarray.hpp>
#include <xtensor/containers/xtensor.hpp>
#else
#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xtensor.hpp>
#endif

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "../core/array.hpp"
#include "../core/config.hpp"
#include "../core/info.hpp"

/// @file
/// @brief The one file that knows xtensor: its arrays go into array calls, its arrays come out.
///
/// In: whatever has an address, a shape and strides: xtensor, xarray, fixed ones, strided and transposed views,
/// column-major containers, adaptors. Out: `xt::xtensor` where the rank is a type, `xt::xarray` where it is not,
/// row-major, owning. A lazy expression has no address and is refused by the concept `array_like`; evaluate it where it
/// is made, `softmax(xt::eval(Z * 2.f))`, so that it is computed once.

namespace logitope {
inline namespace v0 {

/// Release of the xtensor headers compiled against, "major.minor.patch".
inline constexpr std::array<int, 3> xtensor_version{XTENSOR_VERSION_MAJOR, XTENSOR_VERSION_MINOR,
                                                    XTENSOR_VERSION_PATCH};

}  // namespace v0

inline namespace LOGITOPE_ABI {
namespace detail {

/// An xtensor expression that lies in memory.
template <class E>
concept xtensor_in_memory = xt::is_xexpression<E>::value && xt::has_data_interface<E>::value && requires(const E& e) {
  e.shape();
  e.strides();
  { e.data_offset() } -> std::convertible_to<std::size_t>;
};

template <class E>
inline constexpr std::size_t xtensor_rank = xt::get_rank<E>::value == SIZE_MAX ? dynamic : xt::get_rank<E>::value;

}  // namespace detail

template <detail::xtensor_in_memory E>
struct array_traits<E> {
  using value_type = std::remove_cv_t<typename E::value_type>;
  static constexpr std::size_t rank = detail::xtensor_rank<E>;

  template <class T, std::size_t Rank>
  using owner = typename std::conditional_t<Rank == dynamic, std::type_identity<xt::xarray<T>>,
                                            std::type_identity<xt::xtensor<T, Rank == dynamic ? 1 : Rank>>>::type;

  template <class T, std::size_t Rank>
  [[nodiscard]] static owner<T, Rank> make(std::span<const std::size_t> shape) {
    if constexpr (Rank == dynamic) {
      return xt::xarray<T>::from_shape(std::vector<std::size_t>(shape.begin(), shape.end()));
    } else {
      std::array<std::size_t, Rank> s{};
      for (std::size_t d = 0; d < Rank; ++d) s[d] = shape[d];
      return xt::xtensor<T, Rank>::from_shape(s);
    }
  }

  [[nodiscard]] static array_view<const value_type> view(const E& a) {
    return describe<const value_type>(a, a.data() + a.data_offset());
  }
  [[nodiscard]] static auto view(E& a) {
    using pointed = std::remove_pointer_t<decltype(a.data())>;
    return describe<pointed>(a, a.data() + a.data_offset());
  }

 private:
  template <class T>
  static array_view<T> describe(const E& a, T* first) {
    array_view<T> v;
    v.data = first;
    v.rank = a.dimension();
    if (v.rank > max_rank) [[unlikely]]
      raise_rank(v.rank);
    for (std::size_t d = 0; d < v.rank; ++d) {
      v.shape[d] = static_cast<std::size_t>(a.shape()[d]);
      v.strides[d] = static_cast<std::ptrdiff_t>(a.strides()[d]);
    }
    return v;
  }
  [[noreturn]] static void raise_rank(std::size_t axes) {
    detail::raise<shape_error>("array: expected at most " + std::to_string(max_rank) + " axes, got " +
                               std::to_string(axes));
  }
};

}  // namespace LOGITOPE_ABI
}  // namespace logitope

#endif
