// The formats of an Explanation: text, JSON, Graphviz and a page of HTML. In: the kernels that the
// compiler has described (compiler/plan/describe_kernel.cpp).
#include "tutti/explain.hpp"

#include <algorithm>
#include <ostream>
#include <sstream>

#include "core/escape.hpp"

namespace tutti {
namespace {

std::string in_bytes(int64_t bytes) {
  static constexpr const char* units[] = {"B", "KB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  for (; value >= 1024 && unit < 4; ++unit) value /= 1024;
  char text[40];
  std::snprintf(text, sizeof text, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
  return text;
}

// Returns "multiply x 5, add x 4": counts repeated operations, in the order of their first use.
std::string summary(const std::vector<std::string>& operations) {
  std::vector<std::pair<std::string, int>> counts;
  for (const std::string& operation : operations) {
    bool found = false;
    for (auto& [name, count] : counts)
      if (name == operation) ++count, found = true;
    if (!found) counts.push_back({operation, 1});
  }
  std::string text;
  for (const auto& [name, count] : counts) {
    if (!text.empty()) text += ", ";
    text += name;
    if (count > 1) text += " x " + std::to_string(count);
  }
  return text;
}

std::string title(const Explanation::Kernel& kernel) {
  return kernel.name + " over " + kernel.shape;
}

// ---- JSON and Graphviz

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      result += code;
    } else {
      result += c;
    }
  }
  return result + '"';
}
std::string quoted(int number) { return std::to_string(number); }

template <class T>
std::string list(const std::vector<T>& items) {
  std::string text = "[";
  for (const T& item : items) text += (text.size() > 1 ? ", " : "") + quoted(item);
  return text + "]";
}

// ---- the page

// Kernels as boxes below the kernels whose results they need, with lines between them and a link to
// the description of each kernel.
class Picture {
 public:
  static constexpr size_t most_kernels = 150;  // more do not fit a page

  explicit Picture(const std::vector<Explanation::Kernel>& kernels) : kernels_(kernels) {
    std::vector<int> used;  // by layer: boxes in it
    for (const Explanation::Kernel& kernel : kernels) {
      int layer = 0;
      for (const int k : kernel.needs)
        layer = std::max(layer, place_[static_cast<size_t>(k)].y + 1);
      if (static_cast<size_t>(layer) == used.size()) used.push_back(0);
      place_.push_back({used[static_cast<size_t>(layer)]++, layer});
      across_ = std::max(across_, place_.back().x + 1);
    }
    down_ = static_cast<int>(used.size());
  }

  std::string svg() const {
    std::ostringstream out;
    out << "<svg width=\"" << across_ * step_x << "\" height=\"" << down_ * step_y << "\">\n";
    for (size_t k = 0; k < kernels_.size(); ++k)
      for (const int from : kernels_[k].needs)
        line(out, place_[static_cast<size_t>(from)], place_[k]);
    for (size_t k = 0; k < kernels_.size(); ++k) box(out, k);
    out << "</svg>\n";
    return out.str();
  }

 private:
  struct Place {
    int x, y;
  };
  static constexpr int box_width = 190, box_height = 44, step_x = 210, step_y = 74;

  static void line(std::ostream& out, const Place& from, const Place& to) {
    out << "<line x1=\"" << from.x * step_x + box_width / 2 << "\" y1=\""
        << from.y * step_y + box_height << "\" x2=\"" << to.x * step_x + box_width / 2 << "\" y2=\""
        << to.y * step_y << "\"/>\n";
  }

  void box(std::ostream& out, size_t k) const {
    const int x = place_[k].x * step_x, y = place_[k].y * step_y;
    std::string what = summary(kernels_[k].operations);
    if (what.size() > 28) what = what.substr(0, 27) + "\u2026";
    out << "<a href=\"#k" << k + 1 << "\"><rect x=\"" << x << "\" y=\"" << y << "\" width=\""
        << box_width << "\" height=\"" << box_height << "\" rx=\"6\"/><text x=\"" << x + 8
        << "\" y=\"" << y + 18 << "\">" << k + 1 << ". " << markup(title(kernels_[k]))
        << "</text><text class=\"small\" x=\"" << x + 8 << "\" y=\"" << y + 35 << "\">"
        << markup(what) << "</text></a>\n";
  }

