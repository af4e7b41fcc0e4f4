#include "nesl/io/pictures.hpp"

#include <algorithm>
#include <fstream>

#include "core/escape.hpp"
#include "nesl/errors.hpp"
#include "nesl/io/shared_program.hpp"

namespace tutti::nesl {
namespace {

// A program that ignores what it gets would ask for ever.
constexpr int most_questions_in_vain = 1000;
constexpr int buttons_of_a_mouse = 3;
constexpr int largest_side = 1 << 15;
constexpr int inverting_operation = 6;

// Other bytes than these may be no UTF-8, and most control characters are not allowed.
std::string escaped(std::string text) {
  for (char& c : text)
    if (c < ' ' || c > '~') c = ' ';
  return markup(text);
}

std::string number(int value) { return std::to_string(value); }

std::string pairs(const std::vector<int>& numbers, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i + 1 < end; i += 2)
    text += (text.empty() ? "" : " ") + number(numbers[i]) + "," + number(numbers[i + 1]);
  return text;
}

std::string pen(int width) {
  return " fill=\"none\" stroke-width=\"" + number(std::max(width, 1)) + "\"";
}

bool is_quit(const std::string& name) {
  return name == "quit" || name == "exit" || name == "done" || name == "Quit";
}

}  // namespace

Pictures::Picture& Pictures::find(int picture) {
  if (picture < 1 || picture > static_cast<int>(all_.size()) || !all_[picture - 1].open)
    throw RuntimeError("this window is not open");
  return all_[picture - 1];
}

std::string Pictures::file_name(int picture) const {
  return "tutti_window_" + number(picture) + ".svg";
}

int Pictures::open(const std::string& title, int width, int height) {
  if (width < 1 || height < 1 || width > largest_side || height > largest_side)
    throw RuntimeError("a window of " + number(width) + " times " + number(height) +
                       " pixels cannot be drawn");
  Picture picture;
  picture.title = title;
  picture.width = width;
  picture.height = height;
  all_.push_back(std::move(picture));
  return static_cast<int>(all_.size());
}

int Pictures::add_colour(int picture, int operation, int red, int green, int blue) {
  Picture& its = find(picture);
  const auto level = [](int component) { return number(std::clamp(component, 0, 65535) / 257); };
  const std::string colour = "rgb(" + level(red) + "," + level(green) + "," + level(blue) + ")";
  const char* blend =
      operation == inverting_operation ? " style=\"mix-blend-mode:difference\"" : "";
  its.colours.push_back(" fill=\"" + colour + "\" stroke=\"" + colour + "\"" + blend);
  return static_cast<int>(its.colours.size()) - 1;
}

void Pictures::draw(int picture, int colour, Shape shape, const std::vector<int>& numbers,
                    const std::string& text) {
  Picture& its = find(picture);
  const bool is_image = shape == Shape::image;
  if (!is_image && (colour < 0 || colour >= static_cast<int>(its.colours.size())))
    throw RuntimeError("there is no colour " + number(colour) + " in this window");
  const std::string paint = is_image ? "" : its.colours[colour];
  // The outlines have no fill of their own: the attribute may stand only once.
  const std::string stroke = paint.substr(std::min(paint.find(" stroke="), paint.size()));
  const std::size_t n = numbers.size();
  std::string& out = its.shapes;
  switch (shape) {
    case Shape::lines:
      out += "<polyline points=\"" + pairs(numbers, 0, n - 1) + "\"" + pen(numbers.back()) +
             stroke + "/>\n";
      return;
    case Shape::segments:
      out += "<path d=\"";
      for (std::size_t i = 0; i + 4 < n; i += 4)
        out += "M" + pairs(numbers, i, i + 2) + " L" + pairs(numbers, i + 2, i + 4) + " ";
      out += "\"" + pen(numbers.back()) + stroke + "/>\n";
      return;
    case Shape::polygon:
      out += "<polygon points=\"" + pairs(numbers, 0, n - 1) + "\"" + paint +
             " stroke-width=\"0\"/>\n";
      return;
    case Shape::circle:
    case Shape::disc:
      if (n < 3) return;
      out += "<circle cx=\"" + number(numbers[0]) + "\" cy=\"" + number(numbers[1]) + "\" r=\"" +
             number(std::max(numbers[2], 0)) + "\"" +
             (shape == Shape::circle ? pen(numbers.back()) + stroke : paint) + "/>\n";
      return;
    case Shape::text:
      out += "<text x=\"" + number(numbers[0]) + "\" y=\"" + number(numbers[1]) +
             "\" font-family=\"monospace\" font-size=\"10\" stroke-width=\"0\"" + paint + ">" +
             escaped(text) + "</text>\n";
      return;
    case Shape::image:
      break;
  }
  if (n < 4) return;
  const int width = numbers[2], height = numbers[3];
  if (width < 0 || height < 0 ||
      static_cast<long long>(width) * height != static_cast<long long>(n) - 4)
    throw RuntimeError("the image has " + number(static_cast<int>(n) - 4) + " pixels, not " +
                       number(width) + " times " + number(height));
  for (std::size_t i = 4; i < n; ++i) {
    const int value = numbers[i], at = static_cast<int>(i) - 4;
    if (value < 0 || value >= static_cast<int>(its.colours.size()))
      throw RuntimeError("there is no colour " + number(value) + " in this window");
    out += "<rect x=\"" + number(numbers[0] + at % width) + "\" y=\"" +
           number(numbers[1] + at / width) + "\" width=\"1\" height=\"1\" stroke-width=\"0\"" +
           its.colours[value] + "/>\n";
  }
}

void Pictures::clear(int picture) { find(picture).shapes.clear(); }

std::string Pictures::close(int picture) {
  Picture& its = find(picture);
  its.open = false;
  const std::string size = number(its.width), height = number(its.height),
                    name = file_name(picture);
  std::ofstream file(is_first() ? name : "/dev/null");
  file << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << size << "\" height=\"" << height
       << "\">\n<title>" << escaped(its.title) << "</title>\n<rect width=\"" << size
       << "\" height=\"" << height << "\"/>\n"
       << its.shapes << "</svg>\n";
  file.close();
  const std::string what = "the window \"" + its.title + "\"";
  its = Picture();
  its.open = false;
  return file ? what + " is in " + name + "\n" : what + " cannot be written to " + name + "\n";
}

std::string Pictures::close_all() {
  std::string messages;
  for (std::size_t i = 0; i < all_.size(); ++i)
    if (all_[i].open) messages += close(static_cast<int>(i) + 1);
  return messages;
}

int Pictures::press(int picture, const std::vector<std::string>& buttons) {
  Picture& its = find(picture);
  for (const bool quits : {false, true})
    for (std::size_t i = 0; i < buttons.size(); ++i) {
      const bool pressed =
          std::find(its.pressed.begin(), its.pressed.end(), buttons[i]) != its.pressed.end();
      if (pressed || is_quit(buttons[i]) != quits) continue;
      its.pressed.push_back(buttons[i]);
      return static_cast<int>(i);
    }
  count_question(its.asked_in_vain, its);
  return -1;
}

int Pictures::click(int picture) {
  Picture& its = find(picture);
  count_question(its.clicks, its);
  return (its.clicks - 1) % buttons_of_a_mouse + 1;
}

void Pictures::count_question(int& questions, const Picture& picture) {
  if (++questions > most_questions_in_vain)
    throw RuntimeError("the program waits for input to the window \"" + picture.title +
                       "\", which is only a picture");
}

}  // namespace tutti::nesl
