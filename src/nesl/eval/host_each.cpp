// Nodes for apply-to-each and for primitives on values. The results of an apply-to-each are added
// one by one to the sequence, so that it can be left after any element and gone on with.
#include <algorithm>
#include <atomic>
#include <cstring>

#include "nesl/core/free_variables.hpp"
#include "nesl/eval/core_walk.hpp"
#include "nesl/eval/flat/convert.hpp"
#include "nesl/eval/flat/evaluator.hpp"
#include "nesl/eval/host_blocks.hpp"
#include "nesl/eval/plain_evaluator.hpp"
#include "nesl/library/primitive.hpp"

namespace tutti::nesl::host {
namespace {

// ---- primitives

template <std::size_t most>
class General final : public Node {
 public:
  General(const CoreExpr& expr, Compiler& compiler)
      : expr_(expr), function_(compiler.function()), operands_(compiler.nodes(expr)) {
    for (const CoreRef& operand : expr.operands) types_.push_back(operand->type);
  }
  Value value(Frame& frame) const override {
    Value arguments[most];
    for (std::size_t i = 0; i < operands_.size(); ++i) arguments[i] = operands_[i]->value(frame);
    return at_place(expr_, function_, frame.machine, [&] {
      return expr_.primitive->run(
          {{arguments, operands_.size()}, types_, expr_.type, frame.machine});
    });
  }

 private:
  const CoreExpr& expr_;
  const CoreFunction& function_;
  const std::vector<NodeRef> operands_;
  std::vector<Mono> types_;
};

// ---- apply-to-each

// Reads the elements of a sequence into a slot.
class Source {
 public:
  Source(const Values& values, Value& slot)
      : values_(values),
        slot_(slot),
        integers_(values.numbers<int>().data()),
        floats_(values.numbers<double>().data()) {}
  void load(std::size_t k) const {
    if (integers_)
      slot_ = integers_[k];
    else if (floats_)
      slot_ = floats_[k];
    else
      slot_ = values_[k];
  }

