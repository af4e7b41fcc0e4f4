// Nodes for primitives on scalars: what the primitives of primitives/scalar.cpp compute, for one
// type. Floats of 32 bits, and operands that a primitive rejects, are left to the primitive itself.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/elements/convert.hpp"
#include "nesl/eval/host/typed.hpp"
#include "nesl/library/primitive.hpp"
#include "numerics/column_math.hpp"
#include "numerics/scalar_apply.hpp"

namespace tutti::nesl::host {
namespace {

// Loops over a column are flattened: an operation of the compiler's table is a switch, which must
// become the one operation in the loop, or that is not vectorised.
template <class Function, class R, class T>
[[gnu::flatten]] void combine_all(const T* a, const T* b, R* results, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) results[k] = Function()(a[k], b[k]);
}
template <class Function, class R, class T>
[[gnu::flatten]] void map_all(const T* operands, R* results, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) results[k] = Function()(operands[k]);
}

// One function of many numbers.
template <class Function, class R, class T>
void apply_to_all(const T* operands, R* results, std::size_t count) {
  if constexpr (std::is_same_v<R, double> && requires { Function::operation; }) {
    if constexpr (ir::has_column_math(Function::operation))
      return ir::apply_to_column(Function::operation, operands, results, count);
  }
  if constexpr (!std::is_floating_point_v<T> && !std::is_floating_point_v<R>)
    return map_all<Function>(operands, results, count);
  for (std::size_t k = 0; k < count; ++k) results[k] = Function()(operands[k]);
}

template <class R, class T, class Function>
class Unary final : public Typed<R, Unary<R, T, Function>> {
 public:
  explicit Unary(std::vector<NodeRef> operands) : operand_(std::move(operands[0])) {}
  R compute(Frame& frame) const { return Function()(get<T>(*operand_, frame)); }
  bool works_in_blocks(InBlocks how) const override { return operand_->works_in_blocks(how); }
  void compute_block(Block& block, R* results) const {
    T room[block_length];
    apply_to_all<Function>(operand_->block(block, room), results, block.count);
  }

 private:
  const NodeRef operand_;
};

template <class R, class T, class Function>
class Binary final : public Typed<R, Binary<R, T, Function>> {
 public:
  explicit Binary(std::vector<NodeRef> operands)
      : a_(std::move(operands[0])), b_(std::move(operands[1])) {}
  [[gnu::flatten]] R compute(Frame& frame) const {
    const T a = get<T>(*a_, frame);
    return Function()(a, get<T>(*b_, frame));
  }
  bool works_in_blocks(InBlocks how) const override {
    return a_->works_in_blocks(how) && b_->works_in_blocks(how);
  }
  void compute_block(Block& block, R* results) const {
    T a_room[block_length], b_room[block_length];
    const T* a = a_->block(block, a_room);
    const T* b = b_->block(block, b_room);
    combine_all<Function>(a, b, results, block.count);
  }

 private:
  const NodeRef a_, b_;
};

// ---- operations of the compiler's table

template <Op op>
struct Operation {
  static constexpr Op operation = op;
  template <class T>
  auto operator()(T a, T b) const {
    if constexpr (op >= Op::equal && op <= Op::greater_equal)
      return ir::test<T>(op, a, b);
    else
      return static_cast<T>(ir::apply<T>(op, a, b, T{}));
  }
  template <class T>
  auto operator()(T a) const {
    return (*this)(a, a);
  }
};

template <Op op, class T>
NodeRef operation_on(std::vector<NodeRef> operands) {
  using R = decltype(Operation<op>()(T{}, T{}));
  if (operands.size() == 1)
    return std::make_unique<Unary<R, T, Operation<op>>>(std::move(operands));
  return std::make_unique<Binary<R, T, Operation<op>>>(std::move(operands));
}

template <Op op>
NodeRef operation(Mono type, std::vector<NodeRef> operands) {
  switch (type->kind) {
    case MonoType::Kind::integer:
      return operation_on<op, int>(std::move(operands));
    case MonoType::Kind::floating:
      return operation_on<op, double>(std::move(operands));
    case MonoType::Kind::boolean:
      return operation_on<op, bool>(std::move(operands));
    default:
      return operation_on<op, unsigned char>(std::move(operands));
  }
}

