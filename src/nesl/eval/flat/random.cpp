// rand for all instances of a context. The numbers come from one counted sequence, in the order of
// the instances, as in the plain evaluator. So they are the same on every device.
#include <cstring>

#include "nesl/eval/flat/primitives.hpp"

namespace tutti::nesl::flat {
namespace {

using detail::Location;

template <class T>
void draw_all(nested::HostData& rows, Machine& machine) {
  for (std::int64_t i = 0; i < rows.rows; ++i) {
    std::byte* at = rows.numbers.data() + i * static_cast<std::int64_t>(sizeof(T));
    T number;
    std::memcpy(&number, at, sizeof(T));
    number = machine.random_below(number);
    std::memcpy(at, &number, sizeof(T));
  }
}

}  // namespace

nested::Value random_numbers(const Call& c) {
  nested::HostData rows = nested::rows_to_host(c.at, c[0], "rand", Location());
  if (c.types[0]->kind == MonoType::Kind::integer)
    draw_all<std::int32_t>(rows, c.machine);
  else if (c.types[0]->single)
    draw_all<float>(rows, c.machine);
  else
    draw_all<double>(rows, c.machine);
  return nested::rows_from_host(c.at, std::move(rows), Location());
}

}  // namespace tutti::nesl::flat
