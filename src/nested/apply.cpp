#include "nested/apply.hpp"

#include "nested/error_texts.hpp"

namespace tutti::nested {

Application::Application(const ContextRef& at, std::span<const Value> operands,
                         const char* operation, const Location& where)
    : Application(meeting(at, operands, operation, where), at, operands, operation, where) {}

Application::Application(const ContextRef& context, const ContextRef& at,
                         std::span<const Value> operands, const char* operation,
                         const Location& where)
    : scope_(operation, where), at_(at), context_(context), operation_(operation), where_(where) {
  operands_.reserve(operands.size());
  for (const Value& operand : operands) take_operand(operand);
}

void Application::take_operand(const Value& operand) {
  operands_.push_back(lift(operand, context_));
  const Data& data = operands_.back();
  if (data.kind == Kind::sequence) context_->note(data.sequence->segments());
}

Application Application::in(const ContextRef& context, const ContextRef& at,
                            std::span<const Value> operands, const char* operation,
                            const Location& where) {
  meeting(context, operands, operation, where);  // checks that they can be used there
  return Application(context, at, operands, operation, where);
}

NodeRef Application::integer(int i) const {
  const NodeRef& node = scalar(i);
  if (!is_integer(node->type))
    throw TypeError(std::string(operation_) + " takes an integer, not " + name(node->type) +
                    detail::at(where_));
  return to_int32(node, where_);
}

Application::Aligned Application::align(std::span<const int> sequences) const {
  Aligned result;
  for (int i : sequences) {
    const SequenceRef dense = sequence(i).dense();
    const SegmentsRef& segments = dense->segments();
    if (!result.segments) result.segments = segments;
    if (segments == result.segments) {
      result.elements.push_back(dense->elements());
      continue;
    }
    const NodeRef left = result.segments->lengths(), right = segments->lengths();
    if (left != right)
      require_not(apply(Op::not_equal, left, right), {left, right},
                  [](auto n) { return unequal_lengths(n[0], n[1]); });
    const int64_t rows = result.segments->total().get();
    if (dense->rows()->count() == rows) {
      result.elements.push_back(dense->elements());
      continue;
    }
    // The lengths differ, possibly only in instances that do not reach this point: read what fits.
    const NodeRef indices = add(pick(segments->starts(), result.segments->element_segments()),
                                result.segments->positions());
    result.elements.push_back(take(dense->elements(), indices, rows));
  }
  return result;
}

void Application::require_not(const NodeRef& wrong, std::vector<NodeRef> facts,
                              std::function<std::string(std::span<const int64_t>)> describe) const {
  require_not(context_, wrong, std::move(facts), std::move(describe));
}
void Application::require_not(const ContextRef& context, const NodeRef& wrong,
                              std::vector<NodeRef> facts,
                              std::function<std::string(std::span<const int64_t>)> describe) const {
  require(at_, Check{context, wrong, operation_, std::move(facts), std::move(describe), where_});
}

void require_not(const ContextRef& at, const Value& wrong, const char* operation,
                 const std::string& message, const Location& where) {
  const Application a(at, {&wrong, 1}, operation, where);
  a.require_not(a.scalar(0), {}, [message](auto) { return message; });
}

void require_not(const ContextRef& at, const Value& wrong, std::span<const Value> facts,
                 const char* operation,
                 std::function<std::string(std::span<const int64_t>)> describe,
                 const Location& where) {
  std::vector<Value> operands{wrong};
  operands.insert(operands.end(), facts.begin(), facts.end());
  const Application a(at, operands, operation, where);
  std::vector<NodeRef> numbers;
  for (int i = 1; i < static_cast<int>(operands.size()); ++i) numbers.push_back(a.scalar(i));
  a.require_not(a.scalar(0), std::move(numbers), std::move(describe));
}

}  // namespace tutti::nested
