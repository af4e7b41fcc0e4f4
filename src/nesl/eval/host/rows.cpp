// Nodes for scans and for primitives that move the elements of sequences. For many elements at once
// they work on ranges of one sequence, as the operations of a flattened program do. Operands that a
// primitive rejects make the block fail, and are left to the primitive itself; so are long
// sequences.
#include <numeric>
#include <string_view>

#include "nesl/eval/host/typed.hpp"
#include "nesl/library/primitive.hpp"
#include "nesl/library/primitives/folds.hpp"

namespace tutti::nesl::host {
namespace {

// The operands of the elements of a block: sequences, or ints.
struct Operands {
  std::size_t count;  // of elements
  std::unique_ptr<RowColumn> rows[few_operands];
  std::optional<NumberColumn> room[few_operands];
  const int* numbers[few_operands] = {};

  const Values& contents(int i) const { return rows[i]->contents.elements(); }
  std::span<const int> begins(int i) const { return {rows[i]->begins, count}; }
  std::span<const int> ends(int i) const { return {rows[i]->ends, count}; }
};

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// Makes ranges one after the other, of lengths that `length` gives; returns their sum.
template <class Length>
int set_lengths(std::size_t count, RowColumn& out, const Length& length) {
  std::int64_t total = 0;
  for (std::size_t k = 0; k < count; ++k) {
    out.begins[k] = static_cast<int>(total);
    total += length(k);
    if (total > most_inner_elements) throw BlockFailed();
    out.ends[k] = static_cast<int>(total);
  }
  return static_cast<int>(total);
}

// The contents without anything between the ranges, and the ranges in order.
Value compact(const Operands& from, int i) {
  const RowColumn& rows = *from.rows[i];
  bool consecutive = true;
  int end = 0;
  for (std::size_t k = 0; k < from.count; ++k) {
    consecutive = consecutive && rows.begins[k] == end;
    end = rows.ends[k];
  }
  if (consecutive && index(end) == from.contents(i).size()) return rows.contents;
  return from.contents(i).gathered_ranges(from.begins(i), from.ends(i));
}

void read(const Operands& from, RowColumn& out) {
  const RowColumn &sequence = *from.rows[0], &indices = *from.rows[1];
  const int* its = from.contents(1).numbers<int>().data();
  std::vector<int> at(
      index(set_lengths(from.count, out, [&](std::size_t k) { return indices.length(k); })));
  int* to = at.data();
  for (std::size_t k = 0; k < from.count; ++k) {
    const int begin = sequence.begins[k], length = sequence.length(k);
    unsigned worst = 0;
    for (int i = indices.begins[k]; i < indices.ends[k]; ++i) {
      worst = std::max(worst, static_cast<unsigned>(its[i]));
      *to++ = begin + its[i];
    }
    if (indices.length(k) > 0 && worst >= static_cast<unsigned>(length)) throw BlockFailed();
  }
  out.contents = from.contents(0).gathered(at);
}

void append(const Operands& from, RowColumn& out) {
  set_lengths(from.count, out,
              [&](std::size_t k) { return from.rows[0]->length(k) + from.rows[1]->length(k); });
  out.contents = Values::joined_ranges(from.contents(0), from.begins(0), from.ends(0),
                                       from.contents(1), from.begins(1), from.ends(1));
}

void subsequence(const Operands& from, RowColumn& out) {
  const RowColumn& sequence = *from.rows[0];
  for (std::size_t k = 0; k < from.count; ++k) {
    const int begin = from.numbers[1][k], end = from.numbers[2][k];
    if (begin < 0 || end > sequence.length(k) || end < begin) throw BlockFailed();
    out.begins[k] = sequence.begins[k] + begin;
    out.ends[k] = sequence.begins[k] + end;
  }
  out.contents = sequence.contents;
}

// Of several elements for one position the last arrives; where none does, the one there stays.
void permute(const Operands& from, RowColumn& out) {
  const RowColumn &sequence = *from.rows[0], &indices = *from.rows[1];
  const int* its = from.contents(1).numbers<int>().data();
  std::vector<int> sources(
      index(set_lengths(from.count, out, [&](std::size_t k) { return sequence.length(k); })));
  for (std::size_t k = 0; k < from.count; ++k) {
    const int length = sequence.length(k);
    if (indices.length(k) != length) throw BlockFailed();
    int* to = sources.data() + out.begins[k];
    std::iota(to, to + length, sequence.begins[k]);
    for (int i = 0; i < length; ++i) {
      const int at = its[indices.begins[k] + i];
      if (static_cast<unsigned>(at) >= static_cast<unsigned>(length)) throw BlockFailed();
      to[at] = sequence.begins[k] + i;
    }
  }
  out.contents = from.contents(0).gathered(sources);
}

void flatten(const Operands& from, RowColumn& out) {
  const RowColumn& parts = *from.rows[0];
  const Values& sequences = from.contents(0);
  if (sequences.are_rows()) {
    const std::span<const int> offsets = sequences.offsets();
    for (std::size_t k = 0; k < from.count; ++k) {
      out.begins[k] = offsets[index(parts.begins[k])];
      out.ends[k] = offsets[index(parts.ends[k])];
    }
    out.contents = sequences.contents();
    return;
  }
  const std::span<const Value> objects = sequences.numbers<Value>();
  set_lengths(from.count, out, [&](std::size_t k) {
    std::int64_t length = 0;
    for (int i = parts.begins[k]; i < parts.ends[k]; ++i)
      length += static_cast<std::int64_t>(objects[index(i)].elements().size());
    return length;
  });
  Values contents;
  for (std::size_t k = 0; k < from.count; ++k)
    for (int i = parts.begins[k]; i < parts.ends[k]; ++i)
      contents.append(objects[index(i)].elements());
  out.contents = std::move(contents);
}

void partition(const Operands& from, RowColumn& out) {
  const RowColumn& counts = *from.rows[1];
  const int* its = from.contents(1).numbers<int>().data();
  std::vector<int> offsets{0};
  const int total = set_lengths(from.count, out, [&](std::size_t k) { return counts.length(k); });
  offsets.reserve(index(total) + 1);
  std::int64_t at = 0;
  for (std::size_t k = 0; k < from.count; ++k) {
    const std::int64_t before = at;
    for (int i = counts.begins[k]; i < counts.ends[k]; ++i) {
      if (its[i] < 0) throw BlockFailed();
      at += its[i];
      if (at > most_inner_elements) throw BlockFailed();
      offsets.push_back(static_cast<int>(at));
    }
    if (at - before != from.rows[0]->length(k)) throw BlockFailed();
  }
  out.contents = Values::nested(std::move(offsets), compact(from, 0));
}

// Changes a copy of a sequence of each element: of several values for one position the last
// arrives.
void set_elements(const Operands& from, int changed, int places, std::span<const int> indices,
                  const Values& values, RowColumn& out) {
  const RowColumn &sequence = *from.rows[changed], &at = *from.rows[places];
  set_lengths(from.count, out, [&](std::size_t k) { return sequence.length(k); });
  std::vector<int> positions(indices.size());
  const int* index = indices.data();
  int* to = positions.data();
  for (std::size_t k = 0; k < from.count; ++k)
    for (int i = 0; i < at.length(k); ++i, ++index) {
      if (static_cast<unsigned>(*index) >= static_cast<unsigned>(sequence.length(k)))
        throw BlockFailed();
      *to++ = out.begins[k] + *index;
    }
  Values result = compact(from, changed).elements();
  result.scatter(positions, values);
  out.contents = Value(std::move(result));
}

void write(const Operands& from, RowColumn& out) {
  const Value pairs = compact(from, 1);
  set_elements(from, 0, 1, pairs.elements().column(0).numbers<int>(), pairs.elements().column(1),
               out);
}

void put(const Operands& from, RowColumn& out) {
  for (std::size_t k = 0; k < from.count; ++k)
    if (from.rows[0]->length(k) != from.rows[1]->length(k)) throw BlockFailed();
  const Value values = compact(from, 0), indices = compact(from, 1);
  set_elements(from, 2, 1, indices.elements().numbers<int>(), values.elements(), out);
}

// False where the elements are not held as those of type T are.
template <Reduction reduction, class T>
bool scan_as(const Operands& from, RowColumn& out) {
  using Held = folds::Held<T>;
  if constexpr (ir::combines<T>(reduction)) {
    const std::span<const Held> numbers = from.contents(0).numbers<Held>();
    if (numbers.empty()) return false;
    const RowColumn& rows = *from.rows[0];
    std::vector<Held> results(
        index(set_lengths(from.count, out, [&](std::size_t k) { return rows.length(k); })));
    for (std::size_t k = 0; k < from.count; ++k)
      folds::scan<reduction, T>(numbers.data() + rows.begins[k], index(rows.length(k)),
                                results.data() + out.begins[k]);
    out.contents = Value(Values(std::move(results)));
    return true;
  }
  return false;
}

template <Reduction on_numbers, Reduction on_bools>
void scan(const Operands& from, RowColumn& out) {
  if (scan_as<on_numbers, int>(from, out) || scan_as<on_numbers, double>(from, out) ||
      scan_as<on_bools, bool>(from, out) || scan_as<on_numbers, unsigned char>(from, out))
    return;
  set_lengths(from.count, out, [](std::size_t) { return 0; });  // there are no elements at all
  out.contents = Values();
}

using RowFunction = void (*)(const Operands&, RowColumn&);

const std::unordered_map<std::string_view, RowFunction>& functions() {
  static const std::unordered_map<std::string_view, RowFunction> table = {
      {"read", read},       {"++", append},           {"subseq", subsequence}, {"permute", permute},
      {"flatten", flatten}, {"partition", partition}, {"write", write},        {"put", put},
#define NESL_FOLD(scan_name, fold_name, elements, on_numbers, on_bools, scan_text, fold_text) \
  {scan_name, scan<Reduction::on_numbers, Reduction::on_bools>},
#include "nesl/library/folds.def"
  };
  return table;
}

class Moved final : public Node {
 public:
  Moved(const CoreExpr& expr, RowFunction function, Compiler& compiler)
      : expr_(expr),
        caller_(compiler.function()),
        function_(function),
        operands_(compiler.nodes(expr)) {}
  Value value(Frame& frame) const override {
    Value arguments[few_operands];
    for (std::size_t i = 0; i < operands_.size(); ++i) arguments[i] = operands_[i]->value(frame);
    return applied(expr_, caller_, frame.machine, {arguments, operands_.size()});
  }
  bool rows_in_blocks(InBlocks how) const override {
    for (std::size_t i = 0; i < operands_.size(); ++i)
      if (!(is_sequence(i) ? operands_[i]->rows_in_blocks(how)
                           : operands_[i]->works_in_blocks(how)))
        return false;
    return true;
  }
  void rows(Block& block, RowColumn& out) const override {
    const Operands from = evaluated(block);
    if (has_objects(from)) throw BlockFailed();
    apply(from, block, out);
  }
  void append_block(Block& block, Mono, const bool* flags, Values& values) const override {
    const Operands from = evaluated(block);
    if (!has_objects(from)) {
      const auto out = std::make_unique_for_overwrite<RowColumn>();
      apply(from, block, *out);
      return append_rows(block, *out, flags, values);
    }
    Values results;  // one may fail
    for (std::size_t k = 0; k < block.count; ++k) {
      Value result = applied_to(from, k, block.frame.machine);
      if (!flags || flags[k]) results.push_back(std::move(result));
    }
    values.append(results);
  }

