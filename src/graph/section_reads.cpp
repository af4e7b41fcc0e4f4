#include "graph/section_reads.hpp"

#include <algorithm>

namespace tutti::ir {
namespace {

struct Interval {
  int64_t first, last;
};

// Coordinates of an array in terms of the coordinates of the values: an entry for each axis of the
// array.
using Coordinates = std::array<AxisMap, max_rank>;

// A node, and the coordinates at which the values read it.
struct Visit {
  const Node* node;
  Coordinates at;
  bool known = true;  // otherwise it may be read anywhere
};

// Finds the coordinates at which values read an array.
class SectionWalk {
 public:
  SectionWalk(const Node& values, const Node& array) : values_(values), array_(array) {}

  // Returns whether all of them are known.
  bool run() {
    constexpr int most_visits = 48;
    Visit first{&values_, {}};
    for (int axis = 0; axis < values_.shape.rank; ++axis) first.at[axis] = {axis, 1, 0};
    stack_.push_back(first);
    for (int visits = 0; !stack_.empty(); ++visits) {
      if (visits == most_visits) return false;
      const Visit visit = stack_.back();
      stack_.pop_back();
      if (visit.node != &array_) {
        push_inputs(visit);
        continue;
      }
      if (!visit.known) return false;
      reads_.push_back(visit.at);
    }
    return true;
  }

  // Returns what the values of a section read.
  SectionReads reads_of(const Coordinates& section) const {
    for (const Coordinates& read : reads_)
      if (!is_own(read, section) && !is_outside(read, section)) return SectionReads::others;
    return reads_.empty() ? SectionReads::nothing : SectionReads::own;
  }

  // Returns the first of the reads whose axes are those of the values, or null.
  const Coordinates* find_section() const {
    const auto is_section = [&](const Coordinates& read) {
      for (int axis = 0; axis < array_.shape.rank; ++axis)
        if (read[axis].axis != axis && values_.shape[axis] > 1) return false;
      return true;
    };
    const auto found = std::find_if(reads_.begin(), reads_.end(), is_section);
    return found == reads_.end() ? nullptr : &*found;
  }

 private:
  Interval range_of(const AxisMap& m) const {
    if (m.axis < 0) return {m.offset, m.offset};
    const int64_t end = m.offset + m.stride * (values_.shape[m.axis] - 1);
    return {std::min(m.offset, end), std::max(m.offset, end)};
  }

  bool is_own(const Coordinates& read, const Coordinates& section) const {
    for (int axis = 0; axis < array_.shape.rank; ++axis) {
      const AxisMap &r = read[axis], &written = section[axis];
      const bool single = values_.shape[axis] == 1;
      const bool varies_alike = r.axis == written.axis && r.stride == written.stride;
      const bool reads_one = r.axis < 0 || values_.shape[r.axis] == 1;
      if (r.offset != written.offset || !(varies_alike || (single && reads_one))) return false;
    }
    return true;
  }

  // Returns whether the elements that are read and those that are written differ on an axis.
  bool is_outside(const Coordinates& read, const Coordinates& section) const {
    for (int axis = 0; axis < array_.shape.rank; ++axis) {
      const Interval r = range_of(read[axis]), written = range_of(section[axis]);
      if (r.last < written.first || written.last < r.first) return true;
    }
    return false;
  }

  void push_inputs(const Visit& visit) {
    const Node& node = *visit.node;
    if (node.buffer) return;
    switch (node.kind) {
      case Kind::elementwise:
      case Kind::cast:
        for (const NodeRef& input : node.inputs()) {
          const bool same = input->shape == node.shape || input->shape.rank == 0;
          stack_.push_back({input.get(), visit.at, visit.known && same});
        }
        break;
      case Kind::affine:
        stack_.push_back(through(visit, *node.map));
        break;
      case Kind::gather:
      case Kind::program:
      case Kind::reshape:
        for (const NodeRef& input : node.inputs()) stack_.push_back({input.get(), {}, false});
        break;
      default:  // its elements are stored, or it has no inputs
        break;
    }
  }

  // Returns the visit of a transformation's input. Boundary rules are not followed.
  Visit through(const Visit& visit, const AffineMap& map) const {
    const Node& input = *visit.node->inputs()[0];
    Visit result{&input, {}, visit.known};
    for (int axis = 0; axis < input.shape.rank; ++axis) {
      const AxisMap& m = map.axes[axis];
      AxisMap& at = result.at[axis];
      at = {-1, 0, m.offset};
      if (m.axis >= 0 && visit.known) {
        const AxisMap& outer = visit.at[m.axis];
        at = {outer.axis, m.stride * outer.stride, m.stride * outer.offset + m.offset};
      }
      const Interval range = range_of(at);
      if (range.first < 0 || range.last >= input.shape[axis]) result.known = false;
    }
    return result;
  }

  const Node &values_, &array_;
  SmallVector<Visit> stack_;
  SmallVector<Coordinates> reads_;
};

}  // namespace

SectionReads section_reads(const Node& values, const Node& array, const AffineMap& section) {
  SectionWalk walk(values, array);
  return walk.run() ? walk.reads_of(section.axes) : SectionReads::others;
}

bool reads_one_section(const Node& values, const Node& array) {
  if (values.shape.rank != array.shape.rank) return false;
  SectionWalk walk(values, array);
  if (!walk.run()) return false;
  const Coordinates* section = walk.find_section();
  return section && walk.reads_of(*section) == SectionReads::own;
}

}  // namespace tutti::ir
