#include "engine/unwritten_parts.hpp"

#include <algorithm>
#include <optional>

namespace tutti::engine {
namespace {

using detail::Extents;
using ir::Kind;

// The elements of an array that are written so far: all before `end` along an axis.
struct Written {
  size_t first = 0;  // the node that writes the first part
  int axis = 0;
  int64_t end = 0;
};

class Parts {
 public:
  explicit Parts(const std::vector<NodeDescription>& nodes)
      : nodes_(nodes), incomplete_(nodes.size()), unwritten_(nodes.size(), false) {}

  std::vector<bool> run(const std::vector<int>& roots) {
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const std::vector<int>& inputs = nodes_[i].inputs;
      const bool writes = nodes_[i].kind == Kind::write_section && !inputs.empty();
      for (size_t k = 0; k < inputs.size(); ++k)
        if (!writes || k != 1) read(inputs[k]);
      if (writes) write(i);
    }
    for (const int root : roots) read(root);
    return std::move(unwritten_);
  }

 private:
  // An index of a damaged file may be any number.
  std::optional<Written> incomplete(int node) const {
    const auto i = static_cast<size_t>(node);
    return node >= 0 && i < incomplete_.size() ? incomplete_[i] : std::nullopt;
  }
  void read(int node) {
    if (const auto written = incomplete(node)) unwritten_[written->first] = true;
  }

  void write(size_t i) {
    const NodeDescription& node = nodes_[i];
    const bool is_first = node.inputs.size() == 1;
    const std::optional<Written> base =
        is_first ? Written{.first = i, .axis = -1} : incomplete(node.inputs[1]);
    if (!base) return;
    const std::optional<Written> after = continued(*base, node);
    if (!after)
      unwritten_[base->first] = true;
    else if (after->end < node.shape[after->axis])
      incomplete_[i] = after;
  }

  // Returns what is written after a part that begins where the last one ended, and is whole along
  // the other axes. Otherwise nothing.
  std::optional<Written> continued(Written written, const NodeDescription& node) const {
    const auto values = static_cast<size_t>(node.inputs[0]);
    if (node.inputs[0] < 0 || values >= nodes_.size()) return std::nullopt;
    const Extents& part = nodes_[values].shape;
    if (!node.has_map || part.rank != node.shape.rank) return std::nullopt;
    for (int axis = 0; axis < part.rank; ++axis) {
      if (part[axis] < 0 || node.shape[axis] < 0) return std::nullopt;
      const ir::AxisMap& m = node.map.axes[static_cast<size_t>(axis)];
      const bool in_order = m.axis == axis && (m.stride == 1 || part[axis] == 1);
      if (in_order && m.offset == 0 && part[axis] == node.shape[axis]) continue;
      if (written.axis < 0) written.axis = axis;
      if (!in_order || axis != written.axis || m.offset != written.end) return std::nullopt;
    }
    const int along = written.axis;
    if (along < 0 || part[along] > node.shape[along] - written.end) return std::nullopt;
    written.end += part[along];
    return written;
  }

  const std::vector<NodeDescription>& nodes_;
  std::vector<std::optional<Written>> incomplete_;  // by node
  std::vector<bool> unwritten_;
};

}  // namespace

std::vector<bool> leave_parts_unwritten(const std::vector<NodeDescription>& nodes,
                                        const std::vector<int>& roots) {
  return Parts(nodes).run(roots);
}

}  // namespace tutti::engine
