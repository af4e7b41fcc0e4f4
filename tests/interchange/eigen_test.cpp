// Matrices of Eigen itself, where it is installed.
#include <gtest/gtest.h>
#if __has_include(<Eigen/Core>)
#include "tutti/eigen.hpp"
#include "tutti/tutti.hpp"

namespace tutti {
namespace {

TEST(Eigen, MatricesOfBothOrdersAndBlocks) {
  Eigen::MatrixXf columns(3, 4);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) columns(i, j) = static_cast<float>(10 * i + j);
  const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = columns;
  EXPECT_EQ((Array<2, float>::view(columns).to_vector()),
            (Array<2, float>::view(rows).to_vector()));
  const auto block = columns.block(1, 1, 2, 2);
  EXPECT_EQ((Array<2, float>::view(block).to_vector()), (std::vector<float>{11, 12, 21, 22}));
}

TEST(Eigen, TheWayBackHoldsTheElements) {
  const auto m = as_eigen(cast<double>(index(Shape<2>(2, 3), 1)));
  EXPECT_EQ(m.rows(), 2);
  EXPECT_EQ(m(1, 2), 2.0);
  EXPECT_EQ(m.sum(), 6.0);
  const auto v = as_eigen(Array<1, float>(Shape<1>(5), 2.0f));
  EXPECT_EQ(v.dot(v), 20.0f);
}

}  // namespace
}  // namespace tutti
#endif
