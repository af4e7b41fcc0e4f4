// record(): runs a body on stand-ins, which yields its computation as a graph, and replays the plan
// of that graph.
#include "tutti/record.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "api/vec/body_recorder.hpp"
#include "core/process/fork.hpp"
#include "core/settings/checks.hpp"
#include "core/settings/settings.hpp"
#include "engine/distribution.hpp"
#include "engine/evaluate.hpp"
#include "engine/recorded_plan.hpp"
#include "graph/copy_pending.hpp"
#include "graph/printer.hpp"
#include "graph/traversal.hpp"
#include "runtime/device.hpp"

namespace tutti::detail {
namespace {

int64_t length_of(const RecordedVariable& variable) {
  return variable.length ? *variable.length : one_number;
}

Extents shape_of(const RecordedVariable& variable) {
  if (variable.node) return detail::shape_of(variable.node(), "record");
  Extents shape;
  if (variable.length) shape.push_back(*variable.length);
  return shape;
}

// Returns "50 elements" for a vector and "shape {2, 3}" for an array.
std::string extent_text(const RecordedVariable& variable, const Extents& shape) {
  return variable.node ? "shape " + to_string(shape) : std::to_string(shape.size()) + " elements";
}

// Returns whether two variables are one and the same.
bool are_one(const RecordedVariable& a, const RecordedVariable& b) {
  return a.buffer == b.buffer && a.array == b.array && a.component == b.component;
}

// The computation of a body: a result for each variable, over a leaf for each.
struct BodyGraph {
  std::vector<NodeRef> variables, results;
  bool has_empty_arrays = false;
};

// Restores the contents of variables after a body has run.
class Restored {
 public:
  explicit Restored(std::span<const RecordedVariable> variables) : variables_(variables) {
    for (const RecordedVariable& v : variables) {
      if (v.node)
        before_.push_back({nullptr, 0, v.node()});
      else
        before_.push_back({*v.buffer, length_of(v), {}});
    }
  }
  ~Restored() {
    for (size_t i = 0; i < variables_.size(); ++i) {
      const RecordedVariable& v = variables_[i];
      if (v.node) {
        v.assign(std::move(before_[i].node));
        continue;
      }
      *v.buffer = std::move(before_[i].buffer);
      if (v.length) *v.length = before_[i].length;
    }
  }
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;

