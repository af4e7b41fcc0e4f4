// rand for all instances of a context: the numbers come from one counted sequence, so that they are
// the same on every device, and in the order of the instances, as the plain evaluator has it.
#include <cstring>

#include "nesl/flat/primitives.hpp"

namespace tutti::nesl::flat {
namespace {

using detail::Location;

template <class T, class Draw>
void draw_all(nested::HostData& rows, const Draw& draw) {
  for (std::int64_t i = 0; i < rows.rows; ++i) {
    std::byte* at = rows.numbers.data() + i * static_cast<std::int64_t>(sizeof(T));
    T number;
    std::memcpy(&number, at, sizeof(T));
    number = draw(number);
    std::memcpy(at, &number, sizeof(T));
  }
}

}  // namespace

nested::Value random_numbers(const Call& c) {
  nested::HostData rows = nested::rows_to_host(c.at, c[0], c.name, Location());
  const auto check = [&](bool positive) {
    if (!positive && c.machine.checks) throw RuntimeError("rand of a number that is not positive");
    return positive;
  };
  if (c.types[0]->kind == MonoType::Kind::integer)
    draw_all<std::int32_t>(rows, [&](std::int32_t limit) {
      return check(limit > 0) ? c.machine.random_below(limit) : 0;
    });
  else
    draw_all<double>(rows, [&](double limit) {
      check(limit > 0);
      return c.machine.random_below(limit);
    });
  return nested::rows_from_host(c.at, std::move(rows), Location());
}

}  // namespace tutti::nesl::flat