// ---- division, whose primitive decides what happens to a divisor of zero

struct Remainder {
  int operator()(int a, int b) const { return result(a, b); }
  static int result(int a, int b) { return Operation<Op::remainder>()(a, b); }
};
struct Modulo {
  int operator()(int a, int b) const { return result(a, b); }
  static int result(int a, int b) {
    const int r = Operation<Op::remainder>()(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
  }
};
struct Quotient {
  template <class T>
  T operator()(T a, T b) const {
    return result(a, b);
  }
  template <class T>
  static T result(T a, T b) {
    return Operation<Op::divide>()(a, b);
  }
};

// Of ints, with a divisor that is neither 0 nor -1. Doubles are divided by vector instructions. The
// quotient is exact: unless it is an int, it differs from one by more than it is rounded.
template <class Function>
struct ByDoubles {
  int operator()(int a, int b) const {
    const int quotient = static_cast<int>(static_cast<double>(a) / b);
    if constexpr (std::is_same_v<Function, Quotient>) return quotient;
    const int rest = a - quotient * b;
    if constexpr (std::is_same_v<Function, Modulo>)
      return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    return rest;
  }
};

template <class T, class Function>
class Division final : public Typed<T, Division<T, Function>> {
 public:
  Division(const CoreExpr& expr, Compiler& compiler)
      : expr_(expr),
        function_(compiler.function()),
        a_(compiler.node(*expr.operands[0])),
        b_(compiler.node(*expr.operands[1])) {}
  T compute(Frame& frame) const {
    const T a = get<T>(*a_, frame), b = get<T>(*b_, frame);
    return b != 0 ? Function::result(a, b) : by_zero(frame, a, b);
  }
  bool works_in_blocks(InBlocks how) const override {
    return a_->works_in_blocks(how) && b_->works_in_blocks(how);
  }
  void compute_block(Block& block, T* results) const {
    T a_room[block_length], b_room[block_length];
    const T* a = a_->block(block, a_room);
    const T* b = b_->block(block, b_room);
    if (std::find(b, b + block.count, T{0}) != b + block.count) {
      block.failed = true;
      std::fill_n(results, block.count, T{0});
      return;
    }
    if constexpr (std::is_same_v<T, int>)
      if (std::find(b, b + block.count, -1) == b + block.count)
        return combine_all<ByDoubles<Function>>(a, b, results, block.count);
    combine_all<Function>(a, b, results, block.count);
  }

 private:
  [[gnu::noinline]] T by_zero(Frame& frame, T a, T b) const {
    const Value operands[] = {a, b};
    return scalar<T>(applied(expr_, function_, frame.machine, operands));
  }
  const CoreExpr& expr_;
  const CoreFunction& function_;
  const NodeRef a_, b_;
};

// Functions of floats that are not negative.
template <Op op>
class OfNonNegative final : public Typed<double, OfNonNegative<op>> {
 public:
  OfNonNegative(const CoreExpr& expr, Compiler& compiler)
      : expr_(expr), function_(compiler.function()), operand_(compiler.node(*expr.operands[0])) {}
  double compute(Frame& frame) const {
    const double operand = operand_->floating(frame);
    return operand < 0 ? rejected(frame, operand) : Operation<op>()(operand);
  }
  bool works_in_blocks(InBlocks how) const override { return operand_->works_in_blocks(how); }
  void compute_block(Block& block, double* results) const {
    double room[block_length];
    const double* operands = operand_->block(block, room);
    const auto is_negative = [](double operand) { return operand < 0; };
    block.failed = block.failed || std::any_of(operands, operands + block.count, is_negative);
    apply_to_all<Operation<op>>(operands, results, block.count);
  }

