#include "program/program.hpp"

#include <map>
#include <mutex>
#include <ranges>
#include <set>

#include "core/caching/structural_cache.hpp"

namespace tutti::ir {
namespace {

// Finds the statements that affect an output or print a trace, by iterating to a fixed point.
class Liveness {
 public:
  explicit Liveness(const ScalarProgram& program)
      : value_(program.values.size(), false),
        slot_(program.slots.size(), false),
        array_(program.arrays.size(), false) {
    for (int output : program.outputs) slot_[static_cast<size_t>(output)] = true;
    do {
      changed_ = false;
      visit(program.body, false);
    } while (changed_);
  }

  bool value(int v) const { return value_[static_cast<size_t>(v)]; }
  bool statement(const Statement& s) const { return statements_.count(&s) > 0; }

 private:
  // Returns whether a block has effects. `jumps_count`: jumps of the loop around it are live.
  bool visit(const Block& block, bool jumps_count) {
    bool alive = false;
    for (const Statement& s : std::views::reverse(block)) alive |= visit(s, jumps_count);
    return alive;
  }

  bool visit(const Statement& s, bool jumps_count) {
    bool alive = false, effect = false;
    switch (s.kind) {
      case StatementKind::assign:
        alive = effect = slot_[static_cast<size_t>(s.place)];
        break;
      case StatementKind::clear:
      case StatementKind::assign_element:
        alive = effect = array_[static_cast<size_t>(s.place)];
        break;
      case StatementKind::trace:
        alive = effect = true;
        break;
      case StatementKind::leave:
      case StatementKind::next:
        alive = effect = jumps_count;
        break;
      case StatementKind::branch:
        for (const Block& block : s.blocks) effect |= visit(block, jumps_count);
        alive = effect;
        break;
      case StatementKind::loop: {
        const bool was_alive = statements_.count(&s) > 0;
        for (const Block& block : s.blocks) effect |= visit(block, was_alive);
        alive = effect;
        break;
      }
      default:
        alive = value_[static_cast<size_t>(s.result)];
        if (alive && s.kind == StatementKind::read) mark(slot_, s.place);
        if (alive && s.kind == StatementKind::read_element) mark(array_, s.place);
        break;
    }
    if (alive) {
      changed_ |= statements_.insert(&s).second;
      for (int input : s.inputs) mark(value_, input);
    }
    return effect;
  }

  void mark(std::vector<bool>& set, int i) {
    if (set[static_cast<size_t>(i)]) return;
    set[static_cast<size_t>(i)] = true;
    changed_ = true;
  }

  std::vector<bool> value_, slot_, array_;
  std::set<const Statement*> statements_;
  bool changed_ = false;
};

// Copies the live statements. Inputs and tables keep their numbers; everything else is renumbered.
class Compaction {
 public:
  Compaction(const ScalarProgram& from) : from_(from), live_(from) {
    to_.inputs = from.inputs;
    to_.tables = from.tables;
    to_.labels = from.labels;
    for (int v = 0; v < from.inputs; ++v) {
      values_[v] = v;
      to_.values.push_back(from.values[static_cast<size_t>(v)]);
    }
  }

  ScalarProgram run() {
    to_.body = copy(from_.body);
    for (int output : from_.outputs) to_.outputs.push_back(slot(output));
    return std::move(to_);
  }

 private:
  Block copy(const Block& block) {
    Block result;
    for (const Statement& s : block) {
      if (!live_.statement(s)) continue;
      Statement t = s;
      t.blocks.clear();
      for (int& input : t.inputs) input = values_.at(input);
      for (const Block& inner : s.blocks) t.blocks.push_back(copy(inner));
      if (s.kind == StatementKind::read || s.kind == StatementKind::assign) t.place = slot(s.place);
      if (s.kind == StatementKind::read_element || s.kind == StatementKind::assign_element ||
          s.kind == StatementKind::clear)
        t.place = array(s.place);
      if (s.result >= 0) {
        t.result = static_cast<int>(to_.values.size());
        values_[s.result] = t.result;
        to_.values.push_back(s.type);
      }
      result.push_back(std::move(t));
    }
    return result;
  }

  int slot(int i) {
    const auto [place, fresh] = slots_.emplace(i, static_cast<int>(to_.slots.size()));
    if (fresh) to_.slots.push_back(from_.slots[static_cast<size_t>(i)]);
    return place->second;
  }
  int array(int i) {
    const auto [place, fresh] = arrays_.emplace(i, static_cast<int>(to_.arrays.size()));
    if (fresh) to_.arrays.push_back(from_.arrays[static_cast<size_t>(i)]);
    return place->second;
  }

