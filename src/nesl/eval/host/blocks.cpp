#include "nesl/eval/host/blocks.hpp"

#include <pthread.h>

#include <new>

#include "nesl/core/free_variables.hpp"

namespace tutti::nesl::host {

namespace {

// The columns that a thread does not use: enough for a deep recursion.
class FreeColumns {
 public:
  ~FreeColumns() {
    for (void* column : columns_) ::operator delete(column);
  }
  void* take() {
    if (columns_.empty()) return ::operator new(column_bytes);
    void* const column = columns_.back();
    columns_.pop_back();
    return column;
  }
  void give(void* column) noexcept {
    if (columns_.size() < most)
      columns_.push_back(column);
    else
      ::operator delete(column);
  }

 private:
  static constexpr std::size_t most = 1024;
  static std::vector<void*> with_room() {
    std::vector<void*> columns;
    columns.reserve(most);
    return columns;
  }
  std::vector<void*> columns_ = with_room();  // so that to give one back needs no memory
};

constinit thread_local FreeColumns* free_columns = nullptr;

void destroy(void* columns) {
  free_columns = nullptr;
  delete static_cast<FreeColumns*>(columns);
}

// A key of threads destroys the columns of a thread when it ends. The C library terminates the
// process if it has no memory to register the destructor of a thread_local object.
void destroy_at_thread_end(FreeColumns* columns) {
  static pthread_key_t key;
  static const bool made = pthread_key_create(&key, destroy) == 0;
  if (!made || pthread_setspecific(key, columns) != 0) throw std::bad_alloc();
}

FreeColumns& columns_of_thread() {
  if (!free_columns) {
    auto made = std::make_unique<FreeColumns>();
    destroy_at_thread_end(made.get());
    free_columns = made.release();
  }
  return *free_columns;
}

}  // namespace

void* take_column() { return columns_of_thread().take(); }
void give_column(void* column) noexcept {
  if (free_columns)
    free_columns->give(column);
  else
    ::operator delete(column);
}

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

namespace {

void load_objects(const Value* objects, std::size_t count, RowColumn& rows) {
  std::int64_t total = 0;
  for (std::size_t k = 0; k < count; ++k) {
    rows.begins[k] = static_cast<int>(total);
    total += static_cast<std::int64_t>(objects[k].elements().size());
    if (total > most_inner_elements) {
      rows.objects = objects;
      return;
    }
    rows.ends[k] = static_cast<int>(total);
  }
  Values contents;
  contents.reserve(static_cast<std::size_t>(total));
  for (std::size_t k = 0; k < count; ++k) contents.append(objects[k].elements());
  rows.contents = std::move(contents);
}

}  // namespace

void load_rows(const Values& sequences, std::size_t k, std::size_t count, RowColumn& rows) {
  rows.objects = nullptr;
  if (!sequences.are_rows())
    return load_objects(sequences.numbers<Value>().data() + k, count, rows);
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
  if (rows.objects) {
    for (int k : chosen_elements(block, flags)) values.push_back(rows.objects[k]);
    return;
  }
  int begins[block_length], ends[block_length];
  std::vector<int> offsets(block.count + 1);
  std::size_t count = 0;
  bool are_all = true;  // of the contents, to the end of the last one
  for (std::size_t k = 0; k < block.count; ++k) {
    if (flags && !flags[k]) continue;
    begins[count] = rows.begins[k];
    ends[count] = rows.ends[k];
    are_all = are_all && begins[count] == offsets[count];
    offsets[count + 1] = offsets[count] + rows.length(k);
    ++count;
  }
  if (count == 0) return;
  offsets.resize(count + 1);
  const Values& contents = rows.contents.elements();
  const auto total = static_cast<std::size_t>(offsets.back());
  Value its = are_all && total == contents.size()
                  ? rows.contents
                  : Value(contents.gathered_ranges({begins, count}, {ends, count}));
  values.append(Values::nested(std::move(offsets), std::move(its)));
}

bool set_column(Block& block, int slot, const Values& values, std::size_t k,
                std::unique_ptr<RowColumn>& room) {
  const auto numbers = [&]<class T>(T) -> const void* {
    const std::span<const T> its = values.numbers<T>();
    return its.empty() ? nullptr : &its[k];
  };
  const void*& column = block.columns[static_cast<std::size_t>(slot)];
  column = numbers(int{});
  if (!column) column = numbers(double{});
  if (!column) column = numbers(Values::Flag{});
  if (!column) column = numbers(static_cast<unsigned char>(0));
  if (column) return true;
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
  const Operand value(node, from.frame);  // a loop looks at it again
  spread(*value, type, out);
  const int end = static_cast<int>(out - to.frame.slots);
  std::fill(to.columns.begin() + slot, to.columns.begin() + end, nullptr);
  return end;
}

int BoundColumns::bind(const Node& node, Mono type, Block& from, Block& to, int slot) {
  const Mono content = mono::representation(type);
  if (content->is_scalar()) {
    const NumberColumn& room = numbers_.emplace_back();
    with_scalar(content->kind, [&](auto scalar, auto) {
      to.columns[slot] = node.block(from, room.as<decltype(scalar)>());
    });
    return slot + 1;
  }
  if (const Tuple* tuple = node.as_tuple()) return bind_tuple(*tuple, from, to, slot);
  if (node.is_uniform() && !node.varies(from)) return bind_uniform(node, type, from, to, slot);
  if (!has_rows(node)) throw BlockFailed();
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

void add_components(Mono type, int& slot, std::vector<UsedSlot>& slots) {
  if (type->kind != MonoType::Kind::pair) {
    slots.push_back({slot++, mono::representation(type)});
    return;
  }
  add_components(type->a, slot, slots);
  add_components(type->b, slot, slots);
}

Value value_of(const Block& block, const UsedSlot& used, std::size_t k) {
  const void* column = block.columns[static_cast<std::size_t>(used.slot)];
  if (!column) return block.frame.slots[used.slot];
  if (used.content->is_scalar())
    return with_scalar(used.content->kind, [&](auto scalar, auto) -> Value {
      return static_cast<const decltype(scalar)*>(column)[k];
    });
  const auto& rows = *static_cast<const RowColumn*>(column);
  if (rows.objects) return rows.objects[k];
  return rows.contents.elements().part(static_cast<std::size_t>(rows.begins[k]),
                                       static_cast<std::size_t>(rows.ends[k]));
}

std::vector<UsedSlot> used_slots(const CoreExpr& expr, const Code& code,
                                 std::span<const int> but_for) {
  std::vector<UsedSlot> slots;
  for (const auto& [slot, type] : free_variables(expr)) {
    if (std::find(but_for.begin(), but_for.end(), slot) != but_for.end()) continue;
    const auto tuple = code.tuples.find(slot);
    if (tuple == code.tuples.end()) {
      slots.push_back({code.places[static_cast<std::size_t>(slot)], mono::representation(type)});
    } else {
      int first = tuple->second.first;
      add_components(tuple->second.type, first, slots);
    }
  }
  return slots;
}

ChosenColumns::ChosenColumns(const std::vector<UsedSlot>& slots, const Block& from) {
  for (const UsedSlot& used : slots) {
    const void* column = from.columns[static_cast<std::size_t>(used.slot)];
    if (!column) continue;
    columns_.push_back({used, column, {}, nullptr});
    if (used.content->is_scalar())
      columns_.back().numbers.emplace();
    else
      columns_.back().rows = std::make_unique<RowColumn>();
  }
}

void ChosenColumns::choose(const int* indices, Block& to) {
  for (Column& column : columns_) {
    const void*& chosen = to.columns[static_cast<std::size_t>(column.used.slot)];
    if (column.rows) {
      const RowColumn& from = *static_cast<const RowColumn*>(column.from);
      if (from.objects) throw BlockFailed();
      column.rows->contents = from.contents;
      for (std::size_t k = 0; k < to.count; ++k) {
        column.rows->begins[k] = from.begins[indices[k]];
        column.rows->ends[k] = from.ends[indices[k]];
      }
      chosen = column.rows.get();
      continue;
    }
    with_scalar(column.used.content->kind, [&](auto scalar, auto) {
      using T = decltype(scalar);
      const T* from = static_cast<const T*>(column.from);
      T* numbers = column.numbers->as<T>();
      for (std::size_t k = 0; k < to.count; ++k) numbers[k] = from[indices[k]];
      chosen = numbers;
    });
  }
}

}  // namespace tutti::nesl::host
