// Reports on arrays in memory, and the text that a debugger shows for a node. Computes nothing.
#include "tutti/debug.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "api/array/debug_text.hpp"
#include "core/elements/convert.hpp"
#include "core/statistics.hpp"
#include "engine/evaluate.hpp"
#include "graph/node.hpp"
#include "runtime/memory/buffer.hpp"
#include "tutti/error.hpp"

namespace tutti {
namespace {

// Returns the text of " (file:line)" without blank and parentheses.
std::string line_of(const detail::Location& where) {
  const std::string text = detail::at(where);
  return text.size() > 3 ? text.substr(2, text.size() - 3) : "";
}

std::string element_text(ElementType type, const char* at) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, static_cast<size_t>(size_of(type)));
  return visit_type(type, [&](auto tag) -> std::string {
    using T = typename decltype(tag)::type;
    const T x = from_bits<T>(bits);
    char text[40];
    if constexpr (std::is_same_v<T, bool>) return x ? "true" : "false";
    if constexpr (std::is_integral_v<T>)
      return std::to_string(x);
    else
      std::snprintf(text, sizeof text, "%.9g", static_cast<double>(x));
    return text;
  });
}

std::string padded(std::string text, size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

}  // namespace

std::vector<LiveArray> live_arrays() {
  std::vector<LiveArray> result;
  for (const std::shared_ptr<runtime::ArrayBuffer>& buffer : runtime::live_buffers()) {
    LiveArray array;
    array.bytes = buffer->bytes_held();
    if (array.bytes == 0) continue;  // memory of other libraries
    if (const auto origin = buffer->origin())
      array.name = origin->name, array.type = name(origin->type),
      array.shape = detail::to_string(origin->shape), array.line = line_of(origin->where);
    result.push_back(std::move(array));
  }
  std::ranges::sort(result, [](const LiveArray& a, const LiveArray& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.line < b.line;
  });
  return result;
}

std::string memory_report() {
  constexpr size_t most_rows = 50;
  const std::vector<LiveArray> arrays = live_arrays();
  std::string text = "       bytes  type     shape             made at\n";
  int64_t listed = 0;
  for (size_t i = 0; i < arrays.size(); ++i) {
    listed += arrays[i].bytes;
    if (i >= most_rows) continue;
    char bytes[32];
    std::snprintf(bytes, sizeof bytes, "%12lld  ", static_cast<long long>(arrays[i].bytes));
    text += bytes + padded(arrays[i].type, 7) + "  " + padded(arrays[i].shape, 16) + "  " +
            (arrays[i].line.empty() ? "(unknown)" : arrays[i].line) +
            (arrays[i].name.empty() ? "" : "  " + arrays[i].name) + "\n";
  }
  if (arrays.size() > most_rows)
    text += "and " + std::to_string(arrays.size() - most_rows) + " more arrays\n";
  const int64_t in_use = counters().bytes_in_use, pool = counters().bytes_in_pool;
  return text + std::to_string(arrays.size()) +
         " arrays of 4 KiB or more: " + std::to_string(listed) +
         " bytes; smaller ones and work space: " +
         std::to_string(std::max<int64_t>(0, in_use - listed)) +
         " bytes; kept for reuse: " + std::to_string(pool) + " bytes\n";
}

namespace detail {

void watch(std::span<const NodeRef> components, const std::string& name, const Location& where) {
  const std::string text = array_text(components, {});
  std::fprintf(stderr, "%s %s%s%s\n%s\n", name.c_str(), tutti::name(components[0]->type),
               to_string(components[0]->shape).c_str(), at(where).c_str(), text.c_str());
  std::lock_guard lock(ir::graph_mutex());
  for (const NodeRef& component : components)
    if (component->buffer) component->buffer->note_name(name);
}

}  // namespace detail

const char* debug_text(const void* pointer) {
  thread_local std::string text;
  if (!pointer) return "moved from";
  const auto& node = *static_cast<const ir::Node*>(pointer);
  text = std::string(name(node.type)) + " " + detail::to_string(node.shape);
  std::unique_lock lock(ir::graph_mutex(), std::try_to_lock);
  if (!lock) return (text += ", in use by a thread").c_str();
  if (!node.buffer) return (text += ", not computed yet").c_str();
  auto& buffer = runtime::array_of(*node.buffer);
  if (!buffer.is_on_host()) return (text += ", on a device").c_str();
  constexpr int64_t most = 16;
  const int64_t elements = node.shape.size();
  const auto* bytes = static_cast<const char*>(buffer.data());
  const int size = size_of(node.type);
  text += " {";
  for (int64_t i = 0; i < std::min(most, elements); ++i) {
    text += (i ? ", " : "") + element_text(node.type, bytes + i * size);
  }
  text += elements > most ? ", ...}" : "}";
  return text.c_str();
}

}  // namespace tutti
