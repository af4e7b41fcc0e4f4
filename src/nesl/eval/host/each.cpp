// Nodes for apply-to-each. Its results are added to the sequence for one element or block after the
// other, so that it can be left after any of them and gone on with. Inside a block of another
// apply-to-each, its elements are those of all the elements of that block.
#include <algorithm>
#include <atomic>
#include <cstring>

#include "nesl/core/free_variables.hpp"
#include "nesl/eval/core_walk.hpp"
#include "nesl/eval/flat/convert.hpp"
#include "nesl/eval/flat/evaluator.hpp"
#include "nesl/eval/host/blocks.hpp"
#include "nesl/eval/host/plain_evaluator.hpp"
#include "nesl/library/primitive.hpp"

namespace tutti::nesl::host {
namespace {

// Reads the elements of a sequence into a slot.
class Source {
 public:
  Source() = default;
  Source(const Values& values, Value& slot)
      : values_(&values),
        slot_(&slot),
        integers_(values.numbers<int>().data()),
        floats_(values.numbers<double>().data()) {}
  void load(std::size_t k) const {
    if (integers_)
      *slot_ = integers_[k];
    else if (floats_)
      *slot_ = floats_[k];
    else
      *slot_ = (*values_)[k];
  }

 private:
  const Values* values_ = nullptr;
  Value* slot_ = nullptr;
  const int* integers_ = nullptr;
  const double* floats_ = nullptr;
};
constexpr std::size_t few_sources = 6;  // more take an allocation

constexpr std::size_t fewest_for_blocks = 8;
// A body is not tried in blocks any more when many of its blocks have failed: each takes longer
// than without them.
constexpr int cost_of_a_failure = 4, most_failures = 32;

// The elements of sequences of these lengths.
void set_rows(const std::vector<int>& lengths, Values elements, RowColumn& out) {
  out.objects = nullptr;
  out.contents = std::move(elements);
  int at = 0;
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    out.begins[k] = at;
    out.ends[k] = at += lengths[k];
  }
}

// Where calls are observed, all calls of a context are one.
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
    body_ = compiler.body_of_each(*expr.operands.back());
    compiler.add_each(expr, *this);
    free_ = used_slots(*expr.operands.back(), code_, expr.slots);
    for (std::size_t i = 0; i < expr.slots.size(); ++i)
      is_structured_ =
          is_structured_ || !mono::representation(expr.operands[i]->type->a)->is_scalar();
    for (const Tuple& variable : variables_)
      components_ += static_cast<std::size_t>(components_of(variable.type));
  }
  Value value(Frame& frame) const final {
    if (is_lockstep() && frame.machine.observer.is_on())
      return frame.machine.has_failed() ? Values() : each_in_contexts(expr_, code_, frame);
    Values results;
    with_sequences(frame, [&](const Value* sequences) { add_results(frame, sequences, results); });
    return Value(std::move(results));
  }
  // The order of its effects shows, so that elements do not go one after the other.
  bool is_lockstep() const { return expr_.effects && !expr_.serial; }
  Values lockstep_results(Frame& frame, const Value* sequences) const {
    if (frame.machine.has_failed()) return {};
    return each_in_lockstep(expr_, lockstep_, code_, frame, sequences);
  }
  bool rows_in_blocks(InBlocks how) const final {
    return !expr_.effects && !expr_.serial &&
           std::all_of(sequences_.begin(), sequences_.end(),
                       [&](const NodeRef& sequence) { return sequence->rows_in_blocks(how); }) &&
           body_->appends_in_blocks(element(), how);
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
  // Calls `block_work` with one block of elements after the other, from the element at `begin` on.
  // Calls `work` for each element, with its slots filled, where the body does not work in blocks,
  // or a block has failed.
  template <class BlockWork, class Work>
  void for_all(Frame& frame, const Value* sequences, std::size_t begin, const BlockWork& block_work,
               const Work& work) const {
    if (frame.machine.has_failed()) return;
    for (int flag : flags_) frame.slots[flag] = false;
    const std::size_t length = sequences[0].elements().size();
    const Machine::Progress progress(frame.machine, expr_, length - begin);
    const auto one_by_one = [&](std::size_t first, std::size_t last) {
      for_elements(frame, sequences, first, last, [&](std::size_t k) {
        work();
        progress.done(k + 1 - begin);
      });
    };
    if (frame.machine.observer.is_on() || !is_worth_blocks(frame, sequences, begin, length))
      return one_by_one(begin, length);
    Block block{frame, 0, std::vector<const void*>(code_.slots), false};
    ElementColumns columns;
    for (std::size_t k = begin; k < length; k += block.count) {
      block.count = std::min(block_length, length - k);
      bool fits = true;
      if (recursion_) fits = limit_data(sequences, k, block);
      if (!body_works_in_blocks() || (fits && !columns.load(*this, sequences, k, block)))
        return one_by_one(k, length);
      if (!fits || !attempt(block, block_work)) one_by_one(k, k + block.count);
      if (frame.machine.has_failed()) return;
      progress.done(k + block.count - begin);
    }
  }
  // Calls `work` with blocks of the elements of all sequences of an outer block, and the outer
  // element that each of them belongs to. Sets the lengths of the sequences.
  template <class Work>
  void for_inner_blocks(Block& block, std::vector<int>& lengths, const Work& work) const {
    for (int flag : flags_) block.frame.slots[flag] = false;
    const std::vector<Value> contents = inner_sequences(block, lengths);
    const std::size_t total = contents[0].elements().size();
    Block inner{block.frame, 0, std::vector<const void*>(code_.slots), false};
    ElementColumns columns;
    ChosenColumns outer(free_, block);
    int owners[block_length];
    std::size_t row = 0;
    int left = total > 0 ? lengths[0] : 0;
    for (std::size_t at = 0; at < total; at += inner.count) {
      inner.count = std::min(block_length, total - at);
      for (std::size_t k = 0; k < inner.count;) {
        while (left == 0) left = lengths[++row];
        const std::size_t end = std::min(inner.count, k + static_cast<std::size_t>(left));
        left -= static_cast<int>(end - k);
        while (k < end) owners[k++] = static_cast<int>(row);
      }
      if (!columns.load(*this, contents.data(), at, inner)) throw BlockFailed();
      outer.choose(owners, inner);
      block.frame.machine.spend(steps_ * static_cast<std::int64_t>(inner.count) /
                                times_faster_in_blocks);
      work(inner, owners);
      if (inner.failed) throw BlockFailed();
    }
  }
  const Node& body() const { return *body_; }
  // What a result consists of.
  Mono element() const { return mono::representation(expr_.type->a); }

 private:
  // The columns of the variables.
  class ElementColumns {
   public:
    // Those of the elements from one on; false if there are records.
    bool load(const Each& each, const Value* sequences, std::size_t k, Block& block) {
      std::size_t used = 0;
      bool all = true;
      each.for_columns(sequences, [&](const Values& values, int slot) {
        if (used == rooms_.size()) rooms_.emplace_back();
        all = set_column(block, slot, values, k, rooms_[used++]) && all;
      });
      return all;
    }

   private:
    std::vector<std::unique_ptr<RowColumn>> rooms_;
  };
  // Found out when it is first asked, since functions that are called may not be there before.
  bool body_works_in_blocks() const {
    if (blocks_ == Blocks::unknown) {
      bool recursion = false;
      const InBlocks how{deepest_calls_in_blocks, true, nullptr, &recursion};
      const bool works = body_->appends_in_blocks(element(), how);
      recursion_ = recursion;
      blocks_ = works ? Blocks::work : Blocks::fail;
    }
    return blocks_ == Blocks::work;
  }
  // Many elements are; of a recursion, which has more calls within, also a few with enough data.
  bool is_worth_blocks(const Frame& frame, const Value* sequences, std::size_t begin,
                       std::size_t end) const {
    if (end - begin >= fewest_for_blocks) return body_works_in_blocks();
    if (!is_structured_ || !body_works_in_blocks() || !recursion_) return false;
    if (frame.machine.recursions_in_blocks > deepest_recursion_in_blocks) return false;
    return data_of(sequences, begin, end) >= least_data_for_recursion;
  }
  // How much is in the elements of a range.
  std::int64_t data_of(const Value* sequences, std::size_t begin, std::size_t end) const {
    std::int64_t data = 0;
    for (std::size_t i = 0; i < variables_.size(); ++i)
      data += sequences[i].elements().numbers_in(begin, end);
    return data;
  }
  // Takes fewer elements into a block so that they have no more data than a recursion may begin
  // with. False if one element has more.
  bool limit_data(const Value* sequences, std::size_t k, Block& block) const {
    while (block.count > 1 && data_of(sequences, k, k + block.count) > most_data_for_recursion)
      block.count = (block.count + 1) / 2;
    return block.count > 1 || data_of(sequences, k, k + 1) <= most_data_for_recursion;
  }
  // False if the block has failed, without an effect. A body that fails often is not tried again.
  template <class Work>
  bool attempt(Block& block, const Work& work) const {
    Machine& machine = block.frame.machine;
    const std::uint64_t drawn = machine.drawn();
    block.failed = false;
    try {
      machine.spend(steps_ * static_cast<std::int64_t>(block.count) / times_faster_in_blocks);
      work(block);
    } catch (const BlockFailed&) {
      block.failed = true;
    } catch (const RuntimeError&) {  // which elements have which errors is not known
      block.failed = true;
    }
    if (!block.failed) {
      if (failures_ > 0) --failures_;
      return true;
    }
    machine.draw_again_from(drawn);
    failures_ += cost_of_a_failure;
    if (failures_ > most_failures) blocks_ = Blocks::fail;
    return false;
  }
  // Calls `work` with each element of a range, with its slots filled.
  template <class Work>
  void for_elements(Frame& frame, const Value* sequences, std::size_t begin, std::size_t end,
                    const Work& work) const {
    Source few[few_sources];
    std::vector<Source> many;
    std::size_t count = 0;
    if (components_ > few_sources) many.resize(components_);
    Source* sources = many.empty() ? few : many.data();
    for_columns(sequences, [&](const Values& values, int slot) {
      sources[count++] = Source(values, frame.slots[slot]);
    });
    for (std::size_t k = begin; k < end; ++k) {
      frame.machine.spend(steps_);
      for (std::size_t i = 0; i < count; ++i) sources[i].load(k);
      work(k);
      if (frame.machine.has_failed()) return;
    }
  }
  // Calls `work` with a sequence and a slot for each component of the variables.
  template <class Work>
  void for_columns(const Value* sequences, const Work& work) const {
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      int slot = variables_[i].first;
      for_components(sequences[i].elements(), variables_[i].type, slot, work);
    }
  }
  // The elements of the sequences of all elements of a block, one after the other.
  std::vector<Value> inner_sequences(Block& block, std::vector<int>& lengths) const {
    std::vector<Value> contents;
    const auto rows = std::make_unique<RowColumn>();
    for (std::size_t i = 0; i < sequences_.size(); ++i) {
      compute_rows(*sequences_[i], block, *rows);
      std::int64_t total = 0;
      bool consecutive = true;
      if (i == 0) lengths.resize(block.count);
      for (std::size_t k = 0; k < block.count; ++k) {
        if (i == 0) lengths[k] = rows->length(k);
        if (lengths[k] != rows->length(k)) throw BlockFailed();
        total += lengths[k];
        consecutive = consecutive && rows->begins[k] == (k == 0 ? 0 : rows->ends[k - 1]);
      }
      if (total > most_inner_elements) throw BlockFailed();
      const Values& its = rows->contents.elements();
      if (consecutive && total == static_cast<std::int64_t>(its.size()))
        contents.push_back(rows->contents);
      else
        contents.emplace_back(
            its.gathered_ranges({rows->begins, block.count}, {rows->ends, block.count}));
    }
    return contents;
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
  std::size_t components_ = 0;  // of all variables
  std::vector<UsedSlot> free_;  // those that the body uses, but for its own
  const LockstepCode lockstep_;
  enum class Blocks : signed char { unknown, work, fail };
  mutable std::atomic<Blocks> blocks_{Blocks::unknown};
  mutable std::atomic<int> failures_{0};
  mutable std::atomic<bool> recursion_{false};  // in the body, where that works in blocks
  bool is_structured_ = false;                  // some elements are no scalars
};