  const ScalarProgram& from_;
  const Liveness live_;
  ScalarProgram to_;
  std::map<int, int> values_, slots_, arrays_;
};

// The whole structure of a program, as numbers.
class Structure {
 public:
  explicit Structure(const ScalarProgram& p) {
    words_.reserve(64 + 16 * p.values.size());
    add(p.inputs);
    for (int v = 0; v < p.inputs; ++v) add(p.values[static_cast<size_t>(v)]);
    add(p.tables.size());
    for (const auto& table : p.tables) add(table.type), add(table.rank);
    add(p.slots.size());
    for (ElementType slot : p.slots) add(slot);
    add(p.arrays.size());
    for (const auto& array : p.arrays) add(array.type), add(array.size);
    add(p.labels.size());
    for (const std::string& label : p.labels) {
      add(label.size());
      for (char letter : label) add(letter);
    }
    add(p.body);
    for (int output : p.outputs) add(output);
  }
  const std::vector<uint64_t>& words() const { return words_; }
  std::string text() const {
    std::string result;
    for (uint64_t word : words_) result += std::to_string(static_cast<int64_t>(word)) + ' ';
    return result;
  }

 private:
  template <class Number>
  void add(Number number) {
    words_.push_back(static_cast<uint64_t>(number));
  }
  void add(const Block& statements) {
    add(statements.size());
    for (const Statement& s : statements) {
      add(s.kind), add(s.op), add(s.boundary), add(s.type), add(s.result), add(s.place);
      add(s.inputs.size());
      for (int input : s.inputs) add(input);
      add(s.blocks.size());
      for (const Block& inner : s.blocks) add(inner);
    }
  }
  std::vector<uint64_t> words_;
};

// Programs in the cache. More are evicted, least recently used first: a program that is captured
// again then gets a new number, and is planned again.
constexpr size_t most_programs = 1024;

// Equal programs have the same number. Numbers are never reused.
int64_t id_of(const std::vector<uint64_t>& structure) {
  static std::atomic<int64_t> last{0};
  static auto* ids = new StructuralCache<int64_t>(most_programs);
  if (const auto known = ids->find(structure)) return *known;
  const int64_t id = ++last;
  ids->set(structure, id);
  return id;
}

// The assumed number of iterations of a loop. It affects task sizes and recomputation, never
// results.
constexpr double guessed_iterations = 32;

double cost_of(const Block& block) {
  double cost = 0;
  for (const Statement& s : block) {
    if (s.kind == StatementKind::operation) cost += op_cost(s.op);
    if (s.kind == StatementKind::cast) cost += 1;
    if (s.kind == StatementKind::gather || s.kind == StatementKind::read_element ||
        s.kind == StatementKind::assign_element)
      cost += 4;
    double inner = 0;
    for (const Block& block : s.blocks) inner += cost_of(block);
    cost += s.kind == StatementKind::loop ? guessed_iterations * inner : inner;
  }
  return cost;
}

// Adds counters to loops, inner ones first; see limit_iterations().
class Limiting {
 public:
  explicit Limiting(ScalarProgram& program) : program_(program) {
    exceeded_ = add_slot(ElementType::b8);
    one_ = add_input(ElementType::i64);
    limit_ = add_input(ElementType::i64);
    true_ = add_input(ElementType::b8);
    visit(program_.body);
    program_.outputs.push_back(exceeded_);
  }

 private:
  int add_slot(ElementType type) {
    program_.slots.push_back(type);
    return static_cast<int>(program_.slots.size()) - 1;
  }
  // Inputs come first among the values: all others are renumbered.
  int add_input(ElementType type) {
    const int at = program_.inputs++;
    program_.values.insert(program_.values.begin() + at, type);
    shift(program_.body, at);
    return at;
  }
  static void shift(Block& block, int from) {
    for (Statement& s : block) {
      for (int& input : s.inputs) input += input >= from;
      if (s.result >= from) ++s.result;
      for (Block& inner : s.blocks) shift(inner, from);
    }
  }
  int add_value(ElementType type) {
    program_.values.push_back(type);
    return static_cast<int>(program_.values.size()) - 1;
  }

