// Nodes for the length of a sequence and for one of its elements.
#include <optional>

#include "nesl/eval/host/typed.hpp"

namespace tutti::nesl::host {
namespace {

class Length final : public Typed<int, Length> {
 public:
  explicit Length(std::vector<NodeRef> operands) : sequence_(std::move(operands[0])) {}
  int compute(Frame& frame) const {
    const Operand sequence(*sequence_, frame);
    return static_cast<int>(sequence->elements().size());
  }
  bool works_in_blocks(InBlocks how) const override {
    return sequence_->is_uniform() || sequence_->rows_in_blocks(how);
  }
  void compute_block(Block& block, int* results) const {
    if (sequence_->is_uniform() && !sequence_->varies(block)) {
      std::fill_n(results, block.count, compute(block.frame));
      return;
    }
    if (!has_rows(*sequence_)) throw BlockFailed();
    const auto rows = std::make_unique<RowColumn>();
    sequence_->rows(block, *rows);
    for (std::size_t k = 0; k < block.count; ++k)
      results[k] =
          rows->objects ? static_cast<int>(rows->objects[k].elements().size()) : rows->length(k);
  }

 private:
  const NodeRef sequence_;
};

// T is the type of the numbers that hold the elements, R that of an element.
template <class R, class T>
class Element final : public Blockwise<Element<R, T>> {
 public:
  Element(const CoreExpr& expr, Compiler& compiler)
      : expr_(expr),
        function_(compiler.function()),
        sequence_(compiler.node(*expr.operands[0])),
        index_(compiler.node(*expr.operands[1])),
        index_drops_(!compiler.done_after(*expr.operands[1]).empty()) {}
  Value value(Frame& frame) const override { return read<Value>(frame); }
  int integer(Frame& frame) const override { return read<int>(frame); }
  double floating(Frame& frame) const override { return read<double>(frame); }
  bool boolean(Frame& frame) const override { return read<bool>(frame); }
  unsigned char character(Frame& frame) const override { return read<unsigned char>(frame); }
  bool works_in_blocks(InBlocks how) const override {
    return !std::is_same_v<R, Value> && has_elements(how);
  }
  bool rows_in_blocks(InBlocks how) const override {
    return expr_.type->kind == MonoType::Kind::sequence && has_elements(how);
  }
  bool appends_in_blocks(Mono, InBlocks how) const override { return has_elements(how); }
  template <class To>
  const To* in_block(Block& block, To* room) const {
    if constexpr (std::is_same_v<To, R>) {
      const Elements its(*this, block);
      const std::span<const T> numbers = its.sequence().template numbers<T>();
      for (std::size_t k = 0; k < block.count; ++k)
        room[k] = its.at[k] < 0 ? R{} : static_cast<R>(numbers[its.at[k]]);
      return room;
    } else {
      this->no_blocks();
    }
  }
  void rows(Block& block, RowColumn& out) const override {
    const Elements its(*this, block);
    if (block.failed) throw BlockFailed();
    out.objects = nullptr;
    if (!its.sequence().are_rows()) {
      const Values objects = its.sequence().gathered({its.at, block.count});
      load_rows(objects, 0, block.count, out);
      if (out.objects) throw BlockFailed();
      return;
    }
    out.contents = its.sequence().contents();
    const std::span<const int> offsets = its.sequence().offsets();
    for (std::size_t k = 0; k < block.count; ++k) {
      out.begins[k] = offsets[its.at[k]];
      out.ends[k] = offsets[its.at[k] + 1];
    }
  }
  void append_block(Block& block, Mono, const bool* flags, Values& values) const override {
    const Elements its(*this, block);
    if (block.failed) return;
    std::vector<int> chosen = chosen_elements(block, flags);
    for (int& k : chosen) k = its.at[k];
    values.append(its.sequence().gathered(chosen));
  }

