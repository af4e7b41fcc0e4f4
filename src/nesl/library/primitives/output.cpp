// Printing, and stopping with a message.
#include "nesl/library/primitives/checks.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;

Value print_char(const Call& c) {
  c.machine.print(std::string(1, static_cast<char>(c[0].character())));
  return true;
}

Value print_string(const Call& c) {
  c.machine.print(c[0].text());
  return true;
}

Value stop(const Call& c) { throw RuntimeError(c[0].text()); }

}  // namespace

std::vector<Primitive> output_primitives() {
  return {
      {"print_char", "char -> bool", print_char, "Prints a character; t.", Effect::output},
      {"print_string", "[char] -> bool", print_string, "Prints a string; t.", Effect::output},
      // An error is no effect: the plain evaluator finds the first one, whichever evaluator meets
      // one.
      {"error", "[char] -> bool", stop, "Stops with a run-time error and this message.",
       Effect::none, false},
  };
}

}  // namespace tutti::nesl