  void visit(Block& block) {
    for (size_t i = 0; i < block.size(); ++i) {
      for (Block& inner : block[i].blocks) visit(inner);
      if (block[i].kind != StatementKind::loop) continue;
      const int counter = add_slot(ElementType::i64);
      // before the loop: counter = 1 - 1; at its start: leave if counter == limit; counter += 1
      const int zero = add_value(ElementType::i64), count = add_value(ElementType::i64),
                next = add_value(ElementType::i64), full = add_value(ElementType::b8);
      Block start;
      start.push_back({StatementKind::operation,
                       Op::subtract,
                       {},
                       ElementType::i64,
                       zero,
                       -1,
                       {one_, one_},
                       {}});
      start.push_back({StatementKind::assign, {}, {}, {}, -1, counter, {zero}, {}});
      Block check;
      check.push_back({StatementKind::read, {}, {}, ElementType::i64, count, counter, {}, {}});
      check.push_back({StatementKind::operation,
                       Op::greater_equal,
                       {},
                       ElementType::b8,
                       full,
                       -1,
                       {count, limit_},
                       {}});
      Block stop;
      stop.push_back({StatementKind::assign, {}, {}, {}, -1, exceeded_, {true_}, {}});
      stop.push_back({StatementKind::leave, {}, {}, {}, -1, -1, {}, {}});
      check.push_back(
          {StatementKind::branch, {}, {}, {}, -1, -1, {full}, {std::move(stop), Block{}}});
      check.push_back(
          {StatementKind::operation, Op::add, {}, ElementType::i64, next, -1, {count, one_}, {}});
      check.push_back({StatementKind::assign, {}, {}, {}, -1, counter, {next}, {}});
      Block& body = block[i].blocks[0];
      body.insert(body.begin(), check.begin(), check.end());
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(i), start.begin(), start.end());
      i += start.size();
    }
  }

  ScalarProgram& program_;
  int exceeded_ = 0, one_ = 0, limit_ = 0, true_ = 0;
};

}  // namespace

ProgramRef finish_program(const ScalarProgram& program) {
  // A function inside a frequently run program is captured each time, with the same result.
  static auto* finished = new StructuralCache<ProgramRef>(most_programs);
  const Structure structure(program);
  if (const auto known = finished->find(structure.words())) return *known;
  auto result = std::make_shared<ScalarProgram>(Compaction(program).run());
  for_each_statement(result->body, [&](const Statement& s) {
    result->loops |= s.kind == StatementKind::loop;
    result->operations += s.kind == StatementKind::operation || s.kind == StatementKind::gather;
  });
  result->cost = cost_of(result->body);
  const Structure compact(*result);
  result->key = compact.text();
  result->id = id_of(compact.words());
  finished->set(structure.words(), result);
  return result;
}

ProgramRef specialise(const ScalarProgram& program, const std::vector<int>& outputs) {
  ScalarProgram copy = program;
  copy.outputs.clear();
  for (int output : outputs) copy.outputs.push_back(program.outputs[static_cast<size_t>(output)]);
  return finish_program(copy);
}

ProgramRef limit_iterations(const ScalarProgram& program) {
  ScalarProgram copy = program;
  Limiting limiting(copy);
  return finish_program(copy);
}

NodeRef make_program(const ProgramRef& program, std::span<const NodeRef> inputs, int output,
                     const Location& where) {
  const auto arguments = static_cast<size_t>(program->inputs);
  if (inputs.size() != arguments + program->tables.size())
    throw InternalError("make_program: the number of inputs is wrong");
  std::vector<Extents> shapes;
  for (const NodeRef& input : inputs.first(arguments))
    if (input->shape.rank > 0) shapes.push_back(input->shape);
  const Extents shape = broadcast_shapes(shapes, "program", where);
  SmallVector<NodeRef> ready;
  ready.reserve(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i)
    ready.push_back(i < arguments ? repeat_to(inputs[i], shape, where) : inputs[i]);
  for (const NodeRef& table : std::span(ready).subspan(arguments))
    if (table->shape.size() == 0)
      throw ShapeError("program: an array that it reads is empty, of shape " +
                       detail::to_string(table->shape) + detail::at(where));
  const int slot = program->outputs[static_cast<size_t>(output)];
  auto* node = new Node(ir::Kind::program, program->slots[static_cast<size_t>(slot)], shape, where);
  node->program = program;
  node->payload = ProgramOutput{output};
  node->set_inputs(ready);
  return NodeRef(node);
}

}  // namespace tutti::ir