 private:
  [[gnu::noinline]] double rejected(Frame& frame, double operand) const {
    const Value operands[] = {operand};
    return applied(expr_, function_, frame.machine, operands).floating();
  }
  const CoreExpr& expr_;
  const CoreFunction& function_;
  const NodeRef operand_;
};

// ---- conversion

struct ToFloat {
  double operator()(int value) const { return value; }
};
struct Truncate {
  int operator()(double value) const { return convert_element<std::int32_t>(value); }
};
struct Floor {
  int operator()(double value) const { return Truncate()(std::floor(value)); }
};
struct Ceiling {
  int operator()(double value) const { return Truncate()(std::ceil(value)); }
};
struct Round {
  int operator()(double value) const { return Truncate()(value + 0.5); }
};
struct ToInt {
  int operator()(bool value) const { return value ? 1 : 0; }
};
struct ToCharacter {
  unsigned char operator()(int code) const { return static_cast<unsigned char>(code); }
};
struct ToCode {
  int operator()(unsigned char character) const { return character; }
};

// ---- what depends on the type of the result

// Both values are evaluated, as the language has it.
template <class T>
class Selected final : public Typed<T, Selected<T>> {
 public:
  explicit Selected(std::vector<NodeRef> operands)
      : flag_(std::move(operands[0])), yes_(std::move(operands[1])), no_(std::move(operands[2])) {}
  T compute(Frame& frame) const {
    const bool flag = flag_->boolean(frame);
    const T yes = get<T>(*yes_, frame), no = get<T>(*no_, frame);
    return flag ? yes : no;
  }
  bool works_in_blocks(InBlocks how) const override {
    return flag_->works_in_blocks(how) && yes_->works_in_blocks(how) && no_->works_in_blocks(how);
  }
  void compute_block(Block& block, T* results) const {
    bool flag_room[block_length];
    T yes_room[block_length], no_room[block_length];
    const bool* flags = flag_->block(block, flag_room);
    const T* yes = yes_->block(block, yes_room);
    const T* no = no_->block(block, no_room);
    for (std::size_t k = 0; k < block.count; ++k) results[k] = flags[k] ? yes[k] : no[k];
  }

 private:
  const NodeRef flag_, yes_, no_;
};

template <class T>
class Random final : public Typed<T, Random<T>> {
 public:
  Random(const CoreExpr& expr, Compiler& compiler)
      : expr_(expr), function_(compiler.function()), limit_(compiler.node(*expr.operands[0])) {}
  T compute(Frame& frame) const {
    const T limit = get<T>(*limit_, frame);
    return at_place(expr_, function_, frame.machine,
                    [&] { return frame.machine.random_below(limit); });
  }
  bool works_in_blocks(InBlocks how) const override {
    return how.draws && limit_->works_in_blocks(how);
  }
  // An error makes the block fail; then the numbers are drawn again.
  void compute_block(Block& block, T* results) const {
    T room[block_length];
    const T* limits = limit_->block(block, room);
    if (block.failed) throw BlockFailed();
    for (std::size_t k = 0; k < block.count; ++k)
      results[k] = block.frame.machine.random_below(limits[k]);
  }

 private:
  const CoreExpr& expr_;
  const CoreFunction& function_;
  const NodeRef limit_;
};

// The second operand only has the type of the result, but is evaluated.
template <class R, class T, class Function>
class Converted final : public Typed<R, Converted<R, T, Function>> {
 public:
  explicit Converted(std::vector<NodeRef> operands)
      : number_(std::move(operands[0])), like_(std::move(operands[1])) {}
  R compute(Frame& frame) const {
    const T number = get<T>(*number_, frame);
    get<R>(*like_, frame);
    return Function()(number);
  }
  bool works_in_blocks(InBlocks how) const override {
    return number_->works_in_blocks(how) && like_->works_in_blocks(how);
  }
  void compute_block(Block& block, R* results) const {
    R like_room[block_length];
    T room[block_length];
    const T* numbers = number_->block(block, room);
    like_->block(block, like_room);
    for (std::size_t k = 0; k < block.count; ++k) results[k] = Function()(numbers[k]);
  }