 private:
  bool is_sequence(std::size_t i) const {
    return expr_.operands[i]->type->kind == MonoType::Kind::sequence;
  }
  Operands evaluated(Block& block) const {
    Operands from{block.count, {}, {}, {}};
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      if (is_sequence(i)) {
        from.rows[i] = std::make_unique_for_overwrite<RowColumn>();
        operands_[i]->rows(block, *from.rows[i]);
      } else {
        from.numbers[i] = operands_[i]->block(block, from.room[i].emplace().as<int>());
      }
    }
    if (block.failed) throw BlockFailed();
    return from;
  }
  bool has_objects(const Operands& from) const {
    for (std::size_t i = 0; i < operands_.size(); ++i)
      if (from.rows[i] && from.rows[i]->objects) return true;
    return false;
  }
  void apply(const Operands& from, Block& block, RowColumn& out) const {
    out.objects = nullptr;
    function_(from, out);
    std::int64_t total = 0;
    for (std::size_t k = 0; k < block.count; ++k) total += out.length(k);
    block.frame.machine.spend(total / times_faster_in_blocks);
  }
  // The primitive itself, for one element.
  Value applied_to(const Operands& from, std::size_t k, Machine& machine) const {
    Value arguments[few_operands];
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      if (!from.rows[i])
        arguments[i] = from.numbers[i][k];
      else if (from.rows[i]->objects)
        arguments[i] = from.rows[i]->objects[k];
      else
        arguments[i] = from.contents(static_cast<int>(i))
                           .part(index(from.rows[i]->begins[k]), index(from.rows[i]->ends[k]));
    }
    return applied(expr_, caller_, machine, {arguments, operands_.size()});
  }

  const CoreExpr& expr_;
  const CoreFunction& caller_;
  const RowFunction function_;
  const std::vector<NodeRef> operands_;
};

}  // namespace

NodeRef moving_primitive(const CoreExpr& expr, Compiler& compiler) {
  const std::string_view name = expr.primitive->name;
  const auto function = functions().find(name);
  if (function == functions().end()) return nullptr;
  // Scans of floats of 32 bits are left to the primitive.
  if (name.ends_with("_scan") && mono::representation(expr.operands[0]->type->a)->single)
    return nullptr;
  return std::make_unique<Moved>(expr, function->second, compiler);
}

}  // namespace tutti::nesl::host
