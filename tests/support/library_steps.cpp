#include "support/library_steps.hpp"

#include <algorithm>

#include "core/elements/convert.hpp"
#include "graph/node.hpp"

namespace tutti::test {
namespace {

constexpr std::source_location nowhere{};

// Where element 0 lies and how far neighbours along each axis are apart.
struct Layout {
  int64_t first = 0;
  std::array<int64_t, max_rank> strides{};
};

Layout layout_of(const Extents& shape, int which) {
  Layout layout;
  // In row-major order, unless the last axis is the slowest (1), with gaps behind rows (3), with
  // every other element (4).
  int64_t step = which == 4 ? 2 : 1;
  for (int k = 0; k < shape.rank; ++k) {
    const int axis = which == 1 ? k : shape.rank - 1 - k;
    layout.strides[static_cast<size_t>(axis)] = step;
    step *= shape[axis];
    if (which == 3 && k == 0) step += 5;
  }
  layout.first = 1;  // not aligned to a vector
  if (which == 2)    // backwards
    for (int axis = 0; axis < shape.rank; ++axis) {
      int64_t& stride = layout.strides[static_cast<size_t>(axis)];
      layout.first += stride * std::max<int64_t>(0, shape[axis] - 1);
      stride = -stride;
    }
  if (which == 5 && shape.rank > 0) layout.strides[0] = 0;
  return layout;
}

}  // namespace

NodeRef view_step(const Step& step) {
  detail::ForeignMemory memory;
  for (int64_t n : step.numbers) memory.shape.push_back(n);
  const Layout layout = layout_of(memory.shape, step.axis);
  int64_t last = layout.first;
  for (int axis = 0; axis < memory.shape.rank; ++axis)
    last += std::max<int64_t>(0, layout.strides[static_cast<size_t>(axis)]) *
            std::max<int64_t>(0, memory.shape[axis] - 1);
  const auto bytes =
      std::make_shared<std::vector<std::byte>>(test_elements(step.type, last + 1, step.seed));
  memory.type = step.type;
  memory.data = bytes->data() + layout.first * size_of(step.type);
  memory.strides = layout.strides;
  memory.owner = bytes;
  return detail::view(memory, nowhere);
}

namespace {

NodeRef decomposed(Decomposition which, const std::vector<NodeRef>& inputs) {
  const NodeRef& a = inputs.at(0);
  switch (which) {
    case Decomposition::cholesky:
      return detail::cholesky(a, nowhere);
    case Decomposition::lu:
      return detail::lu(a, nowhere).factors;
    case Decomposition::permutation:
      return detail::lu(a, nowhere).permutation;
    case Decomposition::solve:
      return detail::solve(a, inputs.at(1), nowhere);
    case Decomposition::determinant:
      return detail::determinant(a, nowhere);
    case Decomposition::triangle:
      return detail::qr(a, false, nowhere).r;
    case Decomposition::singular_values:
      return detail::svd(a, false, nowhere).s;
    case Decomposition::eigenvalues:
      return detail::eigh(a, nowhere).values;
  }
  throw InternalError("library_step: an unknown decomposition");
}

}  // namespace

NodeRef library_step(const Step& step, const std::vector<NodeRef>& inputs) {
  const auto& n = step.numbers;
  const NodeRef& a = inputs.at(0);
  const int axis = step.axis, axes[] = {axis};
  const auto pick = [](const detail::ComplexNodes& z, int64_t imaginary) {
    return imaginary ? z.imag : z.real;
  };
  switch (static_cast<Library>(n.at(0))) {
    case Library::scan:
      return detail::scan_along(step.reduction, a, axis, n.at(1) != 0, nowhere);
    case Library::sort:
      return detail::sort_along(a, axis, n.at(1) != 0, nowhere);
    case Library::arg_sort:
      return detail::arg_sort_along(a, axis, n.at(1) != 0, nowhere);
    case Library::extreme: {
      const auto [at, element] = detail::extreme_along(step.reduction, a, axis, nowhere);
      return n.at(1) ? element : at;
    }
    case Library::top: {
      const auto [elements, at] = detail::top_along(a, n.at(1), axis, n.at(2) != 0, nowhere);
      return n.at(3) ? at : elements;
    }
    case Library::take:
      return detail::take_along(a, inputs.at(1), axis, nowhere);
    case Library::mean:
      return detail::mean(a, axes, nowhere);
    case Library::variance:
      return detail::variance(a, axes, static_cast<double>(n.at(1)), nowhere);
    case Library::norm:
      return detail::norm(a, axes, step.fill, nowhere);
    case Library::quantile:
      return detail::quantile(a, step.fill, axis, nowhere);
    case Library::differences:
      return detail::differences(a, axis, static_cast<int>(n.at(1)), nowhere);
    case Library::histogram:
      return detail::histogram(a, n.at(1), -10, 50, nowhere);
    case Library::triangle:
      return detail::triangle(a, n.at(1), n.at(2) != 0, nowhere);
    case Library::diagonal:
      return detail::diagonal(a, n.at(1), nowhere);
    case Library::matmul:
      return detail::matmul(a, inputs.at(1), nowhere);
    case Library::fft:
      return pick(detail::fft({a, inputs.at(1)}, axis, n.at(1) != 0, nowhere), n.at(2));
    case Library::real_fft:
      return pick(detail::real_fft(a, axis, nowhere), n.at(1));
    case Library::inverse_fft:
      return detail::inverse_real_fft({a, inputs.at(1)}, n.at(1), axis, nowhere);
    case Library::complex: {
      const auto function = static_cast<detail::ComplexFunction>(n.at(1));
      return pick(detail::apply(function, {a, inputs.at(1)}, nowhere), n.at(2));
    }
    case Library::quotient:
      return pick(detail::complex_divide({a, inputs.at(1)}, {inputs.at(1), a}, nowhere), n.at(1));
    case Library::matrix:
      return decomposed(static_cast<Decomposition>(n.at(1)), inputs);
    case Library::position:
      return detail::extreme_position(step.reduction, a, axes, nowhere);
  }
  throw InternalError("library_step: an unknown function");
}

detail::ProgramHandle user_operator(ElementType type, int which) {
  return visit_type(type, [&](auto tag) -> detail::ProgramHandle {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, bool>) {
      throw TypeError("user_operator: of flags");
    } else {
      using V = Value<1, T>;
      const auto combine = [which](V a, V b) -> V {
        if (which == 0) return a + b + a * b;
        if (which == 1) return cond(a < b, b, a);
        V result = b;
        TUTTI_IF(a > b) { result = a - b; }
        TUTTI_ENDIF;
        return result;
      };
      return detail::operator_program<T>(combine, nowhere).handle();
    }
  });
}

