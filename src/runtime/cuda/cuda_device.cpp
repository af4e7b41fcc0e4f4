#include "runtime/cuda/cuda_device.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>

#include "codegen/gpu/layout.hpp"
#include "codegen/nvptx/ptx.hpp"
#include "core/settings.hpp"
#include "core/statistics.hpp"
#include "kernels/gpu/arguments.hpp"
#include "runtime/code/disk_cache.hpp"
#include "runtime/cpu/threads.hpp"
#include "runtime/cuda/blas.hpp"
#include "runtime/cuda/driver.hpp"
#include "runtime/cuda/graph.hpp"
#include "runtime/cuda/known_primitives.hpp"
#include "runtime/cuda/launch_log.hpp"
#include "runtime/cuda/launches.hpp"
#include "runtime/cuda/memory.hpp"
#include "runtime/cuda/modules.hpp"
#include "runtime/cuda/primitives.hpp"
#include "runtime/cuda/stream.hpp"
#include "runtime/cuda/unaligned.hpp"
#include "target/h200.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime::cuda {
namespace {

constexpr int attribute_multiprocessors = 16, attribute_major = 75, attribute_minor = 76;
constexpr int input_ptx = 1;

class RepeatedLaunches final : public Repetition {
 public:
  RepeatedLaunches(Stream& stream, std::vector<ModuleRef> modules, std::unique_ptr<Graph> graph,
                   std::vector<LaunchLog::Name> names)
      : stream_(stream),
        modules_(std::move(modules)),
        graph_(std::move(graph)),
        names_(std::move(names)) {}
  void run() override {
    counters().kernel_launches += static_cast<int64_t>(names_.size());
    stream_.launch(*graph_, names_);
  }

 private:
  Stream& stream_;
  std::vector<ModuleRef> modules_;  // of the functions of the graph
  std::unique_ptr<Graph> graph_;
  std::vector<LaunchLog::Name> names_;
};

class CudaDevice final : public Device, private PrimitiveLauncher {
 public:
  explicit CudaDevice(int index) : index_(index), log_(name()) {
    int handle = 0, major = 0, minor = 0, version = 0;
    check(driver()->DeviceGet(&handle, index), "opening the device");
    char text[256] = {};
    driver()->DeviceGetName(text, sizeof text, handle);
    check(driver()->DeviceGetAttribute(&major, attribute_major, handle),
          "asking for the compute capability");
    check(driver()->DeviceGetAttribute(&minor, attribute_minor, handle),
          "asking for the compute capability");
    check(driver()->DeviceGetAttribute(&multiprocessors_, attribute_multiprocessors, handle),
          "asking for the number of multiprocessors");
    check(driver()->DriverGetVersion(&version), "asking for the driver's version");
    size_t bytes = 0;
    driver()->DeviceTotalMem_v2(&bytes, handle);
    compiler_ =
        std::make_unique<codegen::PtxCompiler>(codegen::ptx_target(10 * major + minor, version));
    description_ = std::string(text) + ", compute capability " + std::to_string(major) + "." +
                   std::to_string(minor) + ", " + std::to_string(bytes >> 30) +
                   " GiB, driver for CUDA " + std::to_string(version / 1000) + "." +
                   std::to_string(version % 1000 / 10);
    check(driver()->DevicePrimaryCtxRetain(&context_, handle), "starting the device");
    make_current();
    stream_ = std::make_unique<Stream>(context_, log_);
    memory_ = std::make_unique<Memory>(context_, *stream_, log_);
    zeros_ = std::make_unique<ZeroedMemory>(*memory_);
    const auto idle = [this] {
      memory_->synchronize();
      stream_->forget_graphs();
    };
    const auto unload = [](Handle module) { driver()->ModuleUnload(module); };
    modules_ = std::make_unique<Modules>(static_cast<size_t>(index), idle, unload);
  }

  std::string name() const override { return "cuda:" + std::to_string(index_); }
  std::string description() const override { return description_; }

  ir::BufferRef allocate(size_t bytes) override {
    ++counters().buffers_allocated;
    return ArrayBuffer::on_device(*memory_, bytes);
  }
  ir::BufferRef wrap(void* memory, size_t bytes) override {
    return ArrayBuffer::around_device(*memory_, reinterpret_cast<uint64_t>(memory), bytes);
  }
  ir::BufferRef borrow(const void* memory, size_t bytes,
                       std::shared_ptr<const void> owner) override {
    return ArrayBuffer::borrowed_on_device(*memory_, reinterpret_cast<uint64_t>(memory), bytes,
                                           std::move(owner));
  }
  const void* lend(ir::Buffer& buffer) override {
    return reinterpret_cast<const void*>(array_of(buffer).lend_on_device(*memory_));
  }
  int64_t address(ir::Buffer& buffer) override {
    return static_cast<int64_t>(array_of(buffer).address(*memory_));
  }
  int64_t overwrite(ir::Buffer& buffer) override {
    return static_cast<int64_t>(array_of(buffer).overwrite_on_device(*memory_));
  }