 private:
  struct Before {
    BufferRef buffer;
    int64_t length;
    NodeRef node;
  };
  std::span<const RecordedVariable> variables_;
  std::vector<Before> before_;
};

// The buffers of variables while a body runs. Arrays lend theirs and get back what is there at the
// end, so that nothing else refers to it: a run may write in place.
class Lent {
 public:
  Lent(std::span<const RecordedVariable> variables, std::span<const Extents> shapes,
       std::vector<BufferRef>& buffers, const Location& where)
      : variables_(variables), buffers_(buffers) {
    std::vector<NodeRef> nodes;
    for (size_t i = 0; i < variables.size(); ++i) {
      const RecordedVariable& v = variables[i];
      if (!v.node) continue;
      nodes.push_back(v.node());
      // Made here, because the destructor must not fail.
      after_.push_back(ir::make_leaf(v.type, shapes[i], empty_buffer(), where));
    }
    engine::evaluate(nodes);
    {
      std::lock_guard lock(ir::graph_mutex());
      for (size_t i = 0; i < variables.size(); ++i)
        if (variables[i].node) buffers[i] = variables[i].node()->buffer;
    }
    for (const RecordedVariable& v : variables)
      if (v.node) v.assign(NodeRef());
  }
  ~Lent() {
    auto after = after_.begin();
    for (size_t i = 0; i < variables_.size(); ++i) {
      if (!variables_[i].node) continue;
      {
        std::lock_guard lock(ir::graph_mutex());
        ir::Node& node = **after;
        node.pending_bytes.store(static_cast<int64_t>(buffers_[i]->bytes()),
                                 std::memory_order_relaxed);
        node.buffer = std::move(buffers_[i]);
        node.buffer->note_origin(node.where, node.type, node.shape);
      }
      variables_[i].assign(std::move(*after++));
    }
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

 private:
  std::span<const RecordedVariable> variables_;
  std::vector<BufferRef>& buffers_;
  std::vector<NodeRef> after_;  // of arrays: their leaves after the runs
};

// What a body's graph refers to: the nodes that are older than the body and still to be computed,
// and whether anything in it has no elements.
struct Surroundings {
  std::vector<NodeRef> older;
  bool has_empty_arrays = false;
};

// Returns whether nothing is computed for a node itself.
bool is_view(const ir::Node& node) {
  return node.kind == ir::Kind::constant || node.kind == ir::Kind::index ||
         node.kind == ir::Kind::affine || node.kind == ir::Kind::reshape;
}

Surroundings surroundings_of(std::span<const NodeRef> roots, int64_t first_number) {
  Surroundings result;
  std::lock_guard lock(ir::graph_mutex());
  const uint64_t mark = ir::next_traversal();
  std::vector<NodeRef> stack(roots.begin(), roots.end());
  while (!stack.empty()) {
    const NodeRef node = std::move(stack.back());
    stack.pop_back();
    if (std::exchange(node->visit, mark) == mark) continue;
    result.has_empty_arrays |= node->shape.size() == 0;
    if (node->buffer) continue;
    if (node->number < first_number && !is_view(*node)) {
      result.older.push_back(node);
      continue;
    }
    for (const NodeRef& input : node->inputs()) stack.push_back(input);
  }
  return result;
}

}  // namespace

class RecordedBody {
 public:
  RecordedBody(LocatedBody body, std::vector<RecordedVariable> variables)
      : body_(std::move(body)), variables_(std::move(variables)) {
    number_variables();
    lent_.resize(variables_.size());
    for (size_t i = 0; i < variables_.size(); ++i) {
      shapes_.push_back(shape_of(variables_[i]));
      buffers_.push_back(variables_[i].node ? &lent_[i] : variables_[i].buffer);
    }
    const int64_t first = ir::Node::next_number();
    graph_ = record();
    const Surroundings surroundings = surroundings_of(graph_.results, first);
    graph_.has_empty_arrays |= surroundings.has_empty_arrays;
    // Once, not in every run. Inside of another body there is nothing to compute.
    if (!BodyRecorder::current()) engine::evaluate(surroundings.older);
  }

  void run(int times) {
    if (times < 0)
      throw Error("a recorded body was run " + std::to_string(times) + " times; 0 is the least" +
                  at(body_.where));
    if (BodyRecorder::current()) {  // a part of another body
      for (int i = 0; i < times; ++i) body_.run();
      return;
    }
    std::lock_guard lock(mutex_);
    if (times <= 0) return;
    check_shapes();
    const Lent lent(variables_, shapes_, lent_, body_.where);
    for (int i = 0; i < times; ++i) run_once();
  }

  Explanation explain() {
    std::lock_guard lock(mutex_);
    return Explanation(compiler::explain(replay().plan()), ir::print(graph_.results));
  }

 private:
  // Counts variables as the user lists them: the components of an array are one.
  void number_variables() {
    for (size_t i = 0; i < variables_.size(); ++i) {
      const bool begins = variables_[i].component == 0;
      numbers_.push_back((i > 0 ? numbers_.back() : 0) + (begins ? 1 : 0));
      for (size_t k = 0; k < i; ++k)
        if (are_one(variables_[k], variables_[i]))
          throw Error("record: one variable is listed twice, as number " +
                      std::to_string(numbers_[k]) + " and " + std::to_string(numbers_[i]) +
                      at(body_.where));
    }
  }

  void run_once() {
    check_variables();
    if (live_settings().interpret || checks_wanted() || graph_.has_empty_arrays ||
        engine::distribution())
      evaluate();
    else
      replay_plan();
  }

