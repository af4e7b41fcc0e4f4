// Steps of random graphs beyond the kinds of nodes themselves: order within vectors, user-defined
// operators, programs with control flow, and functions of the library that are made of many nodes.
#include <array>
#include <cmath>
#include <numeric>

#include "graph/node.hpp"
#include "support/library_steps.hpp"
#include "support/random_graph.hpp"

namespace tutti::test {
namespace {

using Kind = Step::Kind;

// Sorting networks of the interpreter and transforms by definition take long beyond this.
constexpr int64_t most_elements = 20000;

}  // namespace

// Where the segments of a vector begin.
int RandomGraph::offsets(int64_t elements) {
  return add({.kind = Kind::offsets,
              .numbers = {1 + pick(chance(50) ? 8 : 60), elements},
              .seed = random_() % 1000000});
}

// Permutations, searches and the greatest elements, of whole vectors and of segments.
int RandomGraph::ordering(int a) {
  const int keys = flat(a);
  const int64_t count = elements(keys);
  Step step;
  step.axis = pick(2);
  switch (pick(5)) {
    case 0:
      step.kind = Kind::sort_permutation;
      step.inputs = {keys};
      if (chance(50)) step.inputs.push_back(offsets(count));
      return add(std::move(step));
    case 1:
      step.kind = Kind::sort;
      step.inputs = {keys, chance(50) ? keys : shifted(keys, 2), offsets(count)};
      return add(std::move(step));
    case 2: {
      const int sorted = add({.kind = Kind::sort, .inputs = {keys, keys}});
      const int queries = cast(any(), type_of(keys));
      step.kind = Kind::search;
      step.inputs = {sorted, queries};
      return add(std::move(step));
    }
    case 3:
      step.kind = Kind::top_k;
      step.inputs = {keys};
      step.numbers = {pick(static_cast<int>(std::min<int64_t>(count, 300)) + 1)};
      return add(std::move(step));
    default:
      return add({.kind = Kind::element_segments, .inputs = {offsets(count)}, .numbers = {count}});
  }
}

// Reductions and scans by operators without a name, and programs with control flow.
int RandomGraph::user_defined(int a) {
  const int from = numeric(a);
  if (chance(20)) return deposited(from);
  if (chance(50)) {
    Step step;
    step.kind = Kind::program;
    step.axis = pick(element_programs);
    step.rule = static_cast<Boundary::Kind>(pick(3));
    step.inputs = {from, partner(from)};
    return add(std::move(step));
  }
  if (shape(from).rank == 0 || elements(from) == 0 || elements(from) > most_elements)
    return unary(a);
  Step step;
  step.numbers = {pick(user_operators)};
  switch (pick(3)) {
    case 0:
      step.kind = Kind::fold;
      step.inputs = {from};
      for (int axis = 0; axis < shape(from).rank; ++axis)
        if (chance(50)) step.numbers.push_back(axis);
      if (step.numbers.size() == 1) step.numbers.push_back(pick(shape(from).rank));
      return add(std::move(step));
    case 1:
      step.kind = Kind::user_scan;
      step.inputs = {from};
      if (shape(from).rank == 1 && chance(40)) step.inputs.push_back(offsets(elements(from)));
      return add(std::move(step));
    default: {
      const int vector = flat(from);
      step.kind = Kind::user_segments;
      step.inputs = {vector, offsets(elements(vector))};
      step.fill = number();
      return add(std::move(step));
    }
  }
}

// Along an axis: sorted, scanned, summarised, transformed.
int RandomGraph::library(int a) {
  if (shape(a).rank == 0 || elements(a) == 0 || elements(a) > most_elements) return unary(a);
  if (chance(10)) return matrices(a);
  Step step;
  step.kind = Kind::library;
  step.axis = pick(shape(a).rank);
  const auto function = static_cast<Library>(pick(static_cast<int>(Library::matrix)));
  step.numbers = {static_cast<int64_t>(function)};
  step.inputs = {library_input(a, function)};
  const int from = step.inputs[0];
  const int64_t length = shape(from)[step.axis];
  const auto argument = [&](int64_t number) { step.numbers.push_back(number); };
  switch (function) {
    case Library::scan:
      step.reduction = any_reduction(type_of(from));
      argument(pick(2));
      break;
    case Library::position:
    case Library::extreme:
      step.reduction = chance(50) ? Reduction::max : Reduction::min;
      argument(pick(2));
      break;
    case Library::top:
      argument(pick(static_cast<int>(length) + 1));
      argument(pick(2));
      argument(pick(2));
      break;
    case Library::take: {
      Step order{.kind = Kind::library, .inputs = {from}, .axis = step.axis};
      order.numbers = {static_cast<int64_t>(Library::arg_sort), pick(2)};
      step.inputs.push_back(add(std::move(order)));
      break;
    }
    case Library::norm:
      step.fill = std::array{1.0, 2.0, 3.0, double(INFINITY)}[static_cast<size_t>(pick(4))];
      break;
    case Library::quantile:
      step.fill = pick(9) / 8.0;
      break;
    case Library::histogram:
      argument(1 + pick(40));
      break;
    case Library::matmul:
      step.inputs.push_back(with_last_axes_exchanged(from));
      break;
    case Library::fft:
      step.inputs.push_back(shifted(from, 1));
      argument(pick(2));
      argument(pick(2));
      break;
    case Library::complex:
      step.inputs.push_back(shifted(from, 1));
      argument(pick(static_cast<int>(detail::ComplexFunction::sign) + 1));
      argument(pick(2));
      break;
    case Library::quotient:
      step.inputs.push_back(shifted(from, 1));
      argument(pick(2));
      break;
    case Library::inverse_fft:
      step.inputs.push_back(shifted(from, 1));
      argument(2 * length - 1 - pick(2));
      break;
    default:
      argument(pick(3));
      argument(pick(2));
      break;
  }
  return try_add(std::move(step), a);
}

int RandomGraph::with_last_axes_exchanged(int a) {
  std::vector<int64_t> axes(static_cast<size_t>(shape(a).rank));
  std::iota(axes.begin(), axes.end(), 0);
  if (axes.size() < 2) return a;
  std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
  return add(Kind::transpose, {a}, axes);
}

// What a function takes: numbers, of a floating type for transforms, matrices for products.
int RandomGraph::library_input(int a, Library function) {
  switch (function) {
    case Library::sort:
    case Library::arg_sort:
    case Library::take:
    case Library::top:
      return a;
    case Library::fft:
    case Library::real_fft:
    case Library::inverse_fft:
    case Library::complex:
    case Library::quotient:
      return cast(a, chance(50) ? ElementType::f32 : ElementType::f64);
    case Library::histogram:
    case Library::quantile:
      return is_floating(type_of(a)) ? a : cast(a, ElementType::f32);
    default:
      return numeric(a);
  }
}

// Some functions want more axes or elements than there are.
int RandomGraph::try_add(Step step, int otherwise) {
  try {
    return add(std::move(step));
  } catch (const ShapeError&) {
    return unary(otherwise);
  }
}

}  // namespace tutti::test