  std::unique_ptr<Gathering> gather() override { return stream_->gather(); }

  void run(const compiler::KernelStep& step, const Words& words) override {
    make_current();
    modules_->make_room();
    if (const auto unaligned = unaligned_arrays(step, words); !unaligned.empty())
      run_on_copies(step, words, unaligned);
    else
      start(step, words);
  }

  // With aligned copies in place of arrays that are not.
  void run_on_copies(const compiler::KernelStep& step, Words words,
                     std::span<const UnalignedArray> unaligned) {
    std::deque<Temporary> copies;
    std::vector<int64_t> originals;
    for (const UnalignedArray& array : unaligned) {
      int64_t& word = words[static_cast<size_t>(array.word)];
      originals.push_back(word);
      word = copies.emplace_back(*memory_, array.bytes).address();
      if (!array.is_output) copy_bytes(word, originals.back(), array.bytes);
    }
    start(step, words);
    for (size_t i = 0; i < unaligned.size(); ++i)
      if (unaligned[i].is_output) copy_bytes(originals[i], copies[i].address(), unaligned[i].bytes);
  }

  void start(const compiler::KernelStep& step, const Words& words) {
    const auto use = modules_->use();
    const Handle function = find(step);
    ++counters().kernel_launches;
    if (words.size() <= static_cast<size_t>(codegen::most_parameter_words)) {
      stream_->launch({function, step.grid, words}, step.name);
      return;
    }
    // Too many for parameters: the words travel to memory first.
    const size_t bytes = words.size() * sizeof(int64_t);
    const Temporary block(*memory_, static_cast<int64_t>(bytes));
    const int64_t word = block.address();
    memory_->from_host(static_cast<uint64_t>(word), words.data(), bytes);
    stream_->launch({function, step.grid, {&word, 1}}, step.name);
  }

  std::unique_ptr<Repetition> repeat(std::span<const Launch> launches) override {
    make_current();
    modules_->make_room();
    const auto use = modules_->use();
    std::vector<KernelCall> calls;
    std::vector<ModuleRef> modules;
    std::vector<LaunchLog::Name> names;
    for (const Launch& launch : launches) {
      if (launch.words.size() > static_cast<size_t>(codegen::most_parameter_words)) return nullptr;
      if (!unaligned_arrays(*launch.step, launch.words).empty()) return nullptr;
      calls.push_back({find(*launch.step), launch.step->grid, launch.words});
      modules.push_back(modules_->hold(*launch.step->id));
      names.push_back(launch.step->name);
    }
    return std::make_unique<RepeatedLaunches>(
        *stream_, std::move(modules), std::make_unique<Graph>(context_, calls), std::move(names));
  }

  void prepare(const compiler::Plan& plan) override {
    std::vector<const compiler::KernelStep*> unknown;
    for (const compiler::Step& step : plan.steps)
      if (const auto* kernel = std::get_if<compiler::KernelStep>(&step);
          kernel && !modules_->loaded(*kernel->id) &&
          std::ranges::none_of(unknown, [&](const auto* other) { return other->id == kernel->id; }))
        unknown.push_back(kernel);
    if (unknown.size() < 2) return;
    parallel_for(
        static_cast<int64_t>(unknown.size()),
        [&](int64_t i) {
          make_current();
          modules_->make_room();
          const auto use = modules_->use();
          find(*unknown[static_cast<size_t>(i)]);
        },
        Tasks::uneven);
  }

  void run(const compiler::ProductStep& step, int64_t a, int64_t b, int64_t c) override {
    make_current();
    const bool floating = step.type == ElementType::f32 || step.type == ElementType::f64;
    if (!live_settings().reproducible &&
        blas_multiply(step, static_cast<uint64_t>(a), static_cast<uint64_t>(b),
                      static_cast<uint64_t>(c), stream_->handle()))
      ++counters().kernel_launches;
    else if (floating && codegen::has_gpu_primitives())
      multiply_tiled(step, a, b, c);
    else
      multiply(step, a, b, c);
  }