 private:
  const Values& values_;
  Value& slot_;
  const int* integers_;
  const double* floats_;
};

// The elements of a sequence from one on; null if they are pairs.
const void* column_from(const Values& values, std::size_t k) {
  if (const auto numbers = values.numbers<int>(); !numbers.empty()) return &numbers[k];
  if (const auto numbers = values.numbers<double>(); !numbers.empty()) return &numbers[k];
  if (const auto numbers = values.numbers<Values::Flag>(); !numbers.empty()) return &numbers[k];
  if (const auto numbers = values.numbers<unsigned char>(); !numbers.empty()) return &numbers[k];
  if (const auto elements = values.numbers<Value>(); !elements.empty()) return &elements[k];
  return nullptr;
}

// Calls `work` with the sequences of the components of a variable and their slots.
template <class Work>
void for_components(const Values& values, Mono type, int& slot, const Work& work) {
  if (type->kind != MonoType::Kind::pair) return work(values, slot++);
  for_components(values.column(0), type->a, slot, work);
  for_components(values.column(1), type->b, slot, work);
}

constexpr std::size_t fewest_for_blocks = 8;

// What prints or draws random numbers does so operation by operation for all elements, as contexts
// do: the output must not depend on the evaluator.
Value each_in_contexts(const CoreExpr& expr, const Code& code, Frame& frame) {
  std::vector<nested::Value> slots(code.function.slots);
  for (const auto& [slot, type] : free_variables(expr))
    slots[slot] = flat::to_flat(code.value(slot, frame.slots), type);
  flat::Evaluator evaluator(frame.machine);
  return flat::to_plain(evaluator.run_part(code.function, expr, std::move(slots)), expr.type);
}

// What all kinds of apply-to-each share.
class Each : public EachNode {
 public:
  Each(const CoreExpr& expr, Compiler& compiler)
      : expr_(expr), code_(compiler.code()), steps_(steps_of(*expr.operands.back())) {
    for (std::size_t i = 0; i < expr.slots.size(); ++i)
      sequences_.push_back(compiler.node(*expr.operands[i]));
    for (std::size_t i = 0; i < expr.slots.size(); ++i) {
      const Mono type = expr.operands[i]->type->a;
      const Tuple* tuple = compiler.take_apart(expr.slots[i], type);
      variables_.push_back(tuple ? *tuple : Tuple{mono::representation(type), expr.slots[i]});
      if (!tuple && variables_.back().type->kind == MonoType::Kind::pair)
        variables_.back().type = type;  // a record, which is one value
    }
    for (int slot : expr.once_slots) flags_.push_back(compiler.flag_of(slot));
    body_ = compiler.node(*expr.operands.back());
    compiler.add_each(expr, *this);
  }
  Value value(Frame& frame) const final {
    if (expr_.effects && !expr_.serial) return each_in_contexts(expr_, code_, frame);
    Values results;
    with_sequences(frame, [&](const Value* sequences) { add_results(frame, sequences, results); });
    return Value(std::move(results));
  }
  // Calls `work` with the sequences, which have one length.
  template <class Work>
  void with_sequences(Frame& frame, const Work& work) const {
    if (sequences_.size() == 1) {
      const Operand sequence(*sequences_[0], frame);
      return work(&*sequence);
    }
    std::vector<Value> sequences;
    for (const NodeRef& sequence : sequences_) sequences.push_back(sequence->value(frame));
    check(sequences, frame.machine);
    work(sequences.data());
  }
  // Calls `work` for each element from the one at `begin` on, with its slots filled.
  template <class Work>
  void for_elements(Frame& frame, const Value* sequences, std::size_t begin,
                    const Work& work) const {
    for (int flag : flags_) frame.slots[flag] = false;
    std::vector<Source> sources;
    for_columns(sequences, [&](const Values& values, int slot) {
      sources.emplace_back(values, frame.slots[slot]);
    });
    const std::size_t length = sequences[0].elements().size();
    for (std::size_t k = begin; k < length; ++k) {
      frame.machine.spend(steps_);
      for (const Source& source : sources) source.load(k);
      work();
    }
  }
  // Calls `work` with one block of elements after the other, from `begin` on, as long as it returns
  // true and the body works so.
  template <class Work>
  void for_blocks(Frame& frame, const Value* sequences, std::size_t begin, const Work& work) const {
    const std::size_t length = sequences[0].elements().size();
    if (length < begin + fewest_for_blocks || frame.machine.observer.is_on() || !works_in_blocks())
      return;
    Block block{frame, 0, std::vector<const void*>(code_.slots), false};
    for (std::size_t k = begin; k < length; k += block.count) {
      block.count = std::min(block_length, length - k);
      bool all = true;
      for_columns(sequences, [&](const Values& values, int slot) {
        block.columns[slot] = column_from(values, k);
        all = all && block.columns[slot];
      });
      if (!all) return;
      frame.machine.spend(steps_ * static_cast<std::int64_t>(block.count) / times_faster_in_blocks);
      if (!work(block)) return;
    }
  }
  const Node& body() const { return *body_; }
  // What a result consists of.
  Mono element() const { return mono::representation(expr_.type->a); }

 private:
  // Found out when it is first asked, since functions that are called may not be there before.
  bool works_in_blocks() const {
    if (blocks_ == Blocks::unknown)
      blocks_ = body_->appends_in_blocks(element(), deepest_calls_in_blocks) ? Blocks::work
                                                                             : Blocks::fail;
    return blocks_ == Blocks::work;
  }
  // Calls `work` with a sequence and a slot for each component of the variables.
  template <class Work>
  void for_columns(const Value* sequences, const Work& work) const {
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      int slot = variables_[i].first;
      for_components(sequences[i].elements(), variables_[i].type, slot, work);
    }
  }

  void check(const std::vector<Value>& sequences, Machine& machine) const {
    at_place(expr_, code_.function, machine, [&] {
      for (const Value& sequence : sequences)
        check_lengths(sequences[0].elements().size(), sequence.elements().size());
    });
  }

