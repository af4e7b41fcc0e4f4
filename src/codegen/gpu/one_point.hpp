// The base of maps that compute one point in each thread. If there are more rows than blocks in a
// launch, each block walks down.
#pragma once
#include "codegen/gpu/threads.hpp"

namespace tutti::codegen {

class GpuOnePoint : protected GpuThreads {
 protected:
  // Where the threads of a block are, and this one among them.
  struct Place {
    int columns = 0, rows = 0;  // of a block
    Value* right = nullptr;     // column and row of this thread within its block
    Value* down = nullptr;
    bool walks_down = false;
  };

  GpuOnePoint(const GpuFunction& function, const compiler::Kernel& kernel)
      : GpuThreads(function, kernel, 1) {}

  // The extents of the domain, as the number of its columns and rows.
  struct Domain {
    Value* columns = nullptr;
    Value* rows = nullptr;
  };
  Domain load_domain() {
    Value* columns = rows_.extent(kernel_.inner());
    return {columns, rows_.product_of_extents(0, kernel_.inner())};
  }

  void emit_points(const Domain& domain, const Place& place) {
    Value* j = b_.CreateAdd(b_.CreateMul(block_x(), i64(place.columns)), place.right);
    Value* first = b_.CreateAdd(b_.CreateMul(block_y(), i64(place.rows)), place.down);
    const auto point = [&](Value* row) {
      auto at = coordinates();
      decode(row, 0, kernel_.inner(), at);
      rows_.emit_row(at);
      Value* element = element_at(row, domain.columns, j);
      rows_.emit_point(j, nullptr, true,
                       [&](int o, Value* v, Value*, Value*) { store(o, element, v, false); });
    };
    rows_.if_then(b_.CreateICmpSLT(j, domain.columns), [&] {
      if (!place.walks_down) {
        rows_.if_then(b_.CreateICmpSLT(first, domain.rows), [&] { point(first); });
        return;
      }
      Value* step = b_.CreateMul(blocks_y(), i64(place.rows));
      rows_.loop_with(first, domain.rows, [&](Value* row) {
        point(row);
        return b_.CreateAdd(row, step);
      });
    });
    b_.CreateRetVoid();
  }

 private:
  // Returns the row-major index of an element of the domain.
  Value* element_at(Value* row, Value* columns, Value* column) {
    if (kernel_.wide_index) return b_.CreateAdd(b_.CreateMul(row, columns), column);
    return wide(b_.CreateAdd(b_.CreateMul(narrow(row), narrow(columns)), narrow(column)));
  }
};

}  // namespace tutti::codegen
