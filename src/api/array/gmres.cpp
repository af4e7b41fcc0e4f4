// The small least-squares problem of GMRES, on the host.
#include "tutti/gmres.hpp"

namespace tutti::detail {

void HessenbergSolver::add_column(std::vector<double> column) {
  const size_t k = columns_.size();
  for (size_t i = 0; i < k; ++i) {
    const auto [cosine, sine] = rotations_[i];
    const double upper = column[i], lower = column[i + 1];
    column[i] = cosine * upper + sine * lower;
    column[i + 1] = cosine * lower - sine * upper;
  }
  const double length = std::hypot(column[k], column[k + 1]);
  const Rotation last =
      length == 0 ? Rotation{1, 0} : Rotation{column[k] / length, column[k + 1] / length};
  column[k] = length;
  column.pop_back();
  right_.push_back(-last.sine * right_[k]);
  right_[k] *= last.cosine;
  rotations_.push_back(last);
  columns_.push_back(std::move(column));
}

std::vector<double> HessenbergSolver::solution() const {
  const size_t count = columns_.size();
  std::vector<double> result(right_.begin(), right_.begin() + static_cast<ptrdiff_t>(count));
  for (size_t k = count; k-- > 0;) {
    result[k] /= columns_[k][k];
    for (size_t i = 0; i < k; ++i) result[i] -= result[k] * columns_[k][i];
  }
  return result;
}

}  // namespace tutti::detail
