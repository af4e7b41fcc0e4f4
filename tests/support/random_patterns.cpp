// Steps of random graphs that stand for what programs do, because operations drawn one by one
// hardly ever make them: filters of colour images, interpolation, deposits, decompositions of
// matrices.
#include <array>

#include "graph/node.hpp"
#include "support/library_steps.hpp"
#include "support/random_graph.hpp"

namespace tutti::test {
namespace {

using Kind = Step::Kind;

constexpr int64_t most_elements = 1 << 21;  // of all planes
constexpr int64_t least_image = 2000;       // elements: smaller ones are no chains

}  // namespace

// Planes times an image that was filtered: on CPUs a chain of row blocks that ends with the planes.
int RandomGraph::planes(int a) {
  for (int tries = 0; tries < 6 && shape(a).rank != 2; ++tries) a = any();
  const Extents image = shape(a);
  const int count = 2 + pick(3);
  if (image.rank != 2 || elements(a) < least_image || elements(a) * count > most_elements)
    return stencil(a);
  const ElementType type = chance(70) ? ElementType::f32 : ElementType::f64;
  int filtered = cast(a, type);
  const auto add_expensive = [&] {
    static constexpr std::array functions{Op::sin, Op::exp, Op::pow, Op::tanh};
    const Op function = functions[static_cast<size_t>(pick(4))];
    const int one =
        function == Op::pow ? op(function, {filtered, filtered}) : op(function, {filtered});
    return op(Op::add, {one, filtered});
  };
  for (int stage = 1 + pick(2); stage > 0; --stage) filtered = stencil(add_expensive());
  if (chance(80)) filtered = add_expensive();  // stored, not computed for each plane
  Step colours;
  colours.kind = chance(80) ? Kind::source : Kind::view;
  if (colours.kind == Kind::view) colours.axis = pick(view_layouts);
  colours.type = type;
  colours.numbers = {count, image[0], image[1]};
  colours.seed = random_() % 1000000;
  const int planes = add(std::move(colours));
  Step wide;
  wide.kind = Kind::add_dimension;
  wide.inputs = {filtered};
  wide.numbers = {count};
  const int scale = add(std::move(wide));
  return op(chance(50) ? Op::multiply : Op::max, {planes, scale});
}

// Elements j and j + 1 for a computed j, as interpolation reads them.
int RandomGraph::sampled(int a) {
  if (shape(a).rank == 0 || elements(a) == 0) return unary(a);
  static constexpr std::array types{ElementType::f32, ElementType::f16, ElementType::i32,
                                    ElementType::u16};
  const int table = chance(60) ? cast(a, types[static_cast<size_t>(pick(4))]) : numeric(a);
  const int place = cast(any(), ElementType::i32);
  Step distance;
  distance.kind = Kind::constant;
  distance.type = ElementType::i32;
  distance.fill = chance(70) ? 1 : pick(5) - 2;
  const int next = op(Op::add, {place, add(std::move(distance))});
  Step first;
  first.kind = Kind::gather;
  first.inputs = {table};
  for (int axis = 1; axis < shape(a).rank; ++axis) first.inputs.push_back(place);
  set_rule(first);
  Step second = first;
  first.inputs.push_back(place);
  second.inputs.push_back(next);
  const int left = add(std::move(first)), right = add(std::move(second));
  return op(chance(50) ? Op::add : Op::subtract, {left, right});
}

// Two writes for each element, at places that data decide.
int RandomGraph::deposited(int a) {
  Step base;
  base.kind = Kind::source;
  base.type = type_of(a);
  base.numbers = {1 + pick(chance(50) ? 20 : 3000)};
  base.seed = random_() % 1000000;
  Step step;
  step.kind = Kind::deposit;
  step.axis = pick(6);
  step.inputs = {add(std::move(base)), a, cast(a, ElementType::i32)};
  return add(std::move(step));
}

// Matrices of a few rows, and at times of as many as LAPACK would take.
int RandomGraph::matrices(int a) {
  const Extents from = shape(a);
  if (from.rank < 2 || from.rank > 3 || elements(a) == 0) return unary(a);
  const int64_t least = std::min(from[from.rank - 1], from[from.rank - 2]);
  auto which = static_cast<Decomposition>(pick(static_cast<int>(Decomposition::last) + 1));
  int64_t rows = 1 + pick(7);
  if (which >= Decomposition::singular_values)
    rows = 1 + pick(4);
  else if (least >= 48 && chance(60))
    rows = 48 + pick(4);
  rows = std::min(rows, least);
  Step part;
  part.kind = Kind::section;
  part.inputs = {a};
  for (int axis = 0; axis < from.rank; ++axis) {
    const int64_t count = axis < from.rank - 2 ? std::min<int64_t>(from[axis], 3) : rows;
    part.numbers.insert(part.numbers.end(),
                        {pick(static_cast<int>(from[axis] - count + 1)), count, 1});
  }
  const int square = cast(add(std::move(part)), chance(50) ? ElementType::f32 : ElementType::f64);
  Step step;
  step.kind = Kind::library;
  step.numbers = {static_cast<int64_t>(Library::matrix), static_cast<int64_t>(which)};
  step.inputs = {square};
  if (which == Decomposition::solve) step.inputs.push_back(shifted(square, 1));
  return try_add(std::move(step), a);
}

}  // namespace tutti::test