  // Returns the graph of the body over leaves that stand in for the variables.
  BodyGraph record() {
    const Restored restored(variables_);
    const BodyRecorder recorder;
    BodyGraph graph;
    for (size_t i = 0; i < variables_.size(); ++i) {
      const RecordedVariable& variable = variables_[i];
      graph.variables.push_back(ir::make_leaf(variable.type, shapes_[i],
                                              std::make_shared<StandIn>(NodeRef()),
                                              variable.node ? body_.where : Location()));
      if (variable.node)
        variable.assign(graph.variables.back());
      else
        *variable.buffer = std::make_shared<StandIn>(graph.variables.back());
    }
    body_.run();
    for (size_t i = 0; i < variables_.size(); ++i) graph.results.push_back(result(i));
    graph.has_empty_arrays = recorder.has_empty_vectors();
    return graph;
  }

  NodeRef result(size_t i) const {
    const RecordedVariable& variable = variables_[i];
    const Extents shape = shape_of(variable);
    if (!(shape == shapes_[i]))
      throw ShapeError("record: variable " + std::to_string(numbers_[i]) + " has " +
                       extent_text(variable, shapes_[i]) + " before the body and " +
                       extent_text(variable, shape) + " after it; a recorded body keeps " +
                       (variable.node ? "shapes" : "lengths") + at(body_.where));
    if (variable.node) return variable.node();
    const BufferRef& buffer = *variable.buffer ? *variable.buffer : empty_buffer();
    const StoredOperand operand{&buffer, variable.type, length_of(variable)};
    return BodyRecorder::current()->node_of(operand);
  }

  void check_shapes() const {
    for (size_t i = 0; i < variables_.size(); ++i) {
      const Extents shape = shape_of(variables_[i]);
      if (!(shape == shapes_[i]))
        throw ShapeError("variable " + std::to_string(numbers_[i]) + " of a recorded body had " +
                         extent_text(variables_[i], shapes_[i]) + " when it was recorded and has " +
                         extent_text(variables_[i], shape) + " now" + at(body_.where));
    }
  }
  void check_variables() const {
    for (size_t i = 0; i < variables_.size(); ++i) {
      if (*buffers_[i]) (*buffers_[i])->require_elements();
      for (size_t k = 0; k < i; ++k) check_apart(k, i);
    }
  }
  // A recorded body assigns to each variable once, at its end. Memory that two variables share
  // would have to change in between.
  void check_apart(size_t k, size_t i) const {
    const BufferRef &a = *buffers_[k], &b = *buffers_[i];
    if (a && b && is_wrapped(a) && is_wrapped(b) && overlap(a, b))
      throw Error("record: variables " + std::to_string(numbers_[k]) + " and " +
                  std::to_string(numbers_[i]) +
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

  // Evaluates a copy of the graph, like any array: for the interpreter, for checks, for ranks that
  // share the work, and for empty vectors.
  void evaluate() {
    const std::vector<BufferRef> wrapped = wrapped_memory();
    const std::vector<NodeRef> results = results_of_present_values();
    engine::evaluate(results);
    for (size_t i = 0; i < variables_.size(); ++i) *buffers_[i] = buffer_of(results[i]);
    put_back(wrapped);
  }

  std::vector<NodeRef> results_of_present_values() const {
    std::vector<BufferRef> values;
    for (const BufferRef* buffer : buffers_) values.push_back(*buffer ? *buffer : empty_buffer());
    std::lock_guard lock(ir::graph_mutex());
    return ir::copy_pending(graph_.results, graph_.variables, values);
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
    const auto length = [&](size_t i) { return shapes_[i].size(); };
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
  std::vector<int> numbers_;     // of variables in the user's list, from 1 on
  std::vector<Extents> shapes_;  // of variables
  std::vector<BufferRef> lent_;  // by arrays, while a body runs
  std::vector<BufferRef*> buffers_;
  BodyGraph graph_;
  std::unique_ptr<engine::RecordedPlan> replay_;
  ForkMutex mutex_;
};

}  // namespace tutti::detail

namespace tutti {

Recorded::Recorded(detail::LocatedBody body, std::vector<detail::RecordedVariable> variables)
    : body_(std::make_shared<detail::RecordedBody>(std::move(body), std::move(variables))) {}

detail::RecordedBody& Recorded::body() const {
  if (!body_) throw Error("a recorded body was used that had been moved from");
  return *body_;
}

void Recorded::operator()(int times) const { body().run(times); }

Explanation Recorded::explain() const { return body().explain(); }

}  // namespace tutti
