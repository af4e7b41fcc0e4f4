#include "compiler/kernel_passes/interleave_tuples.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>

namespace tutti::compiler {
namespace {

constexpr int widest = 16;  // bytes of one access

class Joining {
 public:
  explicit Joining(Kernel& kernel) : kernel_(kernel) {}

  void run() {
    if (kernel_.form != Form::map || !kernel_.programs.empty()) return;
    find_indices();
    for (const std::vector<int>& members : groups()) {
      if (!pays(members)) continue;
      const bool all_often = std::all_of(members.begin(), members.end(), [&](int member) {
        return kernel_.sources[member].gathered_often;
      });
      for (int member : members) kernel_.gathered.push_back(kernel_.sources[member].id);
      if (all_often) join(members);
    }
    drop_unused_sources();
  }

 private:
  bool is_gathered(const Load& load) const {
    return std::any_of(load.axes.begin(), load.axes.end(), [&](const Load::Axis& axis) {
      return kernel_.indices[axis.index].is_computed();
    });
  }

  // Finds the indices at which each source is read, and the sources that cannot be joined.
  void find_indices() {
    indices_.resize(kernel_.sources.size());
    for (const Load& load : kernel_.loads) {
      std::vector<int> place;
      for (const Load::Axis& axis : load.axes)
        place.insert(place.end(), {axis.index, axis.source_axis});
      indices_[load.source].push_back(std::move(place));
      if (!is_gathered(load) || kernel_.sources[load.source].is_value) others_.insert(load.source);
    }
    for (auto& indices : indices_) std::sort(indices.begin(), indices.end());
  }

  // Returns groups of arrays with one type and shape that are read at the same indices.
  std::vector<std::vector<int>> groups() const {
    std::map<std::tuple<ElementType, std::vector<int64_t>, std::vector<std::vector<int>>>,
             std::vector<int>>
        found;
    for (int s = 0; s < static_cast<int>(kernel_.sources.size()); ++s) {
      const Source& source = kernel_.sources[s];
      if (others_.count(s) || indices_[s].empty()) continue;
      found[{source.type, {source.shape.begin(), source.shape.end()}, indices_[s]}].push_back(s);
    }
    std::vector<std::vector<int>> result;
    for (auto& entry : found) result.push_back(std::move(entry.second));
    return result;
  }

  static int parts_for(size_t members) {
    return static_cast<int>(std::bit_ceil(static_cast<unsigned>(members)));
  }

  // Making the copy takes as long as a few such kernels save.
  bool pays(const std::vector<int>& members) const {
    const Source& source = kernel_.sources[members[0]];
    const auto reads = static_cast<int64_t>(indices_[members[0]].size()) * kernel_.domain.size();
    return members.size() > 1 && size_of(source.type) >= 4 &&
           parts_for(members.size()) * size_of(source.type) <= widest &&
           reads >= 2 * source.shape.size();
  }

  void join(const std::vector<int>& members) {
    Source joined = kernel_.sources[members[0]];
    joined.parts = parts_for(members.size());
    for (int member : members) joined.members.push_back(kernel_.sources[member].id);
    const auto number = static_cast<int>(kernel_.sources.size());
    kernel_.sources.push_back(std::move(joined));
    for (Load& load : kernel_.loads) {
      const auto found = std::find(members.begin(), members.end(), load.source);
      if (found == members.end()) continue;
      load.part = static_cast<int>(found - members.begin());
      load.source = number;
    }
  }

  void drop_unused_sources() {
    std::vector<int> moved(kernel_.sources.size(), -1);
    std::vector<Source> kept;
    for (Load& load : kernel_.loads) {
      int& place = moved[load.source];
      if (place < 0) {
        place = static_cast<int>(kept.size());
        kept.push_back(kernel_.sources[load.source]);
      }
      load.source = place;
    }
    kernel_.sources = std::move(kept);
  }

  Kernel& kernel_;
  std::vector<std::vector<std::vector<int>>> indices_;  // by source
  std::set<int> others_;  // sources that are read otherwise, or that a step of the plan writes
};

}  // namespace

void interleave_tuples(Kernel& kernel) { Joining(kernel).run(); }

}  // namespace tutti::compiler
