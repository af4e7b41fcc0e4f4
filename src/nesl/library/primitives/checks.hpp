// The run-time checks that primitives make when `arg_check` is on, and small readers of arguments.
#pragma once
#include <limits>
#include <string>

#include "nesl/eval/machine.hpp"
#include "nesl/library/primitive.hpp"

namespace tutti::nesl {

template <class... Parts>
[[noreturn]] void fail(const Parts&... message) {
  std::string text;
  auto add = [&](const auto& part) {
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(part)>>)
      text += std::to_string(part);
    else
      text += part;
  };
  (add(message), ...);
  throw RuntimeError(text);
}

// For messages that cost nothing unless they are needed. What must hold even without checks, so
// that nothing is read outside of a sequence, calls fail() itself.
template <class... Parts>
void require(const PrimitiveCall& call, bool good, const Parts&... message) {
  if (!good && call.machine.checks) fail(message...);
}

inline bool is_int(Mono type) { return type->kind == MonoType::Kind::integer; }
inline bool is_float(Mono type) { return type->kind == MonoType::Kind::floating; }
inline bool is_bool(Mono type) { return type->kind == MonoType::Kind::boolean; }
inline int length_of(const Value& sequence) { return static_cast<int>(sequence.elements().size()); }

// Lengths are ints.
constexpr std::int64_t max_length = std::numeric_limits<int>::max();

inline void check_length(std::int64_t length, std::int64_t most = max_length) {
  if (length > most) fail("a sequence of ", length, " elements is too long");
}

// Integers wrap.
inline int wrap(std::int64_t value) { return static_cast<int>(static_cast<std::uint32_t>(value)); }

}  // namespace tutti::nesl
