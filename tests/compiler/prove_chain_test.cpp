// The proof of chains: it holds for chains as they are planned, and not for ones whose windows,
// tiles or reads were changed.
#include <gtest/gtest.h>

#include "compiler/plan/prove_chain.hpp"
#include "support/plan_of.hpp"
#include "tutti/tutti.hpp"

namespace tutti::test {
namespace {

using compiler::ChainStep;

class ProveChain : public testing::Test {
 protected:
  void SetUp() override {
    const Array<2, float> a = cast<float>(index(Shape<2>{3000, 40000}, 1));
    Array<2, float> x = sin(exp(a * 0.01f)), y(a.shape(), 0.0f);
    for (int i = -2; i <= 2; ++i) y += shift(x, {i, i}, Boundary::clamp());
    Array<2, float> z = exp(sin(y)) + shift(y, {1, 0}, Boundary::clamp());
    z += shift(z, {-1, 0}, Boundary::clamp());
    plan_ = cpu_plan(z);
    for (compiler::Step& step : plan_->steps)
      if (auto* chain = std::get_if<ChainStep>(&step)) chain_ = chain;
    ASSERT_NE(chain_, nullptr);
    ASSERT_GT(chain_->tiles.size(), 1u);
    ASSERT_GT(chain_->row_blocks[0].positions.size(), 1u);
  }

  bool holds() const {
    std::vector<const compiler::Kernel*> kernels;
    for (const compiler::KernelStep& step : chain_->kernels) kernels.push_back(&step.kernel);
    return compiler::reads_only_computed(*chain_, kernels);
  }

  // The kernel that reads what the first one computes, and one of its loads of it.
  compiler::Load& read_of_first() {
    const int value = chain_->kernels[0].kernel.outputs[0].value;
    for (compiler::KernelStep& step : chain_->kernels)
      for (compiler::Load& load : step.kernel.loads) {
        const compiler::Source& source = step.kernel.sources[static_cast<size_t>(load.source)];
        if (source.is_value && source.id == value) {
          reader_ = &step.kernel;
          return load;
        }
      }
    throw InternalError("nothing reads the first kernel");
  }

  std::unique_ptr<compiler::Plan> plan_;
  ChainStep* chain_ = nullptr;
  compiler::Kernel* reader_ = nullptr;
};

TEST_F(ProveChain, HoldsAsPlanned) { EXPECT_TRUE(holds()); }

TEST_F(ProveChain, FailsForGatheredIndices) {
  compiler::Load& load = read_of_first();
  compiler::IndexExpr& row = reader_->indices[static_cast<size_t>(load.axes[0].index)];
  row.kind = compiler::IndexExpr::Kind::gathered;
  row.dim = -2;
  row.low = 0;
  row.high = 299;
  EXPECT_FALSE(holds());
}

TEST_F(ProveChain, FailsForRowsOutOfReach) {
  compiler::Load& load = read_of_first();
  compiler::IndexExpr moved;
  moved.kind = compiler::IndexExpr::Kind::affine;
  moved.source = load.axes[0].index;
  moved.dim = 0;
  moved.offset = 7;
  reader_->indices.push_back(moved);
  load.axes[0].index = static_cast<int>(reader_->indices.size()) - 1;
  EXPECT_FALSE(holds());
}

TEST_F(ProveChain, FailsForRowsOfColumns) {
  compiler::Load& load = read_of_first();
  std::swap(load.axes[0].index, load.axes[1].index);
  EXPECT_FALSE(holds());
}

TEST_F(ProveChain, FailsForWindowsThatStartLate) {
  for (auto& position : chain_->row_blocks[1].positions)
    for (compiler::WindowRows& rows : position)
      if (rows.window < rows.rows.begin) ++rows.window;
  EXPECT_FALSE(holds());
}

TEST_F(ProveChain, FailsForWindowsThatAreTooSmall) {
  --chain_->window_rows[0];
  EXPECT_FALSE(holds());
}

TEST_F(ProveChain, FailsForRowsThatAreNotComputed) {
  --chain_->row_blocks[2].positions.back()[0].rows.end;
  EXPECT_FALSE(holds());
}

TEST_F(ProveChain, FailsForTilesWithoutTheirMargins) {
  chain_->tiles[1][0] = chain_->tiles[1].back();
  EXPECT_FALSE(holds());
}

TEST_F(ProveChain, FailsForWindowsThatOverlap) {
  ASSERT_GT(chain_->windows.size(), 1u);
  chain_->windows[1].offset = chain_->windows[0].offset + 64;
  EXPECT_FALSE(holds());
}

TEST_F(ProveChain, FailsForRowsLongerThanThePitch) {
  chain_->pitch = chain_->tiles[1][0].end - chain_->tiles[1][0].begin - 1;
  EXPECT_FALSE(holds());
}

TEST_F(ProveChain, FailsForMissingStrips) {
  chain_->row_blocks.pop_back();
  EXPECT_FALSE(holds());
}

}  // namespace
}  // namespace tutti::test
