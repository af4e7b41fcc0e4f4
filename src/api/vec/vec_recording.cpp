// record(): runs a body on stand-ins, which yields its computation as a graph, and replays the plan
// of that graph.
#include "tutti/record.hpp"

#include <algorithm>
#include <mutex>

#include "api/vec/body_recorder.hpp"
#include "core/checks.hpp"
#include "core/fork.hpp"
#include "core/settings.hpp"
#include "engine/distribution.hpp"
#include "engine/evaluate.hpp"
#include "engine/recorded_plan.hpp"
#include "graph/printer.hpp"
#include "runtime/device.hpp"

namespace tutti::detail {
namespace {

int64_t length_of(const RecordedVariable& variable) {
  return variable.length ? *variable.length : one_number;
}

std::string elements(int64_t count) { return std::to_string(count) + " elements"; }

// The computation of a body: a result for each variable, over a leaf for each.
struct BodyGraph {
  std::vector<NodeRef> variables, results;
  bool has_empty_vectors = false;
};

// Restores the contents of variables after a body has run.
class Restored {
 public:
  explicit Restored(std::span<const RecordedVariable> variables) : variables_(variables) {
    for (const RecordedVariable& variable : variables)
      before_.push_back({*variable.buffer, length_of(variable)});
  }
  ~Restored() {
    for (size_t i = 0; i < variables_.size(); ++i) {
      *variables_[i].buffer = std::move(before_[i].buffer);
      if (variables_[i].length) *variables_[i].length = before_[i].length;
    }
  }
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;

  int64_t length(size_t i) const { return before_[i].length; }

 private:
  struct Before {
    BufferRef buffer;
    int64_t length;
  };
  std::span<const RecordedVariable> variables_;
  std::vector<Before> before_;
};

}  // namespace

class RecordedBody {
 public:
  RecordedBody(LocatedBody body, std::vector<RecordedVariable> variables)
      : body_(std::move(body)), variables_(std::move(variables)) {
    for (size_t i = 0; i < variables_.size(); ++i)
      for (size_t k = 0; k < i; ++k)
        if (variables_[i].buffer == variables_[k].buffer)
          throw Error("record: one variable is listed twice, as number " + std::to_string(k + 1) +
                      " and " + std::to_string(i + 1) + at(body_.where));
    for (const RecordedVariable& variable : variables_) {
      lengths_.push_back(length_of(variable));
      buffers_.push_back(variable.buffer);
    }
    graph_ =
        graph_over([](const RecordedVariable&) { return std::make_shared<StandIn>(NodeRef()); });
  }

  void run(int times) {
    if (BodyRecorder::current()) {  // a part of another body
      for (int i = 0; i < times; ++i) body_.run();
      return;
    }
    std::lock_guard lock(mutex_);
    for (int i = 0; i < times; ++i) run_once();
  }

  Explanation explain() {
    std::lock_guard lock(mutex_);
    return Explanation(compiler::explain(replay().plan()), ir::print(graph_.results));
  }

 private:
  void run_once() {
    check_variables();
    if (live_settings().interpret || checks_wanted() || graph_.has_empty_vectors ||
        engine::distribution())
      evaluate();
    else
      replay_plan();
  }

  // Returns the graph of the body over leaves with these buffers.
  template <class MakeBuffer>
  BodyGraph graph_over(MakeBuffer buffer) {
    const Restored restored(variables_);
    const BodyRecorder recorder;
    BodyGraph graph;
    for (const RecordedVariable& variable : variables_) {
      Extents shape;
      if (variable.length) shape.push_back(*variable.length);
      graph.variables.push_back(ir::make_leaf(variable.type, shape, buffer(variable), Location()));
      *variable.buffer = std::make_shared<StandIn>(graph.variables.back());
    }
    body_.run();
    for (size_t i = 0; i < variables_.size(); ++i) graph.results.push_back(result(i, restored));
    graph.has_empty_vectors = recorder.has_empty_vectors();
    return graph;
  }

