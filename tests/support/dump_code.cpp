// dump_code SEED COUNT: a hash of all code that is generated for COUNT random graphs, the first of
// which has the seed SEED, and for a few fixed ones. A line for each graph: PTX with its launches
// and arguments, then object code for this CPU with its arguments. A change of the compiler's
// structure leaves the output as it is, byte for byte:
//   dump_code 1 500 > before; (change, build); dump_code 1 500 | diff before -
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "codegen/codegen.hpp"
#include "codegen/cpu/scan_code.hpp"
#include "codegen/gpu/primitives.hpp"
#include "codegen/nvptx/ptx.hpp"
#include "core/caching/hash.hpp"
#include "support/plan_of.hpp"
#include "support/random_graph.hpp"
#include "tutti/keywords.hpp"
#include "tutti/tutti.hpp"

namespace tutti::test {
namespace {

constexpr codegen::PtxTarget hopper{90, 78};

class CodeHash {
 public:
  void add(const std::string& text) {
    hash_ = hash_bytes(text, hash_);
    ++parts_;
  }
  void add(std::span<const int64_t> words) {
    add(std::string(reinterpret_cast<const char*>(words.data()), words.size_bytes()));
  }
  void add(const compiler::KernelStep& step) {
    add(step.words);
    add(step.segments);
    const std::vector<int64_t> overwritable(step.overwritable.begin(), step.overwritable.end());
    add(overwritable);
  }
  uint64_t value() const { return hash_; }
  int parts() const { return parts_; }