  const std::vector<Explanation::Kernel>& kernels_;
  std::vector<Place> place_;
  int across_ = 0, down_ = 0;
};

constexpr const char* page_start = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>What Tutti computes</title><style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #222 }
pre { background: #f5f5f5; padding: .8rem; overflow: auto; font-size: 13px }
details { border: 1px solid #ddd; border-radius: 6px; margin: .4rem 0; padding: .4rem .8rem }
summary { cursor: pointer } dt { color: #666 } dd { margin: 0 0 .4rem 1.5rem } .picture { overflow: auto }
line { stroke: #999 } rect { fill: #eef4ff; stroke: #88a } svg text { font-size: 13px; fill: #222 } svg .small { font-size: 11px; fill: #555 }
</style></head><body>
)";

void write_kernel(std::ostream& out, const Explanation::Kernel& k, size_t number, bool open) {
  out << "<details id=\"k" << number << "\"" << (open ? " open" : "") << "><summary><b>" << number
      << ". " << markup(title(k)) << "</b>, reads " << in_bytes(k.bytes_read) << ", writes "
      << in_bytes(k.bytes_written) << "</summary><dl>\n<dt>fused</dt><dd>"
      << markup(summary(k.operations)) << "</dd>\n";
  if (!k.needs.empty()) {
    out << "<dt>needs</dt><dd>";
    for (const int need : k.needs)
      out << "<a href=\"#k" << need + 1 << "\">kernel " << need + 1 << "</a> ";
    out << "</dd>\n";
  }
  if (!k.strategy.empty()) out << "<dt>runs</dt><dd>" << markup(k.strategy) << "</dd>\n";
  out << "<dt>ends because</dt><dd>" << markup(k.reason) << "</dd>\n";
  if (!k.lines.empty()) {
    out << "<dt>asked for at</dt><dd>";
    for (const std::string& line : k.lines) out << markup(line) << "<br>";
    out << "</dd>\n";
  }
  out << "</dl></details>\n";
}

}  // namespace

std::string Explanation::json() const {
  std::string text = "{\"kernels\": [";
  for (const Kernel& k : kernels_) {
    text += text.back() == '[' ? "\n" : ",\n";
    text += "  {\"name\": " + quoted(k.name) + ", \"shape\": " + quoted(k.shape) +
            ", \"operations\": " + list(k.operations) +
            ", \"bytes_read\": " + std::to_string(k.bytes_read) +
            ", \"bytes_written\": " + std::to_string(k.bytes_written) +
            ", \"strategy\": " + quoted(k.strategy) + ", \"reason\": " + quoted(k.reason) +
            ", \"needs\": " + list(k.needs) + ", \"lines\": " + list(k.lines) + "}";
  }
  return text + "\n]}\n";
}

std::string Explanation::dot() const {
  std::string text = "digraph tutti {\n  node [shape=box];\n";
  for (size_t i = 0; i < kernels_.size(); ++i) {
    const Kernel& k = kernels_[i];
    const std::string label = std::to_string(i + 1) + ". " + title(k) + "\n" +
                              summary(k.operations) + "\n" + in_bytes(k.bytes_read) + " in, " +
                              in_bytes(k.bytes_written) + " out";
    text += "  k" + std::to_string(i + 1) + " [label=" + quoted(label) + "];\n";
    for (const int from : k.needs)
      text += "  k" + std::to_string(from + 1) + " -> k" + std::to_string(i + 1) + ";\n";
  }
  return text + "}\n";
}

std::string Explanation::html() const {
  std::ostringstream out;
  out.exceptions(std::ios::badbit);
  out << page_start;
  int64_t read = 0, written = 0;
  for (const Kernel& k : kernels_) read += k.bytes_read, written += k.bytes_written;
  out << "<h1>" << kernels_.size() << (kernels_.size() == 1 ? " kernel" : " kernels")
      << "</h1>\n<p>They read " << in_bytes(read) << " and write " << in_bytes(written)
      << ".</p>\n";
  if (!kernels_.empty() && kernels_.size() <= Picture::most_kernels)
    out << "<div class=\"picture\">\n" << Picture(kernels_).svg() << "</div>\n";
  for (size_t i = 0; i < kernels_.size(); ++i)
    write_kernel(out, kernels_[i], i + 1, kernels_.size() <= 8);
  constexpr size_t most_characters = 400000;
  const bool cut = graph_.size() > most_characters;
  out << "<details><summary>The operations as they were written</summary><pre>"
      << markup(graph_.substr(0, most_characters)) << (cut ? "\u2026" : "")
      << "</pre></details>\n</body></html>\n";
  return out.str();
}

std::string Explanation::text() const {
  std::ostringstream out;
  out.exceptions(std::ios::badbit);  // otherwise streams swallow exceptions
  if (kernels_.empty()) return "nothing to compute\n";
  for (size_t i = 0; i < kernels_.size(); ++i) {
    const Kernel& k = kernels_[i];
    out << "kernel " << i + 1 << " of " << kernels_.size() << ": " << k.name << " over " << k.shape
        << "\n"
        << "  fused:  " << summary(k.operations) << "\n"
        << "  reads:  " << in_bytes(k.bytes_read) << ", writes: " << in_bytes(k.bytes_written)
        << "\n";
    if (!k.strategy.empty()) out << "  runs:   " << k.strategy << "\n";
    out << "  ends because " << k.reason << "\n";
  }
  return out.str();
}

std::ostream& operator<<(std::ostream& out, const Explanation& explanation) {
  return out << explanation.text();
}

}  // namespace tutti
