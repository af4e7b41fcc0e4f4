// Arrays as text. In: the components of an array. Out: its elements in NumPy's layout: numbers of
// one width, a bracket for each axis, lines broken at elements.
#include "tutti/print.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <ostream>

#include "core/elements/convert.hpp"
#include "tutti/detail/interchange.hpp"

namespace tutti::detail {
namespace {

// ---- numbers

// Decides whether numbers are so large, small or different that an exponent is more readable.
bool wants_exponent(const std::vector<double>& numbers) {
  double least = INFINITY, greatest = 0;
  for (const double x : numbers) {
    if (x == 0 || !std::isfinite(x)) continue;
    least = std::min(least, std::abs(x));
    greatest = std::max(greatest, std::abs(x));
  }
  return greatest > 0 && (greatest >= 1e8 || least < 1e-4 || greatest / least > 1000);
}

template <class... Format>
std::string characters(auto x, Format... format) {
  char buffer[512];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x, format...).ptr};
}

// Returns the fewest digits that distinguish x from its neighbours of its type, with at most
// `precision` of them after the point.
template <class T>
std::string shortest(T x, std::chars_format format, int precision) {
  std::string text = characters(x, format);
  const size_t point = text.find('.'), end = std::min(text.find('e'), text.size());
  if (point == std::string::npos || end - point - 1 <= static_cast<size_t>(precision)) return text;
  text = characters(x, format, precision);
  const size_t digits = std::min(text.find('e'), text.size());
  size_t last = digits;
  while (last > 0 && text[last - 1] == '0') --last;
  return text.erase(last, digits - last);
}

// Does the same for a half, whose neighbours are further away than those of a float.
std::string shortest(half x, std::chars_format format, int precision) {
  const float value = x;
  for (int digits = 0; digits < precision; ++digits) {
    const std::string text = characters(value, format, digits);
    float back = 0;
    std::from_chars(text.data(), text.data() + text.size(), back, format);
    if (half(back).bits() == x.bits()) return text;
  }
  return shortest(value, format, precision);
}

// The digits up to the point, with it, those after it, and the exponent.
struct Parts {
  std::string before, after, exponent;
};

template <class T>
Parts parts_of(T x, bool exponent, int precision) {
  if (!std::isfinite(static_cast<double>(x)))
    return {std::isnan(static_cast<double>(x)) ? "nan" : x > T(0) ? "inf" : "-inf", "", ""};
  const auto format = exponent ? std::chars_format::scientific : std::chars_format::fixed;
  std::string text = shortest(x, format, precision);
  Parts parts;
  if (const size_t e = text.find('e'); e != std::string::npos) {
    parts.exponent = text.substr(e);
    text.erase(e);
  }
  const size_t point = text.find('.');
  parts.before = text.substr(0, point) + '.';
  if (point != std::string::npos) parts.after = text.substr(point + 1);
  return parts;
}

std::string padded(const std::string& text, size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}
size_t widest(const std::vector<std::string>& words) {
  size_t width = 0;
  for (const std::string& word : words) width = std::max(width, word.size());
  return width;
}
std::vector<std::string> aligned(std::vector<std::string> words) {
  const size_t width = widest(words);
  for (std::string& word : words) word = padded(word, width);
  return words;
}

template <class T>
std::vector<std::string> words_of_floats(std::span<const T> elements, int precision) {
  const std::vector<double> numbers(elements.begin(), elements.end());
  const bool exponent = wants_exponent(numbers);
  std::vector<Parts> parts;
  size_t before = 0, after = 0;
  for (const T& x : elements) {
    parts.push_back(parts_of(x, exponent, precision));
    if (!std::isfinite(static_cast<double>(x))) continue;
    before = std::max(before, parts.back().before.size());
    after = std::max(after, parts.back().after.size());
  }
  std::vector<std::string> words;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!std::isfinite(numbers[i])) {
      words.push_back(std::move(parts[i].before));
      continue;
    }
    parts[i].after.resize(after, exponent ? '0' : ' ');
    words.push_back(padded(parts[i].before, before) + parts[i].after + parts[i].exponent);
  }
  return aligned(std::move(words));
}

template <class T>
std::vector<std::string> words_of(std::span<const T> elements, int precision) {
  if constexpr (std::is_same_v<T, half> || std::is_floating_point_v<T>) {
    return words_of_floats(elements, precision);
  } else {
    std::vector<std::string> words;
    for (const T& x : elements) words.push_back(characters(+x));
    return aligned(std::move(words));
  }
}

std::vector<std::string> words_of(const NodeRef& node, size_t count, int precision) {
  const ElementType type = type_of(node);
  std::vector<uint64_t> storage(count * static_cast<size_t>(size_of(type)) / 8 + 1);
  copy_to_host(node, storage.data());
  if (type == ElementType::b8) {
    const auto* flags = reinterpret_cast<const uint8_t*>(storage.data());
    std::vector<std::string> words;
    for (size_t i = 0; i < count; ++i) words.push_back(flags[i] ? "True" : "False");
    return aligned(std::move(words));
  }
  return visit_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    return words_of(std::span(reinterpret_cast<const T*>(storage.data()), count), precision);
  });
}