  ir::BufferRef side_by_side(std::span<const int64_t> arrays, size_t bytes,
                             int element_bytes) override {
    make_current();
    const size_t parts = std::bit_ceil(arrays.size());
    ir::BufferRef joined = allocate(parts * bytes);
    gpu::JoinArguments arguments{static_cast<int64_t>(bytes) / element_bytes, {}, address(*joined)};
    for (size_t p = 0; p < parts; ++p)
      arguments.from[p] = arrays[std::min(p, arrays.size() - 1)];  // the last one fills up
    if (!codegen::has_gpu_primitives()) {
      join_on_host(arguments, parts, static_cast<size_t>(element_bytes));
      return joined;
    }
    codegen::GpuPrimitive primitive;
    primitive.function = "join_" + std::to_string(parts) + "_" + unsigned_name(element_bytes);
    launch_with(primitive, blocks_for_each(arguments.count), arguments);
    return joined;
  }

  bool can_run(const compiler::PrimitiveStep& step) const override { return cuda::can_run(step); }
  void run(const compiler::PrimitiveStep& step, const PrimitiveCall& call) override {
    run_primitive(*this, step, call);
  }
  DeviceMemory& memory() override { return *memory_; }
  ZeroedMemory& zeros() override { return *zeros_; }
  int64_t multiprocessors() const override { return multiprocessors_; }
  void launch(const codegen::GpuPrimitive& primitive, int64_t blocks,
              std::span<const int64_t> words) override {
    make_current();
    ++counters().kernel_launches;
    modules_->make_room();
    const KnownPrimitive known = know(primitive);
    const auto use = modules_->use();
    const Handle function =
        find(*known.id, [&] { return compiler_->compile(primitive); });
    stream_->launch(
        {function,
         {static_cast<unsigned>(blocks), 1, static_cast<unsigned>(primitive.threads), 1},
         words},
        known.name);
  }

  // Other GPUs are planned for as this one until they are measured.
  const target::Target& target() const override { return target::h200; }
  bool is_gpu() const override { return true; }
  void run(const compiler::ChainStep&, std::vector<Words>) override {
    throw InternalError("a chain was planned for a GPU");
  }

  void limit_kernels(size_t most) override { modules_->set_most(most); }
  void forget_kernels() override {
    primitives_.forget();
    make_current();
    modules_->forget();
  }

  void synchronize() override { memory_->synchronize(); }
  void* stream() const override { return stream_->handle(); }

 private:
  void make_current() const { use_context(context_); }

  void join_on_host(const gpu::JoinArguments& a, size_t parts, size_t element_bytes) {
    const auto count = static_cast<size_t>(a.count);
    std::vector<char> part(count * element_bytes), whole(parts * part.size());
    for (size_t p = 0; p < parts; ++p) {
      memory_->to_host(part.data(), static_cast<uint64_t>(a.from[p]), part.size());
      for (size_t i = 0; i < count; ++i)
        std::memcpy(&whole[(i * parts + p) * element_bytes], &part[i * element_bytes],
                    element_bytes);
    }
    memory_->from_host(static_cast<uint64_t>(a.out), whole.data(), whole.size());
    memory_->synchronize();  // what it is copied from goes
  }

  // In the order of kernels.
  void copy_bytes(int64_t target, int64_t source, int64_t bytes) {
    if (bytes == 0) return;
    if (!codegen::has_gpu_primitives()) {
      std::vector<char> host(static_cast<size_t>(bytes));
      memory_->to_host(host.data(), static_cast<uint64_t>(source), host.size());
      memory_->from_host(static_cast<uint64_t>(target), host.data(), host.size());
      memory_->synchronize();  // what it is copied from goes
      return;
    }
    codegen::GpuPrimitive primitive;
    primitive.function = "copy";
    launch_with(primitive, blocks_for_each(bytes), gpu::CopyArguments{bytes, source, target});
  }

  // Elements of other types than floating-point ones: a thread for each result.
  void multiply(const compiler::ProductStep& step, int64_t a, int64_t b, int64_t c) {
    ++counters().kernel_launches;
    const std::string key = "product " + std::to_string(static_cast<int>(step.type)) +
                            (step.a_transposed ? " t" : " n") + (step.b_transposed ? "t" : "n");
    modules_->make_room();
    const KernelRef id = kernel_id(key);
    const auto use = modules_->use();
    const Handle function = find(*id, [&] { return compiler_->compile(step); });
    const int64_t parameters[] = {a, b, c, step.rows, step.columns, step.inner};
    const int64_t most = 0x7fffffff,
                  across = schedule::blocks(step.columns, codegen::product_tile, most);
    const unsigned tiles = schedule::blocks(
        across * schedule::blocks(step.rows, codegen::product_tile, most), 1, most);
    const schedule::Grid grid{tiles, 1, codegen::product_tile, codegen::product_tile};
    static const LaunchLog::Name product = std::make_shared<const std::string>("inner_product");
    stream_->launch({function, grid, parameters}, product);
  }