 private:
  bool has_elements(InBlocks how) const {
    return (sequence_->is_uniform() || sequence_->rows_in_blocks(how)) &&
           index_->works_in_blocks(how);
  }
  // Where the elements of a block are, in one sequence. The block has failed if one is nowhere.
  struct Elements {
    Elements(const Element& element, Block& block) {
      const Node& node = *element.sequence_;
      int room[block_length];
      if (node.is_uniform() && !node.varies(block)) {
        whole.emplace(node, block.frame);
        const int length = static_cast<int>(sequence().size());
        find(block, element.index_->block(block, room),
             [&](std::size_t) { return std::pair(0, length); });
      } else {
        rows = std::make_unique<RowColumn>();
        if (!has_rows(node)) throw BlockFailed();
        compute_rows(node, block, *rows);
        find(block, element.index_->block(block, room),
             [&](std::size_t k) { return std::pair(rows->begins[k], rows->ends[k]); });
      }
    }
    template <class Range>
    void find(Block& block, const int* indices, const Range& range) {
      bool all = true;
      for (std::size_t k = 0; k < block.count; ++k) {
        const auto [begin, end] = range(k);
        const bool is_inside = indices[k] >= 0 && indices[k] < end - begin;
        all = all && is_inside;
        at[k] = is_inside ? begin + indices[k] : -1;
      }
      block.failed = block.failed || !all;
    }
    const Values& sequence() const {
      return whole ? (**whole).elements() : rows->contents.elements();
    }

    std::optional<Operand> whole;
    std::unique_ptr<RowColumn> rows;
    int at[block_length];  // -1: outside
  };

  template <class To>
  To read(Frame& frame) const {
    if constexpr (std::is_same_v<To, R> || std::is_same_v<To, Value>) {
      if (index_drops_) return read_from<To>(sequence_->value(frame), frame);
      const Operand sequence(*sequence_, frame);
      return read_from<To>(*sequence, frame);
    } else {
      throw InternalError("an element of another type than the evaluator expects");
    }
  }
  template <class To>
  To read_from(const Value& sequence, Frame& frame) const {
    const int index = index_->integer(frame);
    const Values& elements = sequence.elements();
    if constexpr (std::is_same_v<R, Value>) {
      if (static_cast<std::size_t>(index) >= elements.size())
        return outside(frame, sequence, index);
      return elements[index];
    } else {
      const std::span<const T> numbers = elements.template numbers<T>();
      if (static_cast<std::size_t>(index) >= numbers.size())
        return scalar<R>(outside(frame, sequence, index));
      return static_cast<R>(numbers[index]);
    }
  }
  // An error, or anything after another one.
  [[gnu::noinline]] Value outside(Frame& frame, const Value& sequence, int index) const {
    const Value operands[] = {sequence, index};
    Value anything = applied(expr_, function_, frame.machine, operands);
    if (!frame.machine.has_failed())
      throw InternalError("an index that is outside for one evaluator alone");
    return anything;
  }
  const CoreExpr& expr_;
  const CoreFunction& function_;
  const NodeRef sequence_, index_;
  const bool index_drops_;  // the sequence may be in a slot that is emptied then
};

}  // namespace

NodeRef element_node(const CoreExpr& expr, Compiler& compiler) {
  switch (mono::representation(expr.type)->kind) {
    case MonoType::Kind::integer:
      return std::make_unique<Element<int, int>>(expr, compiler);
    case MonoType::Kind::floating:
      return std::make_unique<Element<double, double>>(expr, compiler);
    case MonoType::Kind::boolean:
      return std::make_unique<Element<bool, Values::Flag>>(expr, compiler);
    case MonoType::Kind::character:
      return std::make_unique<Element<unsigned char, unsigned char>>(expr, compiler);
    default:
      return std::make_unique<Element<Value, Value>>(expr, compiler);
  }
}

NodeRef length_node(const CoreExpr& expr, Compiler& compiler) {
  return std::make_unique<Length>(compiler.nodes(expr));
}

}  // namespace tutti::nesl::host
