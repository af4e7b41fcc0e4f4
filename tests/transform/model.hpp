// The meaning of transformations, in plain C++ and independent of the library: a host array of any
// rank. Each transformation is a function from the coordinates of the result to an element.
#pragma once
#include <tutti/tutti.hpp>

#include <functional>
#include <vector>

#include "support/compare.hpp"
#include "support/values.hpp"

namespace tutti::test {

using Coordinates = std::vector<int64_t>;

template <class T>
struct Model {
  Coordinates shape;
  std::vector<T> data;

  T at(const Coordinates& c) const {
    int64_t position = 0;
    for (size_t k = 0; k < shape.size(); ++k) position = position * shape[k] + c[k];
    return data[static_cast<size_t>(position)];
  }
};

template <class T, class F>
Model<T> make(const Coordinates& shape, F element) {
  Model<T> result{shape, {}};
  int64_t size = 1;
  for (int64_t n : shape) size *= n;
  for (int64_t i = 0; i < size; ++i) {
    Coordinates c(shape.size());
    int64_t rest = i;
    for (size_t k = shape.size(); k-- > 0; rest /= shape[k]) c[k] = rest % shape[k];
    result.data.push_back(element(c));
  }
  return result;
}

// The element that a boundary rule finds at any coordinates.
template <class T>
T look_up(const Model<T>& m, Coordinates c, Boundary::Kind rule, T fill) {
  for (size_t k = 0; k < c.size(); ++k) {
    const int64_t n = m.shape[k];
    if (c[k] >= 0 && c[k] < n) continue;
    if (rule == Boundary::Kind::constant) return fill;
    c[k] = rule == Boundary::Kind::wrap ? ((c[k] % n) + n) % n : c[k] < 0 ? 0 : n - 1;
  }
  return m.at(c);
}

namespace model {

template <class T>
Model<T> shift(const Model<T>& m, const Coordinates& by, Boundary::Kind rule, T fill) {
  return make<T>(m.shape, [&](Coordinates c) {
    for (size_t k = 0; k < c.size(); ++k) c[k] -= by[k];
    return look_up(m, c, rule, fill);
  });
}
template <class T>
Model<T> expand(const Model<T>& m, const std::vector<Margin>& margins, Boundary::Kind rule,
                T fill) {
  Coordinates shape = m.shape;
  for (size_t k = 0; k < shape.size(); ++k) shape[k] += margins[k].before + margins[k].after;
  return make<T>(shape, [&](Coordinates c) {
    for (size_t k = 0; k < c.size(); ++k) c[k] -= margins[k].before;
    return look_up(m, c, rule, fill);
  });
}
template <class T>
Model<T> section(const Model<T>& m, const std::vector<Range>& ranges) {
  Coordinates shape;
  for (const Range& r : ranges) shape.push_back(r.count);
  return make<T>(shape, [&](Coordinates c) {
    for (size_t k = 0; k < c.size(); ++k) c[k] = ranges[k].begin + ranges[k].stride * c[k];
    return m.at(c);
  });
}
template <class T>
Model<T> replicate(const Model<T>& m, const Coordinates& shape) {
  return make<T>(shape, [&](Coordinates c) {
    for (size_t k = 0; k < c.size(); ++k) c[k] %= m.shape[k];
    return m.at(c);
  });
}
template <class T>
Model<T> transpose(const Model<T>& m, const Coordinates& axes) {
  Coordinates shape;
  for (int64_t axis : axes) shape.push_back(m.shape[static_cast<size_t>(axis)]);
  return make<T>(shape, [&](const Coordinates& c) {
    Coordinates from(c.size());
    for (size_t k = 0; k < c.size(); ++k) from[static_cast<size_t>(axes[k])] = c[k];
    return m.at(from);
  });
}
template <class T>
Model<T> drop_dimension(const Model<T>& m, int axis) {
  Coordinates shape = m.shape;
  shape.erase(shape.begin() + axis);
  return make<T>(shape, [&](Coordinates c) {
    c.insert(c.begin() + axis, 0);
    return m.at(c);
  });
}
template <class T>
Model<T> add_dimension(const Model<T>& m, int axis, int64_t extent) {
  Coordinates shape = m.shape;
  shape.insert(shape.begin() + axis, extent);
  return make<T>(shape, [&](Coordinates c) {
    c.erase(c.begin() + axis);
    return m.at(c);
  });
}
template <class T>
Model<T> broadcast(const Model<T>& m, const Coordinates& shape) {
  return make<T>(shape, [&](Coordinates c) {
    c.erase(c.begin(), c.end() - static_cast<std::ptrdiff_t>(m.shape.size()));
    for (size_t k = 0; k < c.size(); ++k)
      if (m.shape[k] == 1) c[k] = 0;
    return m.at(c);
  });
}

}  // namespace model

template <int D>
Coordinates to_coordinates(const Shape<D>& shape) {
  return Coordinates(shape.begin(), shape.end());
}
template <int D>
Shape<D> to_shape(const Coordinates& c) {
  Shape<D> shape;
  for (int k = 0; k < D; ++k) shape[k] = c[static_cast<size_t>(k)];
  return shape;
}

template <int D, class T>
Model<T> plain_model(const Shape<D>& shape) {
  return {to_coordinates(shape), plain<T>(shape.size())};
}

// The library agrees with the model, compiled and interpreted.
template <class Build, class T>
void expect_model(Build build, const Model<T>& want, const Location& where = Location::current()) {
  const auto shape = build().shape();
  EXPECT_EQ(to_coordinates(shape), want.shape);
  if (to_coordinates(shape) == want.shape) expect_values(build, want.data, where);
}

// Shapes of each rank whose last axis lies around the vector width, or is short, or is 1.
template <int D>
std::vector<Shape<D>> shapes() {
  if constexpr (D == 1) return {{1}, {3}, {15}, {16}, {17}, {18}, {33}, {100}};
  if constexpr (D == 2) return {{1, 1}, {3, 17}, {16, 1}, {5, 33}, {18, 15}};
  if constexpr (D == 3) return {{2, 3, 17}, {1, 18, 1}, {4, 1, 33}};
  if constexpr (D == 4) return {{2, 3, 2, 17}, {1, 2, 1, 16}, {2, 1, 3, 5}};
}

// Calls f with std::integral_constant<int, D> for D = 1 to 4.
template <class F>
void for_each_rank(F f) {
  f(std::integral_constant<int, 1>{});
  f(std::integral_constant<int, 2>{});
  f(std::integral_constant<int, 3>{});
  f(std::integral_constant<int, 4>{});
}

// The three rules, with a fill that no element has.
template <class T>
struct Rule {
  Boundary boundary;
  const char* name;
  T fill;
};
template <class T>
std::vector<Rule<T>> rules() {
  const T fill = static_cast<T>(std::is_same_v<T, bool> ? 1.0f : 103.0f);
  return {{Boundary::clamp(), "clamp", fill},
          {Boundary::wrap(), "wrap", fill},
          {Boundary::constant(fill), "constant", fill}};
}

template <int D, class T>
std::string shape_text(const Array<D, T>& a, const char* what = "") {
  return std::string(name(element_type<T>)) + " " + detail::to_string(a.shape().extents()) + " " +
         what;
}

}  // namespace tutti::test
