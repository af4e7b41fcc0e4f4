// What a random program reads from outside: variables, and arrays of all element types and of one
// to four axes. Arrays are read at indices, at real coordinates and by their extents. change()
// draws other elements, extents and modes: a program reads those that it finds when it runs.
#pragma once
#include <tutti/tutti.hpp>

#include "support/random_values.hpp"

namespace tutti::test {

inline detail::Extents random_extents(Random& random, int rank, int64_t most) {
  detail::Extents result;
  for (int axis = 0; axis < rank; ++axis) result.push_back(random.between(1, most));
  return result;
}

inline Boundary random_boundary(Random& random) {
  switch (random.pick(3)) {
    case 0:
      return Boundary::wrap();
    case 1:
      return Boundary::clamp();
    default:
      return Boundary::constant(detail::number<float>(random.value(ElementType::f32)));
  }
}

class RandomOutside {
 public:
  explicit RandomOutside(Random& random) : table_type_(random.type()), rank_(1 + random.pick(4)) {
    table_->shared = true;
    change(random);
  }

  void change(Random& random) {
    gain_ = detail::number<float>(random.value(ElementType::f32));
    step_ = detail::number<int64_t>(random.value(ElementType::i64));
    assign(random, line_);
    assign(random, pixels_);
    assign(random, colours_);
    assign(random, volume_);
    assign(random, bytes_);
    table_->nodes = {random.array(table_type_, random_extents(random, rank_, rank_ > 2 ? 3 : 7))};
    table_->modes.boundary = random_boundary(random);
  }

  const Value1f& gain() const { return gain_; }
  const Value1l& step() const { return step_; }

  // `index` and `real` return coordinates: a Value1i and a Value1f.
  template <class Index, class Real>
  detail::NodeRef element(Random& random, Index index, Real real) const {
    switch (random.pick(9)) {
      case 0:
        return line_[index()].node(0);
      case 1:
        return line_(real()).node(0);
      case 2:
        return at(pixels_, index).node(0);
      case 3:
        return between(pixels_, real).node(0);
      case 4:
        return at(colours_, index).node(random.pick(3));
      case 5:
        return random.chance(20) ? between(volume_, real).node(0) : at(volume_, index).node(0);
      case 6:
        return between(bytes_, real).node(random.pick(2));
      case 7:
        return extent(random);
      default: {
        std::vector<detail::NodeRef> place;
        for (int axis = 0; axis < rank_; ++axis) place.push_back(index().node(0));
        return detail::record_element(table_, 0, place, table_->modes.boundary, {});
      }
    }
  }

 private:
  detail::NodeRef extent(Random& random) const {
    if (random.chance(50)) return detail::record_extent(table_, random.pick(rank_));
    return detail::extent_of(colours_, random.pick(2), detail::Location()).node(0);
  }

  template <int D, class T, class Index>
  static auto at(const Array<D, T>& array, Index index) {
    Value<D, int32_t> place;
    for (int axis = 0; axis < D; ++axis) place(axis) = index();
    return array[place];
  }
  template <int D, class T, class Real>
  static auto between(const Array<D, T>& array, Real real) {
    Value<D, float> place;
    for (int axis = 0; axis < D; ++axis) place(axis) = real();
    return array(place);
  }

  template <int D, class T>
  static void assign(Random& random, Array<D, T>& array) {
    const detail::Extents shape = random_extents(random, D, D > 2 ? 3 : 7);
    std::array<detail::NodeRef, components<T>> nodes;
    for (detail::NodeRef& node : nodes) node = random.array(element_type<scalar_t<T>>, shape);
    array = Array<D, T>(nodes);
    array.boundary(random_boundary(random));
    if constexpr (detail::kind<scalar_t<T>> == 2)
      array.interpolation(random.chance(50) ? Interpolation::linear : Interpolation::nearest);
  }

  Value1f gain_;
  Value1l step_;
  Array<1, float> line_;
  Array<2, half> pixels_;
  Array<2, Value3f> colours_;
  Array<3, double> volume_;
  Array<2, Value2ub> bytes_;
  ElementType table_type_;
  int rank_;
  detail::ArrayCell table_ = std::make_shared<detail::ArrayState>();
};

}  // namespace tutti::test
