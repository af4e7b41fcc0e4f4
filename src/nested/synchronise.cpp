#include "nested/synchronise.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/settings/settings.hpp"
#include "core/timeline/timeline.hpp"
#include "engine/laziness.hpp"
#include "engine/policy.hpp"
#include "nested/context.hpp"
#include "nested/sequence.hpp"
#include "nested/too_many_elements.hpp"

namespace tutti::nested {
namespace {

// Bounds on the agenda, for programs that never read a size.
constexpr size_t most_wanted = 256, most_checks = 256, most_totals = 256, least_sizes = 256;

// A total that must not exceed what a vector holds, and where it was made.
struct Total {
  Size size;
  const char* operation;
  Location where;
  Origin origin;
};

// Everything noted since the last round trip.
struct Agenda {
  std::vector<std::weak_ptr<Size::State>> sizes;
  size_t many_sizes = least_sizes;  // beyond this, sizes without references are dropped
  std::vector<NodeRef> wanted;
  std::vector<Check> checks;
  std::vector<Total> totals;
  NodeRef wrong;      // whether one of the first `joined` checks fails
  size_t joined = 0;  // the number of checks that are part of `wrong`
};

Agenda& agenda() {
  thread_local Agenda instance;
  return instance;
}
void note_size(const std::shared_ptr<Size::State>& size) {
  Agenda& now = agenda();
  if (now.sizes.size() >= now.many_sizes) {
    std::erase_if(now.sizes, [](const auto& weak) { return weak.expired(); });
    now.many_sizes = std::max(least_sizes, 2 * now.sizes.size());
  }
  now.sizes.push_back(size);
}
bool& nothing_is_read() {
  thread_local bool instance = false;
  return instance;
}

void forget_unused(std::vector<NodeRef>& wanted) {
  std::erase_if(wanted, [](const NodeRef& node) { return node->references == 1; });
}

NodeRef any(const NodeRef& flags) {
  if (is_uniform(flags)) return flags;
  const int axis = 0;
  return detail::reduce(Reduction::any, flags, {&axis, 1}, Location());
}

// Returns whether any check fails. Checks of one context are combined before they are reduced.
NodeRef anything_wrong(std::span<const Check> checks) {
  const auto join = [](NodeRef& all, const NodeRef& more) {
    all = all ? apply(Op::logical_or, all, more) : more;
  };
  std::vector<std::pair<const Context*, NodeRef>> by_context;
  NodeRef result;
  for (const Check& check : checks) {
    if (is_uniform(check.wrong)) {
      join(result, check.wrong);
      continue;
    }
    const Context* context = check.context.get();
    auto group = std::find_if(by_context.begin(), by_context.end(),
                              [&](const auto& entry) { return entry.first == context; });
    if (group == by_context.end()) group = by_context.insert(group, {context, NodeRef()});
    join(group->second, check.wrong);
  }
  for (const auto& [context, wrong] : by_context) join(result, any(wrong));
  return result;
}

void join_checks(Agenda& now) {
  if (now.joined == now.checks.size()) return;
  const NodeRef more = anything_wrong(std::span(now.checks).subspan(now.joined));
  now.wrong = now.wrong ? apply(Op::logical_or, now.wrong, more) : more;
  now.joined = now.checks.size();
}

Agenda joined(Agenda first, Agenda second) {
  if (second.joined > 0) {
    join_checks(first);
    first.wrong = first.wrong ? apply(Op::logical_or, first.wrong, second.wrong) : second.wrong;
    first.joined += second.joined;
  }
  const auto append = [](auto& all, auto& more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
  };
  append(first.sizes, second.sizes);
  append(first.wanted, second.wanted);
  append(first.checks, second.checks);
  append(first.totals, second.totals);
  return first;
}

// Computes the wanted nodes without waiting for them.
void compute_wanted() {
  if (nothing_is_read()) throw NothingIsRead::Violated();
  Agenda& now = agenda();
  std::vector<NodeRef> roots = std::exchange(now.wanted, {});
  forget_unused(roots);
  for (const std::weak_ptr<Size::State>& weak : now.sizes)
    if (const std::shared_ptr<Size::State> size = weak.lock(); size && !size->value) {
      roots.push_back(size->number);
      roots.insert(roots.end(), size->wanted.begin(), size->wanted.end());
    }
  join_checks(now);
  if (now.wrong) roots.push_back(now.wrong);
  engine::evaluate_by_amount(roots);
}

Origin& current_origin() {
  static thread_local Origin origin;
  return origin;
}

[[noreturn]] void fail(const Check& check, int64_t row) {
  std::vector<int64_t> facts;
  for (const NodeRef& fact : check.facts) {
    const std::vector<int64_t> numbers = read_integers(fact);
    facts.push_back(numbers[is_uniform(fact) ? 0 : static_cast<size_t>(row)]);
  }
  throw InstanceError(check.operation, check.describe(facts),
                      check.context->place_of(row) + detail::at(check.where), check.origin);
}

void report_first(const std::vector<Check>& checks) {
  for (const Check& check : checks) {
    const std::vector<int64_t> wrong = read_integers(check.wrong);
    const auto found = std::find_if(wrong.begin(), wrong.end(), [](int64_t w) { return w != 0; });
    if (found != wrong.end()) fail(check, found - wrong.begin());
  }
}

void report_first(const std::vector<Total>& totals) {
  for (const Total& total : totals)
    if (const std::optional<int64_t> rows = total.size.known(); rows && *rows > most_elements)
      throw TooManyElements(*rows, total.operation, total.where, total.origin);
}

template <class T>
void read_as(const NodeRef& node, std::vector<int64_t>& result) {
  std::vector<T> numbers(result.size());
  detail::copy_to_host(node, numbers.data());
  std::copy(numbers.begin(), numbers.end(), result.begin());
}

// Combines several numbers into one vector, so that the host waits for a GPU once.
NodeRef as_vector(const std::vector<NodeRef>& numbers) {
  const NodeRef row = numbered(static_cast<int64_t>(numbers.size()));
  NodeRef all = detail::cast(numbers[0], ElementType::i64, Location());
  for (size_t i = 1; i < numbers.size(); ++i)
    all = choose(apply(Op::equal, row, number(static_cast<int64_t>(i))),
                 detail::cast(numbers[i], ElementType::i64, Location()), all);
  return all;
}

bool is_computed(const NodeRef& node) {
  std::lock_guard lock(ir::graph_mutex());
  return node->buffer != nullptr;
}

// Computes the numbers along with other roots. Numbers that are computed already are copied
// separately: their count must not lead to another kernel.
std::vector<int64_t> compute_and_read(std::vector<NodeRef> roots,
                                      const std::vector<NodeRef>& numbers) {
  std::vector<NodeRef> pending;
  std::vector<bool> is_pending;
  for (const NodeRef& number : numbers) {
    is_pending.push_back(!is_computed(number));
    if (is_pending.back()) pending.push_back(number);
  }
  const bool join = pending.size() > 1 && engine::reading_waits();
  if (join) pending = {as_vector(pending)};
  roots.insert(roots.end(), pending.begin(), pending.end());
  engine::evaluate_by_amount(roots);

  std::vector<NodeRef> wanted_here = pending;
  for (size_t i = 0; i < numbers.size(); ++i)
    if (!is_pending[i]) wanted_here.push_back(numbers[i]);
  engine::bring_to_host(wanted_here);

  const std::vector<int64_t> joined = join ? read_integers(pending[0]) : std::vector<int64_t>();
  std::vector<int64_t> result;
  auto next = joined.begin();
  for (size_t i = 0; i < numbers.size(); ++i)
    result.push_back(join && is_pending[i] ? *next++ : read_integers(numbers[i])[0]);
  return result;
}

}  // namespace

std::vector<int64_t> read_integers(const NodeRef& node) {
  std::vector<int64_t> result(static_cast<size_t>(node->shape.size()));
  engine::evaluate_by_amount({&node, 1});
  if (node->type == ElementType::b8)
    read_as<uint8_t>(node, result);
  else if (node->type == ElementType::i32)
    read_as<int32_t>(node, result);
  else if (node->type == ElementType::i64)
    read_as<int64_t>(node, result);
  else
    throw InternalError(std::string("nested: a size of type ") + name(node->type));
  return result;
}

Size Size::pending(NodeRef number, std::vector<NodeRef> wanted) {
  if (const auto known = known_number(number)) return Size(*known);
  Size size(0);
  size.terms_.push_back({make_small<State>(State{std::move(number), std::move(wanted), {}}), 1});
  note_size(size.terms_[0].state);
  return size;
}

Size Size::times(int64_t factor) const {
  Size result = *this;
  result.known_ *= factor;
  for (Term& term : result.terms_) term.factor *= factor;
  return result;
}

Size Size::plus(const Size& other) const {
  Size result = *this;
  result.known_ += other.known_;
  result.terms_.insert(result.terms_.end(), other.terms_.begin(), other.terms_.end());
  result.fold();
  return result;
}

void Size::fold() const {
  std::erase_if(terms_, [&](const Term& term) {
    if (term.state->value) known_ += term.factor * *term.state->value;
    return term.state->value.has_value();
  });
}

int64_t Size::get() const {
  fold();
  if (!terms_.empty()) {
    note();
    synchronise();
    fold();
  }
  if (known_ > most_elements) ApplyingScope::fail(known_, current_origin());
  return known_;
}

void Size::note() const {
  for (const Term& term : terms_) note_size(term.state);
}

std::optional<int64_t> Size::known() const {
  fold();
  return terms_.empty() ? std::optional(known_) : std::nullopt;
}

NodeRef Size::node() const {
  fold();
  NodeRef result = number(known_);
  for (const Term& term : terms_) {
    const NodeRef once = to_int32(term.state->number, Location());
    result = add(result, term.factor == 1 ? once : apply(Op::multiply, once, number(term.factor)));
  }
  return result;
}

void want(const NodeRef& node) {
  want_with_next_size(node);
  if (engine::is_long_chain(node)) compute_wanted();
}

void want_with_next_size(const NodeRef& node) {
  if (node->kind == ir::Kind::leaf || node->kind == ir::Kind::constant) return;
  std::vector<NodeRef>& wanted = agenda().wanted;
  wanted.push_back(node);
  if (wanted.size() > most_wanted) forget_unused(wanted);
  if (wanted.size() > most_wanted) compute_wanted();
}

void want(const Data& data) {
  if (data.kind == Kind::scalar) want(data.node);
  for (const Data& part : data.parts) want(part);
  if (data.kind == Kind::sequence) {
    want(data.sequence->segments()->starts());
    want(data.sequence->segments()->lengths());
  }
}

void set_origin(const Origin& origin) { current_origin() = origin; }

void require(const ContextRef& at, Check check) {
  if (!live_settings().checks) return;
  check.origin = current_origin();
  if (check.context->count() == 0) return;  // a uniform `wrong` may hold without any instance
  // An operation may run in a context further out than the place where it is written, and so for
  // instances that never reach it.
  const Context* shared = check.context.get();
  while (!at->is_within(*shared)) shared = shared->parent().get();
  if (shared != at.get() && shared->parent()) {
    const NodeRef live = at->live_in(*shared);
    const NodeRef reached =
        shared == check.context.get() ? live : check.context->lift(live, *shared);
    check.wrong = apply(Op::logical_and, check.wrong, reached);
  }
  agenda().checks.push_back(std::move(check));
  if (agenda().checks.size() > most_checks) synchronise();
}

void require_vector_size(const ContextRef& at, const Size& total) {
  if (at->count() == 0) return;
  const std::optional<int64_t> known = total.known();
  if (known && *known > most_elements) ApplyingScope::fail(*known, current_origin());
  if (known) return;
  total.note();
  std::vector<Total>& totals = agenda().totals;
  totals.push_back({total, ApplyingScope::operation(), ApplyingScope::where(), current_origin()});
  if (totals.size() > most_totals) synchronise();
}

void abandon() { agenda() = {}; }

struct Attempt::Before {
  Agenda noted;
};
Attempt::Attempt() : before_(std::make_unique<Before>(std::exchange(agenda(), {}))) {}
Attempt::~Attempt() {
  if (before_) agenda() = std::move(before_->noted);
}
void Attempt::keep() {
  agenda() = joined(std::move(before_->noted), std::move(agenda()));
  before_.reset();
}

struct NothingIsRead::Before {
  Agenda noted;
  bool nothing_is_read;
};
NothingIsRead::NothingIsRead()
    : before_(std::make_unique<Before>(std::exchange(agenda(), {}),
                                       std::exchange(nothing_is_read(), true))) {}
NothingIsRead::~NothingIsRead() {
  agenda() = std::move(before_->noted);
  nothing_is_read() = before_->nothing_is_read;
}
bool NothingIsRead::holds() const {
  const Agenda& now = agenda();
  return now.sizes.empty() && now.wanted.empty() && now.checks.empty() && now.totals.empty();
}

void synchronise() {
  const timeline::Scope scope("nested", "read sizes of a nested program");
  if (nothing_is_read()) throw NothingIsRead::Violated();
  Agenda now = std::exchange(agenda(), {});
  std::vector<NodeRef> roots, numbers;
  std::vector<std::shared_ptr<Size::State>> sizes;
  for (const std::weak_ptr<Size::State>& weak : now.sizes) {
    std::shared_ptr<Size::State> size = weak.lock();
    if (!size || size->value || std::find(sizes.begin(), sizes.end(), size) != sizes.end())
      continue;
    numbers.push_back(size->number);
    roots.insert(roots.end(), size->wanted.begin(), size->wanted.end());
    sizes.push_back(std::move(size));
  }
  forget_unused(now.wanted);
  roots.insert(roots.end(), now.wanted.begin(), now.wanted.end());
  now.wanted.clear();
  join_checks(now);
  if (now.wrong) numbers.push_back(now.wrong);
  if (roots.empty() && numbers.empty()) return report_first(now.totals);
  const std::vector<int64_t> values = compute_and_read(std::move(roots), numbers);
  for (size_t i = 0; i < sizes.size(); ++i) {
    sizes[i]->value = values[i];
    sizes[i]->number = NodeRef();
    sizes[i]->wanted.clear();
  }
  if (now.wrong && values.back() != 0) report_first(now.checks);
  report_first(now.totals);
}

}  // namespace tutti::nested