  const CoreExpr& expr_;
  const Code& code_;
  const std::int64_t steps_;
  std::vector<NodeRef> sequences_;
  std::vector<Tuple> variables_;
  std::vector<int> flags_;
  NodeRef body_;
  enum class Blocks : signed char { unknown, work, fail };
  mutable std::atomic<Blocks> blocks_{Blocks::unknown};
};

// T is the type of a result, N that of the numbers that hold them.
template <class T, class N>
class All final : public Each {
 public:
  using Each::Each;
  void add_results(Frame& frame, const Value* sequences, Values& results) const override {
    const std::size_t length = sequences[0].elements().size();
    if (length == 0) return;
    if constexpr (std::is_same_v<T, Value>) {
      for_blocks(frame, sequences, results.size(), [&](Block& block) {
        Values more;  // some of its columns may fail
        body().append_block(block, element(), nullptr, more);
        if (!block.failed) results.append(more);
        return !block.failed;
      });
      results.reserve(length);
      for_elements(frame, sequences, results.size(),
                   [&] { results.push_back(body().value(frame)); });
    } else {
      std::vector<N>& all = results.begin<N>(length);
      for_blocks(frame, sequences, all.size(), [&](Block& block) {
        body().append_block(block, element(), nullptr, results);
        return !block.failed;
      });
      for_elements(frame, sequences, all.size(), [&] { all.push_back(N{get<T>(body(), frame)}); });
    }
  }
};

// Of an apply-to-each whose body is a pair of a result and a flag: the results with the flag t. The
// body is evaluated for all elements, as the language has it.
template <class T, class N>
class Filtered final : public Node {
 public:
  Filtered(const CoreExpr& expr, Compiler& compiler)
      : each_(std::make_unique<All<Value, Value>>(expr, compiler)) {}
  Value value(Frame& frame) const override {
    const auto& pair = static_cast<const PairNode&>(each_->body());
    Values some;
    each_->with_sequences(frame, [&](const Value* sequences) {
      std::size_t done = 0;
      each_->for_blocks(frame, sequences, 0, [&](Block& block) {
        bool room[block_length];
        const bool* flags = pair.second().block(block, room);
        Values more;
        pair.first().append_block(block, mono::representation(each_->element()->a), flags, more);
        if (block.failed) return false;
        some.append(more);
        done += block.count;
        return true;
      });
      each_->for_elements(frame, sequences, done, [&] {
        T result = get<T>(pair.first(), frame);
        if (pair.second().boolean(frame)) some.push_back(std::move(result));
      });
    });
    return Value(std::move(some));
  }

 private:
  const std::unique_ptr<All<Value, Value>> each_;
};

template <template <class, class> class Node>
NodeRef made(Mono element, const CoreExpr& expr, Compiler& compiler) {
  switch (mono::representation(element)->kind) {
    case MonoType::Kind::integer:
      return std::make_unique<Node<int, int>>(expr, compiler);
    case MonoType::Kind::floating:
      return std::make_unique<Node<double, double>>(expr, compiler);
    case MonoType::Kind::boolean:
      return std::make_unique<Node<bool, Values::Flag>>(expr, compiler);
    case MonoType::Kind::character:
      return std::make_unique<Node<unsigned char, unsigned char>>(expr, compiler);
    default:
      return std::make_unique<Node<Value, Value>>(expr, compiler);
  }
}

}  // namespace

NodeRef general_primitive(const CoreExpr& expr, Compiler& compiler) {
  if (expr.operands.size() <= few_operands)
    return std::make_unique<General<few_operands>>(expr, compiler);
  return std::make_unique<General<most_operands>>(expr, compiler);
}

NodeRef each(const CoreExpr& expr, Compiler& compiler) {
  return made<All>(expr.type->a, expr, compiler);
}

NodeRef filtered_each(const CoreExpr& expr, Compiler& compiler) {
  if (std::strcmp(expr.primitive->name, "pack") != 0) return nullptr;
  const CoreExpr& operand = *expr.operands[0];
  if (operand.kind != CoreExpr::Kind::each || (operand.effects && !operand.serial)) return nullptr;
  if (operand.operands.back()->kind != CoreExpr::Kind::pair) return nullptr;
  return made<Filtered>(expr.type->a, operand, compiler);
}

}  // namespace tutti::nesl::host
