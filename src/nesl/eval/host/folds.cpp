// Nodes for reductions and ranges, which also work for the sequences of many elements at once. What
// they compute is what the primitives of primitives/scans.cpp and sequences.cpp do. Floats of 32
// bits, and operands that a primitive rejects, are left to the primitive itself.
#include <limits>
#include <string_view>

#include "nesl/eval/host/blocks.hpp"
#include "nesl/eval/host/typed.hpp"
#include "nesl/library/primitive.hpp"
#include "nesl/library/primitives/folds.hpp"

namespace tutti::nesl::host {
namespace {

// Of one sequence. `Function` gives the result of numbers that are held as T, and their count.
template <class R, class T, class Function>
class Fold final : public Typed<R, Fold<R, T, Function>> {
 public:
  explicit Fold(NodeRef sequence) : sequence_(std::move(sequence)) {}
  R compute(Frame& frame) const {
    const Operand sequence(*sequence_, frame);
    const std::span<const T> numbers = sequence->elements().numbers<T>();
    frame.machine.spend(static_cast<std::int64_t>(numbers.size()));
    return Function::of(numbers.data(), numbers.size());
  }
  bool works_in_blocks(InBlocks how) const override { return sequence_->rows_in_blocks(how); }
  void compute_block(Block& block, R* results) const {
    const auto rows = std::make_unique<RowColumn>();
    compute_rows(*sequence_, block, *rows);
    const T* numbers = rows->contents.elements().template numbers<T>().data();
    std::int64_t total = 0;
    for (std::size_t k = 0; k < block.count; ++k) {
      results[k] =
          Function::of(numbers + rows->begins[k], static_cast<std::size_t>(rows->length(k)));
      total += rows->length(k);
    }
    block.frame.machine.spend(total / times_faster_in_blocks);
  }

 private:
  const NodeRef sequence_;
};

template <Reduction reduction, class T>
struct Reduced {
  static T of(const folds::Held<T>* numbers, std::size_t count) {
    return folds::reduced<reduction, T>(numbers, count);
  }
};

// Leftmost of the best ones.
template <bool greatest, class T>
struct ExtremeIndex {
  static int of(const folds::Held<T>* numbers, std::size_t count) {
    int best = count == 0 ? std::numeric_limits<int>::max() : 0;
    for (int i = 1; i < static_cast<int>(count); ++i) {
      const T now = static_cast<T>(numbers[best]), other = static_cast<T>(numbers[i]);
      if (greatest ? now < other : other < now) best = i;
    }
    return best;
  }
};

template <Reduction on_numbers, Reduction on_bools>
NodeRef reduction(Mono element, NodeRef sequence) {
  return with_scalar(element->kind, [&](auto scalar, auto held) -> NodeRef {
    using T = decltype(scalar);
    constexpr Reduction reduction = std::is_same_v<T, bool> ? on_bools : on_numbers;
    if constexpr (ir::combines<T>(reduction))
      return std::make_unique<Fold<T, decltype(held), Reduced<reduction, T>>>(std::move(sequence));
    else
      throw InternalError("a reduction of elements that it is not for");
  });
}

template <bool greatest>
NodeRef extreme_index(Mono element, NodeRef sequence) {
  return with_scalar(element->kind, [&](auto scalar, auto held) -> NodeRef {
    using T = decltype(scalar);
    return std::make_unique<Fold<int, decltype(held), ExtremeIndex<greatest, T>>>(
        std::move(sequence));
  });
}

using Maker = NodeRef (*)(Mono, NodeRef);

const std::unordered_map<std::string_view, Maker>& makers() {
  static const std::unordered_map<std::string_view, Maker> table = {
#define NESL_FOLD(scan_name, fold_name, elements, on_numbers, on_bools, scan_text, fold_text) \
  {fold_name, reduction<Reduction::on_numbers, Reduction::on_bools>},
#include "nesl/library/folds.def"
      {"max_index", extreme_index<true>},
      {"min_index", extreme_index<false>},
  };
  return table;
}

// [first:end:stride]
class Range final : public Node {
 public:
  Range(const CoreExpr& expr, Compiler& compiler)
      : expr_(expr), function_(compiler.function()), operands_(compiler.nodes(expr)) {}
  Value value(Frame& frame) const override {
    const Value operands[] = {operands_[0]->value(frame), operands_[1]->value(frame),
                              operands_[2]->value(frame)};
    const Mono types[] = {mono::integer(), mono::integer(), mono::integer()};
    return at_place(expr_, function_, frame.machine, [&] {
      return expr_.primitive->run({operands, types, expr_.type, frame.machine});
    });
  }
  bool rows_in_blocks(InBlocks how) const override {
    return std::all_of(operands_.begin(), operands_.end(),
                       [&](const NodeRef& operand) { return operand->works_in_blocks(how); });
  }
  void rows(Block& block, RowColumn& out) const override {
    int rooms[3][block_length];
    const int* first = operands_[0]->block(block, rooms[0]);
    const int* stride = operands_[1]->block(block, rooms[1]);
    const int* end = operands_[2]->block(block, rooms[2]);
    if (block.failed) throw BlockFailed();
    constexpr auto most_numbers = static_cast<std::int64_t>(block_length * Values::longest_row);
    std::int64_t total = 0;
    for (std::size_t k = 0; k < block.count; ++k) {
      if (stride[k] < 1 || end[k] < first[k]) throw BlockFailed();
      const std::int64_t length = (std::int64_t{end[k]} - first[k] - 1 + stride[k]) / stride[k];
      out.begins[k] = static_cast<int>(total);
      total += length;
      if (total > most_numbers) throw BlockFailed();
      out.ends[k] = static_cast<int>(total);
    }
    block.frame.machine.spend(total / times_faster_in_blocks);
    std::vector<int> numbers(static_cast<std::size_t>(total));
    int* to = numbers.data();
    for (std::size_t k = 0; k < block.count; ++k) {
      const int length = out.length(k), from = first[k], step = stride[k];
      for (int i = 0; i < length; ++i) *to++ = from + i * step;
    }
    out.objects = nullptr;
    out.contents = Values(std::move(numbers));
  }

 private:
  const CoreExpr& expr_;
  const CoreFunction& function_;
  const std::vector<NodeRef> operands_;
};

}  // namespace

NodeRef fold_primitive(const CoreExpr& expr, Compiler& compiler) {
  if (std::string_view(expr.primitive->name) == "iseq")
    return std::make_unique<Range>(expr, compiler);
  const auto maker = makers().find(expr.primitive->name);
  if (maker == makers().end()) return nullptr;
  const Mono element = mono::representation(expr.operands[0]->type->a);
  if (element->single) return nullptr;
  return maker->second(element, compiler.node(*expr.operands[0]));
}

}  // namespace tutti::nesl::host
