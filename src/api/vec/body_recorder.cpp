#include "api/vec/body_recorder.hpp"

namespace tutti::detail {

thread_local BodyRecorder* BodyRecorder::current_ = nullptr;

void StandIn::refuse() const {
  throw Error(BodyRecorder::current()
                  ? "elements are read inside of a body that is being recorded, where there are "
                    "none: read them between its runs, and keep numbers in Number<T> or Array<0, T>"
                  : "a vector, a number or an array was assigned to in a recorded body, but is not "
                    "among its variables, and has no value: list it in record(body, variables...)");
}

NodeRef BodyRecorder::node_of(const StoredOperand& operand) {
  const BufferRef& buffer = *operand.buffer;
  has_empty_vectors_ |= operand.length == 0;
  if (is_stand_in(*buffer)) return static_cast<const StandIn&>(*buffer).node();
  NodeRef& leaf = leaves_[buffer.get()];
  if (!leaf) {
    Extents shape;
    if (operand.length != one_number) shape.push_back(operand.length);
    leaf = ir::make_leaf(operand.type, shape, buffer, Location());
  }
  return leaf;
}

}  // namespace tutti::detail
