#include "tutti/explain.hpp"

#include <ostream>
#include <sstream>

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

// "multiply x 5, add x 4": repeated operations are counted, in the order of their first use.
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

}  // namespace

std::string Explanation::text() const {
  std::ostringstream out;
  out.exceptions(std::ios::badbit);  // streams swallow what is thrown otherwise
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
