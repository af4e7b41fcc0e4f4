#include "nested/context.hpp"

#include <algorithm>

#include "core/process/thread.hpp"
#include "nested/error_texts.hpp"
#include "nested/sequence.hpp"
#include "nested/synchronise.hpp"

namespace tutti::nested {
namespace {

ContextRef& current_context() {
  thread_local ContextRef instance = top_context();
  return instance;
}

}  // namespace

ContextRef top_context() {
  static const ContextRef top = std::make_shared<const Context>();
  return top;
}
const ContextRef& current() { return current_context(); }
int64_t instances(const ContextRef& context) { return context->count(); }

ScopedContext::ScopedContext(ContextRef context)
    : before_(std::exchange(current_context(), std::move(context))) {}
ScopedContext::~ScopedContext() { current_context() = std::move(before_); }

Context::Context() : origin_(Origin::top), depth_(0), count_(1) {}
Context::Context(Origin origin, ContextRef parent, int64_t count, NodeRef to_parent,
                 std::optional<int64_t> each)
    : origin_(origin),
      parent_(std::move(parent)),
      depth_(parent_->depth_ + 1),
      count_(count),
      to_parent_(std::move(to_parent)),
      each_(each) {}

bool Context::is_within(const Context& other) const {
  const Context* context = this;
  while (context->depth_ > other.depth_) context = context->parent_.get();
  return context == &other;
}

const NodeRef& Context::instances_of(const Context& ancestor) const {
  if (&ancestor == parent_.get()) return to_parent_;
  NodeRef& map = instances_[&ancestor];
  if (!map) {
    map = pick(parent_->instances_of(ancestor), to_parent_);
    want(map);
  }
  return map;
}

NodeRef Context::lift(const NodeRef& rows, const Context& ancestor) const {
  if (is_uniform(rows) || &ancestor == this) return rows;
  for (const Lifted& known : lifted_)
    if (known.rows == rows && known.from == &ancestor) return known.here;
  if (lifted_.size() >= most_lifted) lifted_.clear();
  NodeRef here = pick(rows, instances_of(ancestor));
  lifted_.push_back({&ancestor, rows, here});
  return here;
}

NodeRef Context::live_in(const Context& ancestor) const {
  NodeRef& live = live_[&ancestor];
  if (!live) {
    const NodeRef none = spread(flag(false), ancestor.count_);
    // All instances may belong to the same one.
    const NodeRef indices = spread(instances_of(ancestor), count_);
    live = detail::scatter(none, {&indices, 1}, spread(flag(true), count_), Collision::any,
                           Location());
  }
  return live;
}

SegmentsRef Context::segments_of(int64_t elements) const {
  std::erase_if(alike_, [](const auto& weak) { return weak.expired(); });
  for (const auto& weak : alike_)
    if (SegmentsRef known = weak.lock(); known && known_number(known->lengths()) == elements)
      return known;
  SegmentsRef made = Segments::alike(count_, number(elements), Size(elements));
  alike_.push_back(made);
  return made;
}

void Context::note(const SegmentsRef& used) const {
  if (is_uniform(used->lengths())) return;
  std::erase_if(noted_, [&](const auto& weak) { return weak.expired() || weak.lock() == used; });
  if (noted_.size() == most_noted) noted_.erase(noted_.begin());
  noted_.push_back(used);
}
std::vector<SegmentsRef> Context::noted() const {
  std::vector<SegmentsRef> result;
  for (const auto& weak : noted_)
    if (SegmentsRef segments = weak.lock()) result.push_back(std::move(segments));
  return result;
}
void Context::note_total(const SegmentsRef& segments, Size total) {
  totals_.emplace_back(segments, std::move(total));
}
std::optional<Size> Context::total_here(const Segments& segments, const Context& ancestor) const {
  if (this == &ancestor) return segments.known_total();
  for (const auto& [noted, total] : totals_)
    if (noted.lock().get() == &segments) return total;
  if (!each_) return std::nullopt;
  const std::optional<Size> outside = parent_->total_here(segments, ancestor);
  return outside ? std::optional(outside->times(*each_)) : std::nullopt;
}

void Context::forget_lifted() const {
  lifted_.clear();
  instances_.clear();
  live_.clear();
}

std::string Context::place_of(int64_t instance) const {
  std::string path;
  for (const Context* context = this; context->parent_; context = context->parent_.get()) {
    const std::vector<int64_t> parents =
        read_integers(spread(context->to_parent_, context->count_));
    const int64_t parent = parents[static_cast<size_t>(instance)];
    if (context->origin_ == Origin::elements) {
      const auto first = std::find(parents.begin(), parents.end(), parent);
      path = "[" + std::to_string(instance - (first - parents.begin())) + "]" + path;
    }
    instance = parent;
  }
  return path.empty() ? path : ", for element " + path;
}

ContextRef meeting(const ContextRef& at, std::span<const Value> operands, const char* operation,
                   const Location& where) {
  ContextRef deepest = top_context();
  for (const Value& operand : operands) {
    if (!operand.context) throw Error(no_value(operation) + detail::at(where));
    if (!at->is_within(*operand.context))
      throw Error(std::string(operation) +
                  ": a value made within each() or if_() is used outside of it; return it from "
                  "there instead" +
                  detail::at(where));
    if (operand.context->is_within(*deepest)) deepest = operand.context;
  }
  if (!deepest->parent()) return deepest;
  std::vector<ContextRef> path;
  for (ContextRef context = at; context != deepest; context = context->parent())
    path.push_back(context);
  while (!path.empty() && path.back()->is_side()) {
    deepest = path.back();
    path.pop_back();
  }
  return deepest;
}

Data lift(const Value& value, const ContextRef& to) {
  if (value.context == to) return value.data;
  Data result = value.data;
  switch (result.kind) {
    case Kind::scalar:
      result.node = to->lift(result.node, *value.context);
      break;
    case Kind::tuple:
      for (Data& part : result.parts) part = lift(Value{part, value.context}, to);
      break;
    case Kind::sequence:
      result.sequence = result.sequence->lifted(*value.context, to);
      break;
  }
  return result;
}

void require_stack(const char* operation, const Location& where) {
  if (!stack_is_low()) return;
  throw Error(std::string(operation) +
              ": the recursion is so deep that the stack of the thread is used up; does it end? A "
              "thread can have a larger stack (ulimit -s, pthread_attr_setstacksize)" +
              detail::at(where));
}

}  // namespace tutti::nested
