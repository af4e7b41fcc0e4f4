#include "support/compare.hpp"

#include <cstring>

#include "core/elements/convert.hpp"
#include "graph/node.hpp"

namespace tutti::test {

ScalarValue Elements::at(int component, int64_t i) const {
  ScalarValue value{type, 0};
  const auto size = static_cast<size_t>(size_of(type));
  std::memcpy(&value.bits, components[component].data() + static_cast<size_t>(i) * size, size);
  return value;
}

Elements read(std::span<const detail::NodeRef> nodes, ElementType type) {
  detail::evaluate(nodes);
  Elements result{type, detail::shape_of(nodes[0], "read"), {}};
  for (const detail::NodeRef& node : nodes) {
    auto& bytes = result.components.emplace_back();
    bytes.resize(static_cast<size_t>(result.shape.size() * size_of(type)));
    detail::copy_to_host(node, bytes.data());
  }
  return result;
}

Elements read(const detail::NodeRef& node) { return read({&node, 1}, node->type); }

namespace {

bool is_nan(ScalarValue value) {
  return visit_type(value.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T number = from_bits<T>(value.bits);
    if constexpr (std::is_same_v<T, half>)
      return static_cast<float>(number) != static_cast<float>(number);
    else
      return number != number;
  });
}

std::string place(const detail::Extents& shape, int64_t position) {
  detail::Extents at = shape;
  for (int axis = shape.rank - 1; axis >= 0; --axis) {
    at[axis] = position % shape[axis];
    position /= shape[axis];
  }
  return detail::to_string(at);
}

}  // namespace

bool same_number(ScalarValue a, ScalarValue b) {
  return a.type == b.type && (a.bits == b.bits || (is_nan(a) && is_nan(b)));
}

std::string text_of(ScalarValue value) {
  char text[100];
  if (is_floating(value.type)) {
    const double number = from_bits<double>(convert(value, ElementType::f64).bits);
    std::snprintf(text, sizeof text, "%.17g (bits %llx)", number,
                  static_cast<unsigned long long>(value.bits));
  } else if (is_signed(value.type)) {
    std::snprintf(text, sizeof text, "%lld",
                  static_cast<long long>(convert(value, ElementType::i64).bits));
  } else {  // bool too: a byte that is neither 0 nor 1 shows
    std::snprintf(text, sizeof text, "%llu", static_cast<unsigned long long>(value.bits));
  }
  return text;
}

testing::AssertionResult same(const Elements& want, const Elements& got) {
  if (want.type != got.type)
    return testing::AssertionFailure() << "type " << name(got.type) << ", not " << name(want.type);
  if (!(want.shape == got.shape))
    return testing::AssertionFailure()
           << "shape " << detail::to_string(got.shape) << ", not " << detail::to_string(want.shape);
  if (want.components.size() != got.components.size())
    return testing::AssertionFailure()
           << got.components.size() << " components, not " << want.components.size();
  for (int c = 0; c < static_cast<int>(want.components.size()); ++c) {
    if (want.components[c].size() != got.components[c].size())
      return testing::AssertionFailure() << "component " << c << " has " << got.components[c].size()
                                         << " bytes, not " << want.components[c].size();
    if (want.components[c] == got.components[c]) continue;
    for (int64_t i = 0; i < want.shape.size(); ++i)
      if (!same_number(want.at(c, i), got.at(c, i)))
        return testing::AssertionFailure()
               << name(want.type) << " array of shape " << detail::to_string(want.shape)
               << ", component " << c << ", at " << place(want.shape, i) << ": "
               << text_of(got.at(c, i)) << ", not " << text_of(want.at(c, i));
  }
  return testing::AssertionSuccess();
}

void expect_same_elements(const std::function<Elements()>& build, const Elements* want,
                          const Location& where) {
  const auto check = [&](const Elements& right, const Elements& got, const char* who) {
    if (const auto result = same(right, got); !result)
      ADD_FAILURE_AT(where.file_name(), static_cast<int>(where.line()))
          << who << ": " << result.message();
  };
  Elements reference;
  {
    const WithSettings interpreted([](Settings& s) { s.interpret = true; });
    reference = build();
  }
  if (want) check(*want, reference, "the interpreter");
  for (const int threads : {1, 2, 5}) {
    const WithSettings compiled([&](Settings& s) { s.interpret = false, s.threads = threads; });
    check(reference, build(), ("compiled, " + std::to_string(threads) + " threads").c_str());
  }
}

}  // namespace tutti::test