// Adds what `append` gives, unless it returns false or throws: some columns may fail.
template <class Append>
void append_or_nothing(Values& values, const Append& append) {
  if (values.empty()) {
    struct Undo {
      Values& values;
      bool done = false;
      ~Undo() {
        if (!done) values = Values();
      }
    } undo{values};
    undo.done = append(values);
    return;
  }
  Values more;
  if (append(more)) values.append(more);
}

// T is the type of a result, N that of the numbers that hold them.
template <class T, class N>
class All final : public Each {
 public:
  using Each::Each;
  void add_results(Frame& frame, const Value* sequences, Values& results) const override {
    const std::size_t length = sequences[0].elements().size();
    if (length == 0) return;
    if (is_lockstep()) {
      results = lockstep_results(frame, sequences);
      return;
    }
    if constexpr (std::is_same_v<T, Value>) {
      results.reserve(length);
      for_all(
          frame, sequences, results.size(), [&](Block& block) { append_all(block, results); },
          [&] {
            Value result = body().value(frame);
            if (!frame.machine.has_failed()) results.push_back(std::move(result));
          });
    } else {
      std::vector<N>& all = results.begin<N>(length);
      for_all(
          frame, sequences, all.size(),
          [&](Block& block) { body().append_block(block, element(), nullptr, results); },
          [&] {
            const N result{get<T>(body(), frame)};
            if (!frame.machine.has_failed()) all.push_back(result);
          });
    }
  }
  void rows(Block& block, RowColumn& out) const override {
    Values results;
    std::vector<int> lengths;
    for_inner_blocks(block, lengths, [&](Block& inner, const int*) { append_all(inner, results); });
    set_rows(lengths, std::move(results), out);
  }