namespace {

// What happens to one element: loops and branches that depend on it, a local array, a table.
template <class T>
Value<1, T> element_program(int which, Value<1, T> x, Value<1, T> y, const Array<1, float>& table) {
  using V = Value<1, T>;
  V result = x;
  if (which == 0) {
    Value1i steps = 0;
    TUTTI_WHILE(steps < 6 && result > y) {
      result = result / T(2.0f);
      steps += 1;
    }
    TUTTI_ENDWHILE;
  } else if (which == 1) {
    TUTTI_IF(x < y) { result = x + y; }
    TUTTI_ELSEIF(x == y) { result = y * y; }
    TUTTI_ELSE { result = x - y; }
    TUTTI_ENDIF;
  } else if (which == 2) {
    LocalArray<T> sorted(4);
    const V values[] = {x, y, x + y, x - y};
    for (int i = 0; i < 4; ++i) {
      Value1i k = i;
      TUTTI_WHILE(k > 0 && sorted[k - 1] > values[i]) {
        sorted[k] = sorted[k - 1];
        k -= 1;
      }
      TUTTI_ENDWHILE;
      sorted[k] = values[i];
    }
    result = sorted[1] + sorted[2];
  } else if (which == 4) {
    const Value1i length = extent(table, 0);
    TUTTI_IF(Value1i(x) < length) { result = V(length) + y; }
    TUTTI_ENDIF;
  } else {
    TUTTI_FOR(Value1i k = 0, k < 3, k += 1) {
      const Value1i at = Value1i(x) + k;
      TUTTI_IF(at == 5) { TUTTI_BREAK; }
      TUTTI_ENDIF;
      result += V(table[at]);
    }
    TUTTI_ENDFOR;
  }
  return result;
}

}  // namespace

NodeRef deposit_step(const Step& step, const std::vector<NodeRef>& inputs) {
  return visit_type(inputs.at(0)->type, [&](auto tag) -> NodeRef {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, bool>) {
      throw TypeError("deposit_step: of flags");
    } else {
      using V = Value<1, T>;
      const Program p = detail::capture_program(nowhere, [&] {
        In<V> x;
        In<Value1i> place;
        Write<1, T> always, sometimes;
        always(place, x);
        TUTTI_IF(x > V(T(0))) { sometimes(place + 1, x * x); }
        TUTTI_ENDIF;
      });
      std::vector<detail::Argument> arguments(2);
      for (size_t i = 0; i < 2; ++i) arguments[i].nodes = {inputs.at(i + 1)};
      const Array<1, T> base(inputs.at(0));
      return scatter(base, Bundle(Program(detail::bind(p.handle(), arguments))),
                     static_cast<Collision>(step.axis))
          .node();
    }
  });
}

NodeRef program_step(const Step& step, const std::vector<NodeRef>& inputs) {
  return visit_type(inputs.at(0)->type, [&](auto tag) -> NodeRef {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, bool>) {
      throw TypeError("program_step: of flags");
    } else {
      Array<1, float> table(std::vector<float>{0, 1.5f, -2, 3, 100, 7, -0.0f});
      table.boundary(step.rule == Boundary::Kind::wrap ? Boundary::wrap() : Boundary::clamp());
      const Program p = program(
          [&](Value<1, T> x, Value<1, T> y) { return element_program<T>(step.axis, x, y, table); });
      std::vector<detail::Argument> arguments(2);
      for (size_t i = 0; i < 2; ++i) arguments[i].nodes = {inputs.at(i)};
      return Bundle(Program(detail::bind(p.handle(), arguments))).nodes()[0];
    }
  });
}

}  // namespace tutti::test
