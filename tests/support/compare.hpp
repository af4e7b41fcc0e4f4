// expect_same(build): the compiled kernels compute what the reference interpreter does, to the bit,
// on 1, 2 and 5 threads. `build` makes the array anew each time it is called, from arrays that are
// already in memory: a pending array would be computed once and then only read.
// NaN equals NaN whatever its payload; -0 and +0 differ; a bool is the byte 0 or 1.
#pragma once
#include <gtest/gtest.h>
#include <tutti/tutti.hpp>

#include <functional>
#include <source_location>
#include <span>
#include <string>
#include <vector>

namespace tutti::test {

// Settings that hold as long as the object lives: const WithSettings s([](auto& s) { s.threads = 1;
// });
class WithSettings {
 public:
  template <class Change>
  explicit WithSettings(Change change) : before_(settings()) {
    Settings changed = before_;
    change(changed);
    set_settings(changed);
  }
  ~WithSettings() { set_settings(before_); }
  WithSettings(const WithSettings&) = delete;
  WithSettings& operator=(const WithSettings&) = delete;

 private:
  Settings before_;
};

// The elements of an array as they lie in memory, a list of bytes for each component.
struct Elements {
  ElementType type{};
  detail::Extents shape;
  std::vector<std::vector<unsigned char>> components;

  ScalarValue at(int component, int64_t i) const;
};

Elements read(std::span<const detail::NodeRef> nodes, ElementType type);

template <int D, class T>
Elements read(const Array<D, T>& array) {
  return read(array.nodes(), element_type<scalar_t<T>>);
}
Elements read(const detail::NodeRef& node);

// The same elements from the host: what a plain C++ program computed.
template <int D, class Range>
Elements elements(const Range& values, const Shape<D>& shape) {
  using T = std::ranges::range_value_t<Range>;
  Elements result{element_type<scalar_t<T>>, shape.extents(), {}};
  result.components.resize(components<T>);
  for (const T& value : values)
    for (int c = 0; c < components<T>; ++c) {
      const ScalarValue scalar = scalar_value(detail::Element<T>::get(value, c));
      const auto* bytes = reinterpret_cast<const unsigned char*>(&scalar.bits);
      result.components[c].insert(result.components[c].end(), bytes, bytes + size_of(scalar.type));
    }
  return result;
}

std::string text_of(ScalarValue value);
bool same_number(ScalarValue a, ScalarValue b);

// Says where and how two results first differ.
testing::AssertionResult same(const Elements& want, const Elements& got);

using Location = std::source_location;
void expect_same_elements(const std::function<Elements()>& build, const Elements* want,
                          const Location& where);

template <class Build>
void expect_same(Build build, const Location& where = Location::current()) {
  expect_same_elements([&] { return read(build()); }, nullptr, where);
}

// The same, and the elements are these.
template <class Build, class Range>
void expect_values(Build build, const Range& want, const Location& where = Location::current()) {
  const Elements known = elements(want, build().shape());
  expect_same_elements([&] { return read(build()); }, &known, where);
}

}  // namespace tutti::test