 private:
  void append_all(Block& block, Values& results) const {
    append_or_nothing(results, [&](Values& to) {
      body().append_block(block, element(), nullptr, to);
      return !block.failed;
    });
  }
};

// Of an apply-to-each whose body is a pair of a result and a flag: the results with the flag t. The
// body is evaluated for all elements, as the language has it.
template <class T, class N>
class Filtered final : public Node {
 public:
  Filtered(const CoreExpr& expr, Compiler& compiler)
      : each_(std::make_unique<All<Value, Value>>(expr, compiler)),
        result_(mono::representation(each_->element()->a)) {}
  Value value(Frame& frame) const override {
    Values some;
    each_->with_sequences(frame, [&](const Value* sequences) {
      each_->for_all(
          frame, sequences, 0, [&](Block& block) { append(block, some, [](const bool*) {}); },
          [&] {
            T result = get<T>(pair().first(), frame);
            if (!pair().second().boolean(frame)) return;
            if constexpr (std::is_same_v<T, Value>)
              some.push_back(std::move(result));
            else
              some.begin<N>(0).push_back(N{result});
          });
    });
    return Value(std::move(some));
  }
  bool rows_in_blocks(InBlocks how) const override { return each_->rows_in_blocks(how); }
  void rows(Block& block, RowColumn& out) const override {
    Values some;
    std::vector<int> all, lengths(block.count);
    each_->for_inner_blocks(block, all, [&](Block& inner, const int* owners) {
      append(inner, some, [&](const bool* flags) {
        for (std::size_t k = 0; k < inner.count; ++k) lengths[owners[k]] += flags[k] ? 1 : 0;
      });
    });
    set_rows(lengths, std::move(some), out);
  }

 private:
  const PairNode& pair() const { return static_cast<const PairNode&>(each_->body()); }
  // Calls `chosen` with the flags.
  template <class Chosen>
  void append(Block& block, Values& some, const Chosen& chosen) const {
    bool room[block_length];
    const bool* flags = pair().second().block(block, room);
    append_or_nothing(some, [&](Values& to) {
      pair().first().append_block(block, result_, flags, to);
      return !block.failed;
    });
    if (!block.failed) chosen(flags);
  }

  const std::unique_ptr<All<Value, Value>> each_;
  const Mono result_;
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
