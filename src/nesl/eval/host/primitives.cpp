// Nodes for primitives on values. For many elements at once they are applied to one after the
// other, so that what is around them can work in blocks.
#include <string_view>

#include "nesl/eval/core_walk.hpp"
#include "nesl/eval/host/blocks.hpp"
#include "nesl/library/primitive.hpp"

namespace tutti::nesl::host {
namespace {

template <std::size_t most>
class General final : public Blockwise<General<most>> {
 public:
  General(const CoreExpr& expr, Compiler& compiler)
      : expr_(expr), function_(compiler.function()), operands_(compiler.nodes(expr)) {
    for (const CoreRef& operand : expr.operands) types_.push_back(operand->type);
  }
  Value value(Frame& frame) const override {
    Value arguments[most];
    for (std::size_t i = 0; i < operands_.size(); ++i) arguments[i] = operands_[i]->value(frame);
    if (frame.machine.has_failed()) return identity_of(expr_.type);
    return applied(arguments, frame.machine);
  }
  bool works_in_blocks(InBlocks how) const override { return works(how); }
  bool rows_in_blocks(InBlocks how) const override { return works(how); }
  bool appends_in_blocks(Mono, InBlocks how) const override { return works(how); }
  template <class T>
  const T* in_block(Block& block, T* room) const {
    std::size_t k = 0;
    for_results(block, nullptr, [&](const Value& result) { room[k++] = scalar<T>(result); });
    return room;
  }
  void rows(Block& block, RowColumn& out) const override {
    Values results;
    for_results(block, nullptr, [&](Value result) { results.push_back(std::move(result)); });
    load_rows(results, 0, block.count, out);
    if (out.objects) throw BlockFailed();
  }
  void append_block(Block& block, Mono, const bool* flags, Values& values) const override {
    Values results;  // one may fail
    for_results(block, flags, [&](Value result) { results.push_back(std::move(result)); });
    values.append(results);
  }

 private:
  Value applied(const Value* arguments, Machine& machine) const {
    return at_place(expr_, function_, machine, [&] {
      return expr_.primitive->run({{arguments, operands_.size()}, types_, expr_.type, machine});
    });
  }
  bool works(InBlocks how) const {
    if (expr_.primitive->effect != Effect::none) return false;
    if (std::string_view(expr_.primitive->name) == "rand") return false;
    for (std::size_t i = 0; i < operands_.size(); ++i)
      if (!operands_[i]->appends_in_blocks(mono::representation(types_[i]), how)) return false;
    return true;
  }
  // Calls `work` with the results for all elements, or for those whose flag is set. All are
  // computed: there may be errors.
  template <class Work>
  void for_results(Block& block, const bool* flags, const Work& work) const {
    Values columns[most];
    for (std::size_t i = 0; i < operands_.size(); ++i)
      operands_[i]->append_block(block, mono::representation(types_[i]), nullptr, columns[i]);
    if (block.failed) throw BlockFailed();
    for (std::size_t k = 0; k < block.count; ++k) {
      Value arguments[most];
      for (std::size_t i = 0; i < operands_.size(); ++i) arguments[i] = columns[i][k];
      Value result = applied(arguments, block.frame.machine);
      if (!flags || flags[k]) work(std::move(result));
    }
  }

  const CoreExpr& expr_;
  const CoreFunction& function_;
  const std::vector<NodeRef> operands_;
  std::vector<Mono> types_;
};

}  // namespace

NodeRef general_primitive(const CoreExpr& expr, Compiler& compiler) {
  if (expr.operands.size() <= few_operands)
    return std::make_unique<General<few_operands>>(expr, compiler);
  return std::make_unique<General<most_operands>>(expr, compiler);
}

}  // namespace tutti::nesl::host
