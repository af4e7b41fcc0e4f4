#include "codegen/optimise.hpp"

#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

#include "tutti/error.hpp"

namespace tutti::codegen {

namespace {

// The analyses that passes ask for.
struct Analyses {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;

  explicit Analyses(llvm::PassBuilder& builder) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(sccs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, sccs, modules);
  }
};

}  // namespace

void optimise_fully(llvm::Module& module, llvm::TargetMachine& target) {
  target.setOptLevel(llvm::CodeGenOptLevel::Aggressive);
  llvm::PassBuilder builder(&target);  // with the target's own passes
  Analyses analyses(builder);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, analyses.modules);
}

void drop_unused(llvm::Module& module) {
  llvm::PassBuilder builder;
  Analyses analyses(builder);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::GlobalDCEPass());
  passes.run(module, analyses.modules);
}

void optimise(llvm::Module& module, llvm::TargetMachine& target) {
  llvm::PassBuilder builder(&target);
  Analyses analyses(builder);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::PromotePass());
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::ADCEPass());
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) passes.run(function, analyses.functions);
}

void verify(const llvm::Module& module) {
  std::string problem;
  llvm::raw_string_ostream out(problem);
  if (llvm::verifyModule(module, &out))
    throw InternalError("the code generator made invalid IR: " + problem);
}

}  // namespace tutti::codegen