  void multiply_tiled(const compiler::ProductStep& step, int64_t a, int64_t b, int64_t c) {
    const gpu::ProductArguments arguments{
        a, b, c, step.rows, step.columns, step.inner, step.a_transposed, step.b_transposed};
    codegen::GpuPrimitive primitive;
    primitive.function = step.type == ElementType::f32 ? "product_f32" : "product_f64";
    const int64_t side = gpu::product_side(size_of(step.type));
    const auto squares = [&](int64_t n) { return (n + side - 1) / side; };
    launch_with(primitive, squares(step.rows) * squares(step.columns), arguments);
  }

  template <class Arguments>
  void launch_with(const codegen::GpuPrimitive& primitive, int64_t blocks,
                   const Arguments& arguments) {
    std::array<int64_t, codegen::argument_words> words{};
    std::memcpy(words.data(), &arguments, sizeof arguments);
    launch(primitive, blocks, words);
  }

  Handle find(const compiler::KernelStep& step) {
    return find(*step.id, [&] { return compiler_->compile(step.kernel); });
  }

  KnownPrimitive know(const codegen::GpuPrimitive& primitive) {
    if (const auto known = primitives_.find(primitive)) return *known;
    const KnownPrimitive made{kernel_id(compiler_->key(primitive)),
                              std::make_shared<const std::string>(primitive.function)};
    primitives_.add(primitive, made);
    return made;
  }

  // With a use of the modules, which holds until the function has been launched.
  template <class Compile>
  Handle find(const KernelId& id, Compile compile) {
    const auto make = [&] {
      Module made{load(id.key + "\n" + compiler_->description(), compile)};
      const Result result = driver()->ModuleGetFunction(&made.function, made.module, "kernel");
      if (result != success) driver()->ModuleUnload(made.module);
      check(result, "finding a kernel");
      return made;
    };
    return modules_->find(id, make);
  }

  // From the disk cache, or compiled.
  template <class Compile>
  Handle load(const std::string& key, Compile compile) {
    Handle module = nullptr;
    if (const auto kept = disk_cache::find(key);
        kept && driver()->ModuleLoadData(&module, kept->data()) == success) {
      ++counters().kernels_from_disk;
      return module;
    }
    const auto begin = std::chrono::steady_clock::now();
    const std::string cubin = assemble(compile());
    check(driver()->ModuleLoadData(&module, cubin.data()), "loading a kernel");
    ++counters().kernels_compiled;
    counters().compile_nanoseconds += std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::steady_clock::now() - begin)
                                          .count();
    disk_cache::store(key, cubin);
    return module;
  }

  // The driver's linker gives the machine code, which loads ten times faster than PTX.
  std::string assemble(const std::string& ptx) const {
    Handle link = nullptr;
    char log[4096] = {};
    int options[] = {5, 6};  // error log, its size
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    check(driver()->LinkCreate_v2(2, options, values, &link), "starting the assembler");
    void* cubin = nullptr;
    size_t bytes = 0;
    Result result = driver()->LinkAddData_v2(link, input_ptx, const_cast<char*>(ptx.c_str()),
                                             ptx.size() + 1, "tutti", 0, nullptr, nullptr);
    if (result == success) result = driver()->LinkComplete(link, &cubin, &bytes);
    if (result != success) {
      driver()->LinkDestroy(link);
      throw CompileError("the driver refused the PTX of a kernel: " + std::string(log));
    }
    std::string code(static_cast<const char*>(cubin), bytes);
    driver()->LinkDestroy(link);
    return code;
  }

  int index_;
  int multiprocessors_ = 0;
  LaunchLog log_;
  std::string description_;
  std::unique_ptr<codegen::GpuCompiler> compiler_;
  Handle context_ = nullptr;
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<Memory> memory_;
  std::unique_ptr<ZeroedMemory> zeros_;
  std::unique_ptr<Modules> modules_;
  KnownPrimitives primitives_;
};

}  // namespace

std::vector<Device*> devices() {
  std::vector<Device*> result;
  int count = 0;
  if (!driver() || driver()->DeviceGetCount(&count) != success) return result;
  for (int i = 0; i < count; ++i) {
    try {
      result.push_back(new CudaDevice(i));
    } catch (const DeviceError& error) {
      std::fprintf(stderr, "tutti: cuda:%d is not used: %s\n", i, error.what());
    }
  }
  return result;
}

const std::string& problem() { return driver_problem(); }

}  // namespace tutti::runtime::cuda