  NodeRef result(size_t i, const Restored& before) const {
    const RecordedVariable& variable = variables_[i];
    const int64_t length = length_of(variable);
    if (length != before.length(i))
      throw ShapeError("record: variable " + std::to_string(i + 1) + " has " +
                       elements(before.length(i)) + " before the body and " + elements(length) +
                       " after it; a recorded body keeps lengths" + at(body_.where));
    const BufferRef& buffer = *variable.buffer ? *variable.buffer : empty_buffer();
    const StoredOperand operand{&buffer, variable.type, length};
    return BodyRecorder::current()->node_of(operand);
  }

  void check_variables() const {
    for (size_t i = 0; i < variables_.size(); ++i) {
      if (*buffers_[i] && is_stand_in(**buffers_[i])) StandIn::refuse();
      if (length_of(variables_[i]) != lengths_[i])
        throw ShapeError("variable " + std::to_string(i + 1) + " of a recorded body had " +
                         elements(lengths_[i]) + " when it was recorded and has " +
                         elements(length_of(variables_[i])) + " now" + at(body_.where));
      for (size_t k = 0; k < i; ++k) check_apart(k, i);
    }
  }
  // A recorded body assigns to each variable once, at its end. Memory that two variables share
  // would have to change in between.
  void check_apart(size_t k, size_t i) const {
    const BufferRef &a = *buffers_[k], &b = *buffers_[i];
    if (a && b && is_wrapped(a) && is_wrapped(b) && overlap(a, b))
      throw Error("record: variables " + std::to_string(k + 1) + " and " + std::to_string(i + 1) +
                  " wrap memory that overlaps; copy one of them, or do not record the body" +
                  at(body_.where));
  }

  engine::RecordedPlan& replay() {
    if (!replay_ || &replay_->device() != &runtime::current_device() ||
        replay_->generation() != engine::plan_generation())
      replay_ = std::make_unique<engine::RecordedPlan>(graph_.results, graph_.variables);
    return *replay_;
  }

  void replay_plan() {
    const std::vector<BufferRef> wrapped = wrapped_memory();
    replay().run(buffers_);
    put_back(wrapped);
  }

  // Evaluates by the graph, like any array: for the interpreter, for checks, for ranks that share
  // the work, and for empty vectors.
  void evaluate() {
    const std::vector<BufferRef> wrapped = wrapped_memory();
    const BodyGraph graph = graph_over([&](const RecordedVariable& variable) {
      return *variable.buffer ? *variable.buffer : empty_buffer();
    });
    engine::evaluate(graph.results);
    for (size_t i = 0; i < variables_.size(); ++i) *buffers_[i] = buffer_of(graph.results[i]);
    put_back(wrapped);
  }

  // Returns the wrapped memory of variables, which must stay in place.
  std::vector<BufferRef> wrapped_memory() const {
    std::vector<BufferRef> result;
    for (const BufferRef* buffer : buffers_)
      result.push_back(*buffer && is_wrapped(*buffer) ? *buffer : nullptr);
    return result;
  }
  // A variable that takes over or shares wrapped memory of another gets a copy first: the memory
  // changes only with its own variable.
  void put_back(const std::vector<BufferRef>& wrapped) {
    const auto length = [&](size_t i) { return std::max<int64_t>(lengths_[i], 1); };
    for (size_t i = 0; i < wrapped.size(); ++i)
      if (BufferRef& buffer = *buffers_[i]; buffer && is_wrapped(buffer) && buffer != wrapped[i])
        buffer = copy_of(buffer, variables_[i].type, length(i));
    for (size_t i = 0; i < wrapped.size(); ++i) {
      if (!wrapped[i] || wrapped[i] == *buffers_[i]) continue;
      copy_into(wrapped[i], *buffers_[i], variables_[i].type, length(i));
      *buffers_[i] = wrapped[i];
    }
  }

  LocatedBody body_;
  std::vector<RecordedVariable> variables_;
  std::vector<int64_t> lengths_;
  std::vector<BufferRef*> buffers_;
  BodyGraph graph_;
  std::unique_ptr<engine::RecordedPlan> replay_;
  ForkMutex mutex_;
};

}  // namespace tutti::detail

namespace tutti {

Recorded::Recorded(detail::LocatedBody body, std::vector<detail::RecordedVariable> variables)
    : body_(std::make_shared<detail::RecordedBody>(std::move(body), std::move(variables))) {}

void Recorded::operator()(int times) const { body_->run(times); }

Explanation Recorded::explain() const { return body_->explain(); }

}  // namespace tutti
