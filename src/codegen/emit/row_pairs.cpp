// The part of RowEmitter that gathers neighbours together. Interpolation reads elements j and j + 1
// of a row for a computed j. A gather takes time for each element, whatever its size. So where two
// loads read neighbours in all lanes, one gather of pairs replaces two gathers. In: loads of one
// array that differ in their last coordinate only. Out: the elements of both. Nothing is read but
// the elements of the two loads.
#include <algorithm>
#include <set>
#include <vector>

#include "codegen/emit/branches.hpp"
#include "codegen/emit/row_emitter.hpp"

namespace tutti::codegen {

using compiler::Load;
using llvm::Value;

namespace {

bool same_axes(const Load& a, const Load& b) {
  return std::equal(a.axes.begin(), a.axes.end(), b.axes.begin(), b.axes.end(),
                    [](const auto& x, const auto& y) {
                      return x.index == y.index && x.source_axis == y.source_axis;
                    });
}

// Returns whether two loads of one array may read neighbours: they differ on its last axis only.
bool may_be_neighbours(const compiler::Kernel& kernel, const Load& a, const Load& b) {
  const compiler::Source& source = kernel.sources[static_cast<size_t>(a.source)];
  const auto is_last = [&](const Load::Axis& axis) {
    return axis.source_axis == source.shape.rank - 1;
  };
  return a.source == b.source && !same_axes(a, b) &&
         std::equal(a.axes.begin(), a.axes.end(), b.axes.begin(), b.axes.end(),
                    [&](const auto& x, const auto& y) {
                      return x.source_axis == y.source_axis && (x.index == y.index || is_last(x));
                    });
}

// The loads that the coordinates of a load are computed from, directly or not.
class LoadsBelow {
 public:
  LoadsBelow(const compiler::Kernel& kernel, const Load& load)
      : kernel_(kernel), seen_(kernel.code.size(), false) {
    add_axes(load);
  }
  const std::set<int>& numbers() const { return loads_; }

 private:
  void add_axes(const Load& load) {
    for (const Load::Axis& axis : load.axes) add_index(axis.index);
  }

  void add_index(int index) {
    const compiler::IndexExpr& e = kernel_.indices[static_cast<size_t>(index)];
    if (e.kind == compiler::IndexExpr::Kind::gathered) return add(e.source);
    if (e.is_derived()) add_index(e.source);
  }

  void add(int instruction) {
    if (instruction < 0 || seen_[static_cast<size_t>(instruction)]) return;
    seen_[static_cast<size_t>(instruction)] = true;
    using Kind = compiler::Instruction::Kind;
    const compiler::Instruction& in = kernel_.code[static_cast<size_t>(instruction)];
    if (in.kind == Kind::load && loads_.insert(in.slot).second)
      add_axes(kernel_.loads[static_cast<size_t>(in.slot)]);
    if (in.kind == Kind::index || in.kind == Kind::inside) add_index(in.slot);
    if (in.kind == Kind::program)
      for (int argument : kernel_.programs[static_cast<size_t>(in.slot)].arguments) add(argument);
    for (int input : in.inputs) add(input);
  }

