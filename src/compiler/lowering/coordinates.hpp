// The coordinates of a kernel: index expressions over the axes of its domain, by number. In: the
// list of a kernel. Each function returns the number of an expression and appends it if it is new.
// Affine maps compose, known coordinates are folded, and a boundary rule that cannot apply
// disappears. Invariant: low and high of an expression bound its values.
#pragma once
#include <map>
#include <tuple>
#include <vector>

#include "compiler/kernel/kernel.hpp"

namespace tutti::compiler {

class Coordinates {
 public:
  explicit Coordinates(std::vector<IndexExpr>& indices) : indices_(indices) {}

  int axis(int dim, int64_t extent);  // axis `dim` of the domain
  int constant(int64_t value);
  int argument(int slot, int64_t extent);  // scalar argument `slot`, on an axis of this extent
  int affine(int source, int64_t scale, int64_t offset);
  int computed(int instruction, int64_t low, int64_t high);  // the result of an instruction
  int clamped(int source, int64_t extent);
  int wrapped(int source, int64_t extent);

  bool is_inside(int index, int64_t extent) const {
    return at(index).low >= 0 && at(index).high < extent;
  }
  const IndexExpr& at(int index) const { return indices_[static_cast<size_t>(index)]; }

 private:
  int add(const IndexExpr& e);
  int ruled(IndexExpr::Kind rule, int source, int64_t extent, int64_t low, int64_t high);
  int around_once(int index, int64_t extent);
  bool stays_narrow(int source, int64_t scale, int64_t offset) const;

  std::vector<IndexExpr>& indices_;
  std::map<std::tuple<IndexExpr::Kind, int, int, int64_t, int64_t, int64_t, int>, int> numbers_;
};

}  // namespace tutti::compiler