// ---- layout

class Layout {
 public:
  Layout(const Extents& shape, std::vector<bool> cut, const std::vector<std::string>& words,
         const PrintFormat& format)
      : shape_(shape), cut_(std::move(cut)), words_(words), format_(format) {}

  std::string text() {
    if (shape_.rank == 0) return words_[0].ends_with('.') ? words_[0] + '0' : words_[0];
    return axis(0, 0, " ", format_.width);
  }

 private:
  // Prints everything below one coordinate of the axes before `axis`, from word `first` on.
  std::string axis(int axis, size_t first, const std::string& indent, int width) {
    const bool innermost = axis == shape_.rank - 1;
    const std::string text =
        innermost ? row(first, indent, width) : rows(axis, first, indent, width);
    return '[' + (text.empty() ? text : text.substr(indent.size())) + ']';
  }

  bool gap_before(int axis, int64_t i) const {
    return cut_[static_cast<size_t>(axis)] && i == format_.edge;
  }

  std::string row(size_t first, const std::string& indent, int width) const {
    const int axis = shape_.rank - 1;
    const int64_t count = shape_[axis];
    std::string text, line = indent;
    const auto add = [&](const std::string& word, bool last) {
      const size_t most = static_cast<size_t>(last ? width : width - 1);
      if (line.size() + word.size() > most && line.size() > indent.size()) {
        text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
        line = indent;
      }
      line += word + (last ? "" : " ");
    };
    if (count == 0) return "";
    for (int64_t i = 0; i < count; ++i) {
      if (gap_before(axis, i)) add("...", false);
      add(words_[first + static_cast<size_t>(i)], i == count - 1);
    }
    return text + line;
  }

  std::string rows(int axis, size_t first, const std::string& indent, int width) {
    size_t step = 1;
    for (int inner = axis + 1; inner < shape_.rank; ++inner)
      step *= static_cast<size_t>(shape_[inner]);
    const std::string separator(static_cast<size_t>(shape_.rank - axis - 1), '\n');
    std::string text;
    for (int64_t i = 0; i < shape_[axis]; ++i) {
      if (i > 0) text += separator;
      if (gap_before(axis, i)) text += indent + "..." + separator;
      text += indent +
              this->axis(axis + 1, first + static_cast<size_t>(i) * step, indent + ' ', width - 1);
    }
    return text;
  }

  const Extents& shape_;
  const std::vector<bool> cut_;  // by axis: whether its middle is omitted
  const std::vector<std::string>& words_;
  const PrintFormat& format_;
};

// ---- long arrays

// Returns, for every shown element, its coordinate on an axis of the array.
NodeRef shown_coordinates(const Extents& shown, const Extents& shape, int axis,
                          const Location& where) {
  int64_t inner = 1;
  for (int k = axis + 1; k < shown.rank; ++k) inner *= shown[k];
  std::vector<int32_t> coordinates(static_cast<size_t>(shown.size()));
  for (size_t i = 0; i < coordinates.size(); ++i) {
    const int64_t at = static_cast<int64_t>(i) / inner % shown[axis];
    const bool behind = 2 * at >= shown[axis];
    coordinates[i] = static_cast<int32_t>(behind ? shape[axis] - shown[axis] + at : at);
  }
  return from_host(ElementType::i32, shown, coordinates.data(), coordinates.size(), where);
}

}  // namespace

std::string array_text(std::span<const NodeRef> components, const PrintFormat& format) {
  const Location where = Location::current();
  evaluate(components);
  const Extents shape = shape_of(components[0], "printing");
  Extents shown = shape;
  std::vector<bool> cut(static_cast<size_t>(shape.rank), false);
  if (shape.size() > format.threshold)
    for (int axis = 0; axis < shape.rank; ++axis)
      if (shape[axis] > 2 * format.edge) {
        cut[static_cast<size_t>(axis)] = true;
        shown[axis] = 2 * format.edge;
      }
  if (shape.size() == 0) return "[]";
  std::vector<NodeRef> coordinates;
  if (!(shown == shape))
    for (int axis = 0; axis < shape.rank; ++axis)
      coordinates.push_back(shown_coordinates(shown, shape, axis, where));

  std::vector<std::string> words(static_cast<size_t>(shown.size()));
  for (size_t c = 0; c < components.size(); ++c) {
    const NodeRef node = coordinates.empty() ? components[c]
                                             : gather(components[c], coordinates, Boundary::clamp(),
                                                      static_cast<int>(c), where);
    const std::vector<std::string> part = words_of(node, words.size(), format.precision);
    for (size_t i = 0; i < words.size(); ++i) words[i] += (c ? ", " : "") + part[i];
  }
  if (components.size() > 1)
    for (std::string& word : words) word = '(' + word + ')';
  return Layout(shown, std::move(cut), words, format).text();
}

void print(std::ostream& out, std::span<const NodeRef> components) {
  out << array_text(components, {});
}

void print(std::ostream& out, const Extents& extents) { out << to_string(extents); }

}  // namespace tutti::detail