 private:
  uint64_t hash_ = 1;
  int parts_ = 0;
};

// ---- GPU

void add_gpu_kernel(const compiler::KernelStep& step, CodeHash& hash) {
  hash.add(step);
  hash.add(codegen::compile_ptx(step.kernel, hopper));
  const int64_t launch[] = {step.grid.x, step.grid.y, step.grid.threads_x, step.grid.threads_y};
  hash.add(launch);
}

// The functions that take the kernels of a step.
std::vector<std::string> functions_of(const compiler::PrimitiveStep& step) {
  std::string size = "u";
  size += std::to_string(8 * size_of(step.type));
  switch (step.kind) {
    case ir::Kind::scan:
      return {std::string(step.inputs.size() > 1 ? "segmented_scan_" : "scan_").append(size)};
    case ir::Kind::segmented_reduce:
      return {"reduce_staged_" + size, "reduce_by_8_" + size};
    case ir::Kind::pack:
      return {"pack_" + size};
    case ir::Kind::write_section:
      return {"write_section_" + size};
    default:
      return {};
  }
}

void add_gpu_primitive(const compiler::PrimitiveStep& step, CodeHash& hash) {
  if (!step.elements || !codegen::has_gpu_primitives()) return;
  hash.add(*step.elements);
  const bool packs = step.kind == ir::Kind::pack;
  for (const std::string& function : functions_of(step)) {
    codegen::GpuPrimitive primitive{function, &step.elements->kernel,
                                    packs ? ElementType::b8 : step.type,
                                    packs ? Reduction::any : step.reduction};
    if (step.values) primitive.values = &step.values->kernel;
    if (step.consumer) {
      primitive.consumer = &step.consumer->kernel;
      primitive.consumed = step.consumed();
    }
    hash.add(codegen::compile_primitive_ptx(primitive, hopper));
  }
}

CodeHash gpu_code(std::span<const detail::NodeRef> roots) {
  CodeHash hash;
  const auto plan = plan_of(roots, target::h200);
  for (const compiler::Step& step : plan->steps) {
    if (const auto* kernel = std::get_if<compiler::KernelStep>(&step))
      add_gpu_kernel(*kernel, hash);
    if (const auto* product = std::get_if<compiler::ProductStep>(&step))
      hash.add(codegen::compile_product_ptx(*product, hopper));
    if (const auto* primitive = std::get_if<compiler::PrimitiveStep>(&step))
      add_gpu_primitive(*primitive, hash);
  }
  return hash;
}

// ---- CPU

void add_cpu_kernel(const compiler::KernelStep& step, CodeHash& hash) {
  hash.add(step);
  hash.add(codegen::compile(step.kernel));
}

CodeHash cpu_code(std::span<const detail::NodeRef> roots) {
  CodeHash hash;
  const auto plan = plan_of(roots, target::avx512);
  for (const compiler::Step& step : plan->steps) {
    if (const auto* kernel = std::get_if<compiler::KernelStep>(&step))
      add_cpu_kernel(*kernel, hash);
    if (const auto* chain = std::get_if<compiler::ChainStep>(&step))
      for (const compiler::KernelStep& kernel : chain->kernels) add_cpu_kernel(kernel, hash);
    if (const auto* primitive = std::get_if<compiler::PrimitiveStep>(&step)) {
      for (const auto* kernel : {&primitive->elements, &primitive->values, &primitive->consumer})
        if (*kernel) add_cpu_kernel(**kernel, hash);
      if (primitive->kind == ir::Kind::scan)
        hash.add(codegen::compile_scan(
            {primitive->type, primitive->reduction, primitive->inputs.size() > 1,
             primitive->get<ir::ScanForm>() == ir::ScanForm::exclusive}));
    }
  }
  return hash;
}

void print(const std::string& name, std::span<const detail::NodeRef> roots) {
  const CodeHash gpu = gpu_code(roots), cpu = cpu_code(roots);
  std::printf("%s: %016llx (%d) %016llx (%d)\n", name.c_str(),
              static_cast<unsigned long long>(gpu.value()), gpu.parts(),
              static_cast<unsigned long long>(cpu.value()), cpu.parts());
}

// ---- graphs that random ones are not

using Image = Array<2, float>;

Image ones(int rows, int columns) {
  return Image(std::vector<float>(static_cast<size_t>(rows) * columns, 1.0f), rows, columns);
}

Array<2, int> escape_times() {
  const Program p = BEGIN {
    In<Value1f> x, y;
    Out<Value1i> steps = 0;
    Value1f a = x, b = y;
    WHILE(steps < 100 && a * a + b * b < 4.0f) {
      const Value1f next = a * a - b * b + x;
      b = 2.0f * a * b + y;
      a = next;
      steps += 1;
    }
    ENDWHILE;
  }
  END;
  return p(ones(300, 400), ones(300, 400));
}

Image least_cost(int candidates) {
  const Image left = ones(512, 512), right = ones(512, 512);
  Image least(left.shape(), 1e30f), best(left.shape(), 0.0f);
  for (int d = 0; d < candidates; ++d) {
    Image cost = left - shift(right, {0, d});
    for (int i = 1; i <= 3; ++i) cost += shift(cost, {0, i}) + shift(cost, {i, 0});
    best = cond(cost < least, static_cast<float>(d), best);
    least = min(cost, least);
  }
  return best;
}

template <class A>
void print_one(const char* name, const A& array) {
  print(name, array.nodes());
}

void print_fixed() {
  const Image image = ones(512, 512), wide = ones(3, 100000), tall = ones(100000, 3);
  const Array<1, float> line(std::vector<float>(1 << 24, 1.0f));
  print_one("program with a loop", escape_times());
  print_one("unrolled loop", least_cost(32));
  print_one("short unrolled loop", least_cost(8));
  print_one("transpose", transpose(image) * 2.0f + image);
  print_one("transposed stencil", transpose(shift(image, {1, 0}) + image));
  print_one("reversed", section(line, {{(1 << 24) - 1, 1 << 24, -1}}) + line);
  print_one("sum of many tiles", sum(line * 2.0f));
  print_one("sums of rows", sum(wide, 1));
  print_one("sums of short rows", sum(tall, 1));
  print_one("sums of columns", sum(tall, 0));
  print_one("sums of many columns", sum(wide, 0));
  print_one("sums of blocks", sum(reshape(image, Shape<4>(128, 4, 128, 4)), {1, 3}));
  print_one("many rows", transpose(ones(2, 100000)) + 1.0f);
  print_one("scan and consumer", sum_scan(line * 2.0f) - line);
  print_one("rows of scans", sum_scan(image * 2.0f));
  Array<1, float> x = line;
  for (int i = 0; i < 60; ++i) x = x * 1.5f + line;
  print_one("long map", x);
  for (int i = 0; i < 100; ++i) x = x * 1.5f + line;
  print_one("longer map", x);
}

}  // namespace
}  // namespace tutti::test

int main(int arguments, char** argument) {
  if (arguments != 3) {
    std::fprintf(stderr, "dump_code SEED COUNT: hashes of the code of random graphs\n");
    return 2;
  }
  const uint64_t seed = std::strtoull(argument[1], nullptr, 10);
  const uint64_t count = std::strtoull(argument[2], nullptr, 10);
  tutti::Settings settings = tutti::settings();
  settings.max_pending_operations = 1 << 20;  // fixed graphs are planned as a whole
  tutti::set_settings(settings);
  tutti::test::print_fixed();
  for (uint64_t i = seed; i < seed + count; ++i)
    tutti::test::print(std::to_string(i), tutti::test::RandomGraph(i).build());
}
