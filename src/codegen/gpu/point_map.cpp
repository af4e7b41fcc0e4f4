// One point for each thread, a block of threads over rows and columns.
#include "codegen/gpu/gpu_function.hpp"
#include "codegen/gpu/one_point.hpp"

namespace tutti::codegen {
namespace {

class GpuPointMap : GpuOnePoint {
 public:
  GpuPointMap(const GpuFunction& function, const compiler::Kernel& kernel,
              const schedule::PointMap& map)
      : GpuOnePoint(function, kernel), map_(map) {}

  void emit() {
    const Domain domain = load_domain();
    emit_points(domain, {map_.columns, map_.rows, thread_x(), thread_y(), map_.walks_down});
  }

 private:
  const schedule::PointMap& map_;
};

}  // namespace
}  // namespace tutti::codegen

void tutti::schedule::PointMap::emit(const codegen::GpuFunction& function,
                                     const Kernel& kernel) const {
  codegen::GpuPointMap(function, kernel, *this).emit();
}
