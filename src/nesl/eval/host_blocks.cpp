#include "nesl/eval/host_blocks.hpp"

namespace tutti::nesl::host {

void Node::no_blocks() {
  throw InternalError("a value that the evaluator cannot compute for many elements at once");
}

bool Node::appends_in_blocks(Mono type, int calls) const {
  return type->is_scalar() && works_in_blocks(calls);
}

void Node::append_block(Block& block, Mono type, const bool* flags, Values& values) const {
  with_scalar(type->kind, [&](auto scalar, auto held) {
    decltype(scalar) room[block_length];
    const auto* numbers = this->block(block, room);
    if (!block.failed) append_numbers<decltype(held)>(block, numbers, flags, values);
  });
}

bool PairNode::appends_in_blocks(Mono type, int calls) const {
  return first_->appends_in_blocks(mono::representation(type->a), calls) &&
         second_->appends_in_blocks(mono::representation(type->b), calls);
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
    return;
  }
  const auto* elements = static_cast<const Value*>(column);
  for (std::size_t k = 0; k < block.count; ++k)
    if (!flags || flags[k]) values.push_back(elements ? elements[k] : value);
}

}  // namespace tutti::nesl::host
