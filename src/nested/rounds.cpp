#include "nested/rounds.hpp"

#include <algorithm>

#include "nested/sequence.hpp"

namespace tutti::nested {
namespace {

// Returns for each instance of a context the instance of an outer one that it belongs to.
NodeRef instances_in(const ContextRef& context, const Context& outer) {
  if (context.get() == &outer) return numbered(context->count());
  return spread(context->instances_of(outer), context->count());
}

bool same(const Data& a, const Data& b) {
  if (a.node != b.node || a.sequence != b.sequence || a.parts.size() != b.parts.size())
    return false;
  for (size_t i = 0; i < a.parts.size(); ++i)
    if (!same(a.parts[i], b.parts[i])) return false;
  return true;
}

// Returns whether value `i` is the same in all parts, and known in the outer context.
bool is_known_outside(const ContextRef& outer, const std::vector<Round>& parts, size_t i) {
  const Value& first = parts[0].values[i];
  return outer->is_within(*first.context) &&
         std::all_of(parts.begin() + 1, parts.end(), [&](const Round& part) {
           const Value& other = part.values[i];
           return other.context == first.context && same(other.data, first.data);
         });
}

// Removes elements of sequences that belonged only to other instances.
Data compact(const Data& data) {
  Data result = data;
  for (Data& part : result.parts) part = compact(part);
  if (data.kind == Kind::sequence) {
    result.sequence = data.sequence->dense();
    result.sequence->elements();  // copied now, so that the rows it views can be freed
  }
  return result;
}

void want_elements(const Data& data) {
  want(data);
  if (data.kind == Kind::sequence) want_elements(data.sequence->elements());
}

}  // namespace

Round regroup(const ContextRef& outer, std::vector<Round> parts) {
  if (parts.size() == 1 && parts[0].context == outer) {
    for (const Value& value : parts[0].values) want(value.data);
    return std::move(parts[0]);
  }
  int64_t count = 0;
  NodeRef instances;
  for (const Round& part : parts) {
    const NodeRef more = instances_in(part.context, *outer);
    instances = instances ? append(instances, count, more, part.context->count()) : more;
    count += part.context->count();
  }
  want_with_next_size(instances);
  Round result{make_small<Context>(Context::Origin::side, outer, count, instances), {}};
  for (size_t i = 0; i < parts[0].values.size(); ++i) {
    if (is_known_outside(outer, parts, i)) {
      result.values.push_back(parts[0].values[i]);
      continue;
    }
    Data rows;
    int64_t before = 0;
    for (const Round& part : parts) {
      const Data more = lift(part.values[i], part.context);
      rows = before ? append(rows, before, more, part.context->count()) : more;
      before += part.context->count();
    }
    want(rows);
    result.values.push_back({std::move(rows), result.context});
  }
  return result;
}

Value compacted(const Value& value, const ContextRef& side) {
  Value result{compact(lift(value, side)), side};
  want_elements(result.data);
  return result;
}

void enter_side(Value& value, const ContextRef& side) {
  if (value.context == side->parent() && value.data.kind == Kind::sequence)
    value = {lift(value, side), side};
}

void settle(Data& data) {
  want(data);
  for (Data& part : data.parts) settle(part);
  if (data.kind != Kind::sequence) return;
  if (data.sequence->is_packed()) data.sequence = data.sequence->dense();
  data.sequence->segments()->forget_derived();
  const RowsRef& rows = data.sequence->rows();
  const auto compute = [](const RowsRef& its) {
    Data elements = its->data();
    settle(elements);
  };
  std::for_each(rows->parts().begin(), rows->parts().end(), compute);
  if (rows->parts().empty()) compute(rows);
}

void forget_lifted(const ContextRef& from, const ContextRef& to) {
  for (const Context* context = from.get(); context; context = context->parent().get()) {
    context->forget_lifted();
    if (context == to.get()) return;
  }
}

Finished::Part Finished::joined(const Part& a, const Part& b) {
  Part result{a.rows + b.rows, append(a.instances, a.rows, b.instances, b.rows),
              append(a.data, a.rows, b.data, b.rows)};
  want_with_next_size(result.instances);
  want_elements(result.data);
  return result;
}

// Parts are joined if the last is no smaller than the one before it: few parts remain, and each row
// is copied a logarithmic number of times.
void Finished::add(const ContextRef& context, const Value& result) {
  if (context == outer_) {
    all_ = result;
    return;
  }
  Part part{context->count(), instances_in(context, *outer_), compact(lift(result, context))};
  want_with_next_size(part.instances);
  want_elements(part.data);
  while (!parts_.empty() && parts_.back().rows <= part.rows) {
    part = joined(parts_.back(), part);
    parts_.pop_back();
  }
  parts_.push_back(std::move(part));
}

Value Finished::value() const {
  if (all_) return *all_;
  Part all = parts_.back();
  for (auto part = parts_.rbegin() + 1; part != parts_.rend(); ++part) all = joined(*part, all);
  const NodeRef none = spread(number(0), all.rows);
  const NodeRef rows =
      detail::scatter(none, {&all.instances, 1}, numbered(all.rows), Collision::any, Location());
  Data result = take(all.data, rows, all.rows);
  want(result);
  return {std::move(result), outer_};
}

}  // namespace tutti::nested