  const compiler::Kernel& kernel_;
  std::vector<bool> seen_;  // by instruction
  std::set<int> loads_;
};

}  // namespace

// Decides whether the elements of a load are gathered, so that a pair takes less time.
bool RowEmitter::gathers_words(const Load& load) const {
  const compiler::Source& source = kernel_.sources[load.source];
  const int bytes = size_of(source.type);
  if (source.parts > 1 || load.axes.empty() || (bytes != 2 && bytes != 4)) return false;
  const Load::Axis& last = load.axes.back();
  return last.source_axis == source.shape.rank - 1 && kernel_.indices[last.index].is_computed() &&
         index_level(last.index) == 2 && !may_follow_inner(last.index) &&
         !(varies_alone(load) && may_lie_close(last.index));
}

// Fills pairs_: each load is in one pair at most. The coordinates of a pair follow from the same
// loads. So they never follow from the pair itself, nor from a pair that waits for this one.
void RowEmitter::find_pairs() {
  pairs_.assign(kernel_.loads.size(), -1);
  if (builder_.gpu() || !machine_.gathers || lanes_ < 4 || kernel_.repeat.steps) return;
  std::vector<int> candidates;
  std::vector<std::set<int>> below;  // by candidate
  for (int n = 0; n < static_cast<int>(pairs_.size()); ++n) {
    const Load& load = kernel_.loads[n];
    if (!gathers_words(load)) continue;
    candidates.push_back(n);
    below.push_back(LoadsBelow(kernel_, load).numbers());
  }
  for (size_t i = 0; i < candidates.size(); ++i) {
    const int a = candidates[i];
    for (size_t k = i + 1; k < candidates.size() && pairs_[a] < 0; ++k) {
      const int b = candidates[k];
      if (pairs_[b] >= 0 || below[i] != below[k] ||
          !may_be_neighbours(kernel_, kernel_.loads[a], kernel_.loads[b]))
        continue;
      pairs_[a] = b;
      pairs_[b] = a;
    }
  }
}

// Returns the loads that are paired like this one: those of arrays of the same shape at the same
// coordinates, such as the colours of a pixel.
std::vector<int> RowEmitter::paired_alike(int number) const {
  const Load &a = kernel_.loads[number], &b = kernel_.loads[pairs_[number]];
  const int alike = kernel_.sources[a.source].alike;
  std::vector<int> result{number};
  for (int n = 0; n < static_cast<int>(pairs_.size()); ++n) {
    const Load& other = kernel_.loads[n];
    if (n == number || pairs_[n] < 0 || alike < 0 || other.source == given_source_) continue;
    if (kernel_.sources[other.source].alike == alike && same_axes(other, a) &&
        same_axes(kernel_.loads[pairs_[n]], b))
      result.push_back(n);
  }
  return result;
}

// Gathers the elements of two loads, which lie side by side from `lower` on. The second load reads
// the first of them where `swapped` is true.
std::array<Value*, 2> RowEmitter::gather_pair(llvm::Type* element, Value* pointer, Value* lower,
                                              Value* swapped, int bytes) {
  llvm::Type* both = builder_.getIntNTy(static_cast<unsigned>(16 * bytes));
  Value* mask =
      inner_.mask ? inner_.mask : llvm::ConstantInt::getTrue(vector_of(builder_.getInt1Ty()));
  Value* pairs =
      builder_.CreateMaskedGather(vector_of(both), builder_.CreateGEP(element, pointer, lower),
                                  llvm::Align(static_cast<uint64_t>(bytes)), mask);
  auto* elements = llvm::FixedVectorType::get(element, static_cast<unsigned>(2 * lanes_));
  Value* split = builder_.CreateBitCast(pairs, elements);
  std::array<Value*, 2> parts{};
  for (int part = 0; part < 2; ++part) {
    std::vector<int> lanes(static_cast<size_t>(lanes_));
    for (int lane = 0; lane < lanes_; ++lane) lanes[static_cast<size_t>(lane)] = 2 * lane + part;
    parts[static_cast<size_t>(part)] = builder_.CreateShuffleVector(split, lanes);
  }
  return {builder_.CreateSelect(swapped, parts[1], parts[0]),
          builder_.CreateSelect(swapped, parts[0], parts[1])};
}

// Returns the elements of a load that is one of a pair. What later code shares, such as addresses,
// is emitted before the branch.
Value* RowEmitter::load_paired(int number) {
  std::map<int, Value*>& known = emitted_[2].paired;
  if (const auto found = known.find(number); found != known.end()) return found->second;
  const std::vector<int> firsts = paired_alike(number);
  Value *a = lane_offsets(kernel_.loads[number]), *b = lane_offsets(kernel_.loads[pairs_[number]]);
  std::vector<Value*> pointers;
  for (int n : firsts) pointers.push_back(row_pointer(kernel_.loads[n]));
  Value* apart = builder_.CreateSub(b, a);
  Value* distance =
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, apart, builder_.getFalse());
  Value* neighbours =
      builder_.CreateICmpEQ(distance, llvm::ConstantInt::get(distance->getType(), 1));
  if (inner_.mask) neighbours = builder_.CreateOr(neighbours, builder_.CreateNot(inner_.mask));
  Value* swapped = builder_.CreateICmpSLT(apart, llvm::Constant::getNullValue(apart->getType()));
  Value* lower = builder_.CreateSelect(swapped, b, a);

  std::vector<std::array<Value*, 2>> loaded[2];  // by branch, by pair
  llvm::BasicBlock* from[2] = {};
  const auto element_at = [&](size_t k) {
    return memory_type(builder_.getContext(),
                       kernel_.sources[kernel_.loads[firsts[k]].source].type);
  };
  const auto bytes_at = [&](size_t k) {
    return size_of(kernel_.sources[kernel_.loads[firsts[k]].source].type);
  };
  emit_if(
      builder_, builder_.CreateAndReduce(neighbours),
      [&] {
        for (size_t k = 0; k < firsts.size(); ++k)
          loaded[0].push_back(gather_pair(element_at(k), pointers[k], lower, swapped, bytes_at(k)));
        from[0] = builder_.GetInsertBlock();
      },
      [&] {
        for (size_t k = 0; k < firsts.size(); ++k)
          loaded[1].push_back({gather(element_at(k), pointers[k], a, bytes_at(k)),
                               gather(element_at(k), pointers[k], b, bytes_at(k))});
        from[1] = builder_.GetInsertBlock();
      });
  for (size_t k = 0; k < firsts.size(); ++k)
    for (size_t side = 0; side < 2; ++side) {
      llvm::PHINode* phi = builder_.CreatePHI(loaded[0][k][side]->getType(), 2);
      for (size_t way = 0; way < 2; ++way) phi->addIncoming(loaded[way][k][side], from[way]);
      known[side ? pairs_[firsts[k]] : firsts[k]] = phi;
    }
  return known[number];
}

}  // namespace tutti::codegen
