// The small least-squares problem of GMRES, on the host.
#include "tutti/gmres.hpp"

namespace tutti::detail {
namespace {

double conjugate(double x) { return x; }
std::complex<double> conjugate(const std::complex<double>& x) { return std::conj(x); }

}  // namespace

template <class N>
void HessenbergSolver<N>::add_column(std::vector<N> column) {
  const size_t k = columns_.size();
  for (size_t i = 0; i < k; ++i) {
    const auto [cosine, sine] = rotations_[i];
    const N upper = column[i], lower = column[i + 1];
    column[i] = conjugate(cosine) * upper + sine * lower;
    column[i + 1] = cosine * lower - sine * upper;
  }
  const double below = std::real(column[k + 1]);
  const double length = std::hypot(std::abs(column[k]), below);
  const Rotation last = length == 0 ? Rotation{1, 0} : Rotation{column[k] / length, below / length};
  column[k] = length;
  column.pop_back();
  right_.push_back(-last.sine * right_[k]);
  right_[k] *= conjugate(last.cosine);
  rotations_.push_back(last);
  columns_.push_back(std::move(column));
}

template <class N>
std::vector<N> HessenbergSolver<N>::solution() const {
  const size_t count = columns_.size();
  std::vector<N> result(right_.begin(), right_.begin() + static_cast<ptrdiff_t>(count));
  for (size_t k = count; k-- > 0;) {
    result[k] /= columns_[k][k];
    for (size_t i = 0; i < k; ++i) result[i] -= result[k] * columns_[k][i];
  }
  return result;
}

template class HessenbergSolver<double>;
template class HessenbergSolver<std::complex<double>>;

}  // namespace tutti::detail