 private:
  const NodeRef number_, like_;
};

struct Same {
  template <class T>
  T operator()(T value) const {
    return value;
  }
};

NodeRef selected(const CoreExpr& expr, Compiler& compiler) {
  const Mono type = mono::representation(expr.type);
  if (!type->is_scalar()) return nullptr;
  return with_scalar(type->kind, [&](auto scalar, auto) -> NodeRef {
    return std::make_unique<Selected<decltype(scalar)>>(compiler.nodes(expr));
  });
}
NodeRef random_number(const CoreExpr& expr, Compiler& compiler) {
  if (expr.type->kind == MonoType::Kind::integer)
    return std::make_unique<Random<int>>(expr, compiler);
  return std::make_unique<Random<double>>(expr, compiler);
}
NodeRef int_to_any(const CoreExpr& expr, Compiler& compiler) {
  if (expr.type->kind == MonoType::Kind::integer)
    return std::make_unique<Converted<int, int, Same>>(compiler.nodes(expr));
  if (expr.type->kind == MonoType::Kind::floating)
    return std::make_unique<Converted<double, int, ToFloat>>(compiler.nodes(expr));
  return nullptr;
}
NodeRef float_to_any(const CoreExpr& expr, Compiler& compiler) {
  if (expr.type->kind == MonoType::Kind::integer)
    return std::make_unique<Converted<int, double, Round>>(compiler.nodes(expr));
  if (expr.type->kind == MonoType::Kind::floating)
    return std::make_unique<Converted<double, double, Same>>(compiler.nodes(expr));
  return nullptr;
}
NodeRef float_num(const CoreExpr& expr, Compiler& compiler) {
  if (expr.operands[0]->type->kind == MonoType::Kind::integer)
    return std::make_unique<Unary<double, int, ToFloat>>(compiler.nodes(expr));
  return std::make_unique<Unary<double, double, Same>>(compiler.nodes(expr));
}

// ---- the table

template <class R, class T, class Function>
NodeRef unary(const CoreExpr& expr, Compiler& compiler) {
  return std::make_unique<Unary<R, T, Function>>(compiler.nodes(expr));
}
template <class Function>
NodeRef integer_division(const CoreExpr& expr, Compiler& compiler) {
  return std::make_unique<Division<int, Function>>(expr, compiler);
}
NodeRef division(const CoreExpr& expr, Compiler& compiler) {
  if (expr.type->kind == MonoType::Kind::integer) return integer_division<Quotient>(expr, compiler);
  return std::make_unique<Division<double, Quotient>>(expr, compiler);
}
template <Op op>
NodeRef of_non_negative(const CoreExpr& expr, Compiler& compiler) {
  return std::make_unique<OfNonNegative<op>>(expr, compiler);
}
template <Op op>
NodeRef operation_of(const CoreExpr& expr, Compiler& compiler) {
  return operation<op>(expr.operands[0]->type, compiler.nodes(expr));
}

using Maker = NodeRef (*)(const CoreExpr&, Compiler&);

const std::unordered_map<std::string_view, Maker>& makers() {
  static const std::unordered_map<std::string_view, Maker> table = {
#define NESL_OPERATION(name, type, op, description) {name, operation_of<Op::op>},
#include "nesl/library/scalar_operations.def"
      {"/", division},
      {"rem", integer_division<Remainder>},
      {"mod", integer_division<Modulo>},
      {"btoi", unary<int, bool, ToInt>},
      {"code_char", unary<unsigned char, int, ToCharacter>},
      {"char_code", unary<int, unsigned char, ToCode>},
      {"float", unary<double, int, ToFloat>},
      {"ceil", unary<int, double, Ceiling>},
      {"floor", unary<int, double, Floor>},
      {"trunc", unary<int, double, Truncate>},
      {"round", unary<int, double, Round>},
      {"sqrt", of_non_negative<Op::sqrt>},
      {"ln", of_non_negative<Op::log>},
      {"length", length_node},
      {"elt", element_node},
      {"select", selected},
      {"rand", random_number},
      {"int_to_any", int_to_any},
      {"float_to_any", float_to_any},
      {"float_num", float_num},
  };
  return table;
}

}  // namespace

NodeRef scalar_primitive(const CoreExpr& expr, Compiler& compiler) {
  const auto maker = makers().find(expr.primitive->name);
  if (maker == makers().end()) return nullptr;
  const auto is_single = [](Mono type) { return type->single; };
  if (is_single(expr.type)) return nullptr;
  for (const CoreRef& operand : expr.operands)
    if (is_single(operand->type)) return nullptr;
  return maker->second(expr, compiler);
}

}  // namespace tutti::nesl::host
