#include "nesl/eval/host_blocks.hpp"

namespace tutti::nesl::host {

void Node::no_blocks() {
  throw InternalError("a value that the evaluator cannot compute for many elements at once");
}

bool Node::appends_in_blocks(Mono type, InBlocks how) const {
  if (type->is_scalar()) return works_in_blocks(how);
  return type->kind == MonoType::Kind::sequence && rows_in_blocks(how);
}

void Node::append_block(Block& block, Mono type, const bool* flags, Values& values) const {
  if (!type->is_scalar()) {
    const auto its = std::make_unique<RowColumn>();
    rows(block, *its);
    if (!block.failed) append_rows(block, *its, flags, values);
    return;
  }
  with_scalar(type->kind, [&](auto scalar, auto held) {
    decltype(scalar) room[block_length];
    const auto* numbers = this->block(block, room);
    if (!block.failed) append_numbers<decltype(held)>(block, numbers, flags, values);
  });
}

bool PairNode::appends_in_blocks(Mono type, InBlocks how) const {
  return first_->appends_in_blocks(mono::representation(type->a), how) &&
         second_->appends_in_blocks(mono::representation(type->b), how);
}

void PairNode::append_block(Block& block, Mono type, const bool* flags, Values& values) const {
  first_->append_block(block, mono::representation(type->a), flags, values.begin_column(0));
  second_->append_block(block, mono::representation(type->b), flags, values.begin_column(1));
}

void append_slot(const Block& block, int slot, Mono type, const bool* flags, Values& values) {
  const void* column = block.columns[static_cast<std::size_t>(slot)];
  const Value& value = block.frame.slots[slot];
  if (type->is_scalar()) {
    with_scalar(type->kind, [&](auto number, auto held) {
      using T = decltype(number);
      T room[block_length];
      const T* numbers =
          column ? static_cast<const T*>(column) : filled(block, room, scalar<T>(value));
      append_numbers<decltype(held)>(block, numbers, flags, values);
    });
  } else if (column) {
    append_rows(block, *static_cast<const RowColumn*>(column), flags, values);
  } else {
    values.append(Values(chosen_elements(block, flags).size(), value));
  }
}

void fill_rows(const Block& block, const Value& sequence, RowColumn& rows) {
  rows.contents = sequence;
  rows.objects = nullptr;
  std::fill_n(rows.begins, block.count, 0);
  std::fill_n(rows.ends, block.count, static_cast<int>(sequence.elements().size()));
}

void load_rows(const Values& sequences, std::size_t k, std::size_t count, RowColumn& rows) {
  rows.objects = nullptr;
  if (!sequences.are_rows()) {
    rows.objects = sequences.numbers<Value>().data() + k;
    return;
  }
  rows.contents = sequences.contents();
  const int* offsets = sequences.offsets().data() + k;
  std::copy_n(offsets, count, rows.begins);
  std::copy_n(offsets + 1, count, rows.ends);
}

void compute_rows(const Node& node, Block& block, RowColumn& rows) {
  node.rows(block, rows);
  if (rows.objects || block.failed) throw BlockFailed();
}

void append_rows(const Block& block, const RowColumn& rows, const bool* flags, Values& values) {
  const std::vector<int> chosen = chosen_elements(block, flags);
  if (chosen.empty()) return;
  if (rows.objects) {
    for (int k : chosen) values.push_back(rows.objects[k]);
    return;
  }
  std::vector<int> offsets{0}, begins, ends;
  for (int k : chosen) {
    begins.push_back(rows.begins[k]);
    ends.push_back(rows.ends[k]);
    offsets.push_back(offsets.back() + rows.length(k));
  }
  const Values& contents = rows.contents.elements();
  const bool are_all = begins[0] == 0 && std::equal(begins.begin() + 1, begins.end(), ends.begin());
  Values more;
  if (are_all)  // a part of the contents
    more = Values::nested(std::move(offsets), contents.part(0, ends.back()));
  else
    more = Values::nested(std::move(offsets), contents.gathered_ranges(begins, ends));
  values.append(more);
}

bool set_column(Block& block, int slot, const Values& values, std::size_t k,
                std::unique_ptr<RowColumn>& room) {
  const auto numbers = [&]<class T>(T) -> const void* {
    const std::span<const T> its = values.numbers<T>();
    return its.empty() ? nullptr : &its[k];
  };
  const void*& column = block.columns[static_cast<std::size_t>(slot)];
  column = nullptr;
  if ((column = numbers(int{})) || (column = numbers(double{})) ||
      (column = numbers(Values::Flag{})) || (column = numbers(static_cast<unsigned char>(0))))
    return true;
  if (!values.are_rows() && values.numbers<Value>().empty()) return false;
  if (!room) room = std::make_unique<RowColumn>();
  load_rows(values, k, block.count, *room);
  column = room.get();
  return true;
}

bool BoundColumns::works(const Node& node, Mono type, InBlocks how) {
  const Mono content = mono::representation(type);
  if (content->is_scalar()) return node.works_in_blocks(how);
  return node.is_uniform() || node.as_tuple() || node.appends_in_blocks(content, how);
}

int BoundColumns::bind_tuple(const Tuple& tuple, const Block& from, Block& to, int slot) {
  for (int at = tuple.first; at < tuple.first + components_of(tuple.type); ++at, ++slot) {
    to.columns[slot] = from.columns[at];
    to.frame.slots[slot] = from.frame.slots[at];
  }
  return slot;
}

int BoundColumns::bind_uniform(const Node& node, Mono type, Block& from, Block& to, int slot) {
  Value* out = to.frame.slots + slot;
  spread(node.value(from.frame), type, out);
  const int end = static_cast<int>(out - to.frame.slots);
  std::fill(to.columns.begin() + slot, to.columns.begin() + end, nullptr);
  return end;
}

int BoundColumns::bind(const Node& node, Mono type, Block& from, Block& to, int slot) {
  const Mono content = mono::representation(type);
  if (content->is_scalar()) {
    double* room = room_.get() + used_++ * block_length;
    with_scalar(content->kind, [&](auto scalar, auto) {
      to.columns[slot] = node.block(from, reinterpret_cast<decltype(scalar)*>(room));
    });
    return slot + 1;
  }
  if (const Tuple* tuple = node.as_tuple()) return bind_tuple(*tuple, from, to, slot);
  if (node.is_uniform() && !node.varies(from)) return bind_uniform(node, type, from, to, slot);
  if (node.is_uniform() && !node.rows_in_blocks({0, false})) throw BlockFailed();
  if (content->kind == MonoType::Kind::sequence) {
    RowColumn& rows = *rows_.emplace_back(std::make_unique<RowColumn>());
    node.rows(from, rows);
    to.columns[slot] = &rows;
    return slot + 1;
  }
  Values& values = *values_.emplace_back(std::make_unique<Values>());
  node.append_block(from, content, nullptr, values);
  if (from.failed) throw BlockFailed();
  const int end = slot + components_of(type);
  for_components(values, type, slot, [&](const Values& component, int at) {
    // Those that are records have no columns.
    if (!set_column(to, at, component, 0, rows_.emplace_back())) throw BlockFailed();
  });
  return end;
}

}  // namespace tutti::nesl::host
