// What the graphics of the library are made of. Pictures become files: they are as forbidden as
// files are.
#include "nesl/io/pictures.hpp"

#include "nesl/library/primitives/checks.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;

Pictures& pictures(const Call& c) {
  c.machine.files();
  return c.machine.pictures;
}

Value open(const Call& c) { return pictures(c).open(c[0].text(), c[1].integer(), c[2].integer()); }

Value colour(const Call& c) {
  return pictures(c).add_colour(c[0].integer(), c[1].integer(), c[2].integer(), c[3].integer(),
                                c[4].integer());
}

Value draw(const Call& c) {
  std::vector<int> numbers;
  for (const Value& number : c[3].elements()) numbers.push_back(number.integer());
  c.machine.spend(length_of(c[3]));
  pictures(c).draw(c[0].integer(), c[1].integer(), static_cast<Pictures::Shape>(c[2].integer()),
                   numbers, c[4].text());
  return true;
}

Value clear(const Call& c) {
  pictures(c).clear(c[0].integer());
  return true;
}

Value close(const Call& c) {
  c.machine.print(pictures(c).close(c[0].integer()));
  return true;
}

Value press(const Call& c) {
  std::vector<std::string> buttons;
  for (const Value& name : c[1].elements()) buttons.push_back(name.text());
  return pictures(c).press(c[0].integer(), buttons);
}

Value click(const Call& c) { return pictures(c).click(c[0].integer()); }

}  // namespace

std::vector<Primitive> picture_primitives() {
  constexpr Effect serial = Effect::serial;
  return {
      {"picture-open", "([char], int, int) -> int", open, "A new picture.", serial},
      {"picture-gc", "(int, int, int, int, int) -> int", colour, "A colour of a picture.", serial},
      {"picture-draw", "(int, int, int, [int], [char]) -> bool", draw, "Draws into a picture.",
       Effect::output},
      {"picture-clear", "int -> bool", clear, "Makes a picture empty.", serial},
      {"picture-close", "int -> bool", close, "Writes a picture to its file.", serial},
      {"picture-press", "(int, [[char]]) -> int", press, "Which button is pressed next.", serial},
      {"picture-click", "int -> int", click, "Which button of the mouse is pressed next.", serial},
  };
}

}  // namespace tutti::nesl
