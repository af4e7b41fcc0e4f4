#include "tools/replay_command.hpp"

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "core/elements/convert.hpp"
#include "core/escape.hpp"
#include "engine/evaluate.hpp"
#include "engine/stored_graph.hpp"
#include "graph/printer.hpp"
#include "reference/interpreter.hpp"
#include "runtime/device.hpp"
#include "tools/options.hpp"
#include "tutti/error.hpp"
#include "tutti/runtime.hpp"

namespace tutti::tools {
namespace {

// Limits for a trusted file.
constexpr engine::GraphLimits unlimited{
    .nodes = std::numeric_limits<int>::max(),
    .statements = std::numeric_limits<int>::max(),
    .bytes = std::numeric_limits<int64_t>::max(),
    .work = std::numeric_limits<int64_t>::max(),
};

std::string read_file(const std::string& path) {
  constexpr uintmax_t most_bytes = uintmax_t{1} << 30;
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw Error(escaped(path) + " is no file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error("cannot read " + escaped(path));
  std::string bytes;
  std::vector<char> part(size_t{1} << 16);
  while (file.read(part.data(), static_cast<std::streamsize>(part.size())) || file.gcount() > 0) {
    bytes.append(part.data(), static_cast<size_t>(file.gcount()));
    if (bytes.size() > most_bytes) throw Error(escaped(path) + " is too large for a stored graph");
  }
  return bytes;
}

bool is_nan(ElementType type, const std::byte* element) {
  return visit_type(type, [&](auto tag) {
    typename decltype(tag)::type x;
    std::memcpy(&x, element, sizeof x);
    return x != x;
  });
}

// Returns the first element whose bits differ, or -1. All NaNs are equal.
int64_t first_difference(const ir::Node& node, const ir::Bytes& wanted, const std::byte* got) {
  const int size = size_of(node.type);
  for (int64_t i = 0; i < node.shape.size(); ++i) {
    const std::byte *a = wanted.data() + i * size, *b = got + i * size;
    if (std::memcmp(a, b, static_cast<size_t>(size)) != 0 &&
        !(is_nan(node.type, a) && is_nan(node.type, b)))
      return i;
  }
  return -1;
}

// Returns whether a device computes the interpreter's results. The graph is loaded again, because a
// loaded graph keeps computed results.
bool agrees(runtime::Device& device, const std::string& bytes, const engine::GraphLimits& limits,
            const std::vector<ir::Bytes>& wanted) {
  const engine::StoredGraph graph = engine::load_graph(bytes, limits);
  runtime::use_device(&device, true);
  try {
    engine::evaluate(graph.roots);
    for (size_t r = 0; r < graph.roots.size(); ++r) {
      const ir::Node& root = *graph.roots[r];
      const auto* got = static_cast<const std::byte*>(root.buffer->data());
      if (const int64_t i = first_difference(root, wanted[r], got); i >= 0) {
        std::printf("%s: result %zu differs from the interpreter's at element %lld\n",
                    device.name().c_str(), r, static_cast<long long>(i));
        return false;
      }
    }
  } catch (const Error& error) {
    std::printf("%s: %s\n", device.name().c_str(), escaped(error.what()).c_str());
    return false;
  }
  std::printf("%s: the same bits as the interpreter\n", device.name().c_str());
  return true;
}

}  // namespace

int replay_command(int argc, char** argv) {
  bool without_limits = false;
  std::string path;
  const Command command{
      "replay", "[options] file.graph",
      "Computes a graph that an internal error has saved, on every device, and compares the bits."};
  const OptionTable table{{"--no-limits", "", "let the file take any amount of time and memory",
                           [&](std::string_view) { without_limits = true; }}};
  const auto operand = [&](std::string_view file) {
    if (!path.empty()) throw UsageError("it takes one file");
    path = file;
  };
  if (const std::optional<int> status = read_command(command, argc, argv, table, operand))
    return *status;
  if (path.empty()) {
    std::fputs(usage_of(command, table).c_str(), stderr);
    return 2;
  }
  Settings anew = settings();
  anew.disk_cache = false;  // compile again, and do not save the failing graph again
  set_settings(anew);
  const engine::GraphLimits limits = without_limits ? unlimited : engine::GraphLimits();
  const std::string bytes = read_file(path);
  const engine::StoredGraph graph = engine::load_graph(bytes, limits);
  std::vector<ir::Bytes> wanted;
  {
    std::lock_guard lock(ir::graph_mutex());
    std::printf("It had failed with: %s\n\n%s\n", escaped(graph.message).c_str(),
                ir::print(graph.roots).c_str());
    // Loops are limited here: the devices terminate where the interpreter does.
    wanted = ir::interpret(graph.roots, limits.work);
  }
  bool all_agree = true;
  for (runtime::Device* device : runtime::all_devices())
    all_agree &= agrees(*device, bytes, limits, wanted);
  return all_agree ? 0 : 1;
}

}  // namespace tutti::tools
