#include "runtime/gpu/gpu_device.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <deque>

#include "codegen/gpu/layout.hpp"
#include "core/process/interruption.hpp"
#include "core/settings/settings.hpp"
#include "core/statistics.hpp"
#include "kernels/gpu/arguments.hpp"
#include "runtime/cpu/threads.hpp"
#include "runtime/gpu/launch_log.hpp"
#include "runtime/gpu/launches.hpp"
#include "runtime/gpu/loader.hpp"
#include "runtime/gpu/memory.hpp"
#include "runtime/gpu/primitives.hpp"
#include "runtime/gpu/rehearsal.hpp"
#include "runtime/gpu/stream.hpp"
#include "runtime/gpu/unaligned.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime::gpu {
namespace {

class RepeatedLaunches final : public Repetition {
 public:
  RepeatedLaunches(Stream& stream, std::vector<ModuleHold> modules,
                   std::unique_ptr<LaunchGraph> graph, std::vector<LaunchLog::Name> names)
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
  std::vector<ModuleHold> modules_;  // of the functions of the graph
  std::unique_ptr<LaunchGraph> graph_;
  std::vector<LaunchLog::Name> names_;
};

class GpuDevice final : public Device, private PrimitiveLauncher {
 public:
  explicit GpuDevice(GpuParts parts)
      : parts_(std::move(parts)),
        driver_(*parts_.driver),
        log_(driver_, parts_.name),
        stream_(driver_, log_, parts_.name),
        memory_(driver_, stream_, log_),
        zeros_(memory_),
        loader_(driver_, *parts_.compiler, [this] {
          memory_.synchronize();
          stream_.forget_graphs();
        }) {}

  std::string name() const override { return parts_.name; }
  std::string description() const override { return parts_.description; }

  ir::BufferRef allocate(size_t bytes) override {
    ++counters().buffers_allocated;
    return ArrayBuffer::on_device(memory_, bytes);
  }
  ir::BufferRef wrap(void* memory, size_t bytes) override {
    return ArrayBuffer::around_device(memory_, reinterpret_cast<uint64_t>(memory), bytes);
  }
  ir::BufferRef borrow(const void* memory, size_t bytes,
                       std::shared_ptr<const void> owner) override {
    return ArrayBuffer::borrowed_on_device(memory_, reinterpret_cast<uint64_t>(memory), bytes,
                                           std::move(owner));
  }
  const void* lend(ir::Buffer& buffer) override {
    return reinterpret_cast<const void*>(array_of(buffer).lend_on_device(memory_));
  }
  int64_t address(ir::Buffer& buffer) override {
    return static_cast<int64_t>(array_of(buffer).address(memory_));
  }
  int64_t overwrite(ir::Buffer& buffer) override {
    return static_cast<int64_t>(array_of(buffer).overwrite_on_device(memory_));
  }

  std::unique_ptr<Gathering> gather() override { return stream_.gather(); }

  void run(const compiler::KernelStep& step, const Words& words) override {
    driver_.make_current();
    modules().make_room();
    if (const auto unaligned = unaligned_arrays(step, words); !unaligned.empty())
      run_on_copies(step, words, unaligned);
    else
      start(step, words);
  }

  // Runs a kernel on aligned copies of its unaligned arrays.
  void run_on_copies(const compiler::KernelStep& step, Words words,
                     std::span<const UnalignedArray> unaligned) {
    std::deque<Temporary> copies;
    std::vector<int64_t> originals;
    for (const UnalignedArray& array : unaligned) {
      int64_t& word = words[static_cast<size_t>(array.word)];
      originals.push_back(word);
      word = copies.emplace_back(memory_, array.bytes).address();
      if (!array.is_output) copy_bytes(word, originals.back(), array.bytes);
    }
    start(step, words);
    for (size_t i = 0; i < unaligned.size(); ++i)
      if (unaligned[i].is_output) copy_bytes(originals[i], copies[i].address(), unaligned[i].bytes);
  }

  void start(const compiler::KernelStep& step, const Words& words) {
    const auto use = modules().use();
    const Handle function = loader_.find(step);
    ++counters().kernel_launches;
    if (words.size() <= static_cast<size_t>(codegen::most_parameter_words)) {
      stream_.launch({function, step.grid, words}, step.name);
      return;
    }
    // Too many words for parameters: they are copied to device memory first.
    const size_t bytes = words.size() * sizeof(int64_t);
    const Temporary block(memory_, static_cast<int64_t>(bytes));
    const int64_t word = block.address();
    memory_.from_host(static_cast<uint64_t>(word), words.data(), bytes);
    stream_.launch({function, step.grid, {&word, 1}}, step.name);
  }

  std::unique_ptr<Repetition> repeat(std::span<const Launch> launches) override {
    driver_.make_current();
    modules().make_room();
    const auto use = modules().use();
    std::vector<KernelCall> calls;
    std::vector<ModuleHold> held;
    std::vector<LaunchLog::Name> names;
    for (const Launch& launch : launches) {
      if (launch.words.size() > static_cast<size_t>(codegen::most_parameter_words)) return nullptr;
      if (!unaligned_arrays(*launch.step, launch.words).empty()) return nullptr;
      calls.push_back({loader_.find(*launch.step), launch.step->grid, launch.words});
      held.push_back(modules().hold(*launch.step->id));
      names.push_back(launch.step->name);
    }
    return std::make_unique<RepeatedLaunches>(stream_, std::move(held), driver_.make_graph(calls),
                                              std::move(names));
  }

  void prepare(const compiler::Plan& plan) override {
    std::vector<const compiler::KernelStep*> unknown;
    for (const compiler::Step& step : plan.steps)
      if (const auto* kernel = std::get_if<compiler::KernelStep>(&step);
          kernel && !modules().loaded(*kernel->id) &&
          std::ranges::none_of(unknown, [&](const auto* other) { return other->id == kernel->id; }))
        unknown.push_back(kernel);
    if (unknown.size() < 2) return;
    parallel_for(static_cast<int64_t>(unknown.size()), [&](int64_t i) {
      stop_if_interrupted();
      const compiler::KernelStep* step = unknown[static_cast<size_t>(i)];
      load({step->id, step});
    });
  }

  void start_compiler() override {
    driver_.make_current();
    driver_.start_assembler();
  }

  bool has_code(const compiler::Plan& plan) override {
    driver_.make_current();
    return std::ranges::all_of(code_of(plan),
                               [&](const Code& code) { return loader_.has(*code.id); });
  }

  bool compile(const compiler::Plan& plan, const std::function<bool()>& go_on) override {
    driver_.make_current();
    std::vector<Code> missing = code_of(plan);
    std::erase_if(missing, [&](const Code& code) { return modules().loaded(*code.id); });
    std::atomic<bool> all{true};
    parallel_for(static_cast<int64_t>(missing.size()), [&](int64_t i) {
      if (go_on())
        load(missing[static_cast<size_t>(i)]);
      else
        all = false;
    });
    return all;
  }

  void run(const compiler::ProductStep& step, int64_t a, int64_t b, int64_t c) override {
    driver_.make_current();
    const bool floating = step.type == ElementType::f32 || step.type == ElementType::f64;
    if (!live_settings().reproducible && multiply_by_library(step, a, b, c))
      ++counters().kernel_launches;
    else if (floating && has_primitives())
      multiply_tiled(step, a, b, c);
    else
      multiply(step, a, b, c);
  }

  ir::BufferRef interleave(std::span<const int64_t> arrays, size_t bytes,
                           int element_bytes) override {
    driver_.make_current();
    const size_t parts = std::bit_ceil(arrays.size());
    ir::BufferRef joined = allocate(parts * bytes);
    kernels::JoinArguments arguments{
        static_cast<int64_t>(bytes) / element_bytes, {}, address(*joined)};
    for (size_t p = 0; p < parts; ++p)
      arguments.from[p] = arrays[std::min(p, arrays.size() - 1)];  // the last one is repeated
    if (!has_primitives()) {
      join_on_host(arguments, parts, static_cast<size_t>(element_bytes));
      return joined;
    }
    codegen::GpuPrimitive primitive;
    primitive.function = "join_" + std::to_string(parts) + "_" + unsigned_name(element_bytes);
    launch_with(primitive, blocks_for_each(arguments.count), arguments);
    return joined;
  }

  bool can_run(const compiler::PrimitiveStep& step) const override {
    return has_primitives() && gpu::can_run(step);
  }
  void run(const compiler::PrimitiveStep& step, const PrimitiveCall& call) override {
    run_primitive(*this, step, call);
  }
  DeviceMemory& memory() override { return memory_; }
  ZeroedMemory& zeros() override { return zeros_; }
  int64_t multiprocessors() const override { return parts_.multiprocessors; }
  void launch(const codegen::GpuPrimitive& primitive, int64_t blocks,
              std::span<const int64_t> words) override {
    driver_.make_current();
    ++counters().kernel_launches;
    modules().make_room();
    const KnownPrimitive known = loader_.know(primitive);
    const auto use = modules().use();
    const Handle function = loader_.find(*known.id, primitive);
    stream_.launch({function,
                    {static_cast<unsigned>(blocks), 1, static_cast<unsigned>(primitive.threads), 1},
                    words},
                   known.name);
  }

  const target::Target& target() const override { return parts_.target; }
  bool is_gpu() const override { return true; }
  void run(const compiler::ChainStep&, std::vector<Words>) override {
    throw InternalError("a chain was planned for a GPU");
  }

  void limit_kernels(size_t most) override { modules().set_most(most); }
  void forget_kernels() override { loader_.forget(); }

  void synchronize() override { memory_.synchronize(); }
  void* stream() override {
    stream_.start_all();
    return driver_.stream();
  }

 private:
  // A kernel of a plan: of a step, or of a primitive.
  struct Code {
    KernelRef id;
    const compiler::KernelStep* step = nullptr;
    codegen::GpuPrimitive primitive{};
  };

  // Returns each kernel once.
  std::vector<Code> code_of(const compiler::Plan& plan) {
    std::vector<Code> all;
    const auto add = [&](Code code) {
      if (std::ranges::none_of(all, [&](const Code& other) { return other.id == code.id; }))
        all.push_back(std::move(code));
    };
    for (const compiler::Step& step : plan.steps)
      if (const auto* kernel = std::get_if<compiler::KernelStep>(&step))
        add({kernel->id, kernel});
      else if (const auto* called = std::get_if<compiler::PrimitiveStep>(&step);
               called && can_run(*called))
        for (const codegen::GpuPrimitive& primitive : rehearse(*this, *called))
          add({loader_.know(primitive).id, nullptr, primitive});
    return all;
  }
  void load(const Code& code) {
    driver_.make_current();
    modules().make_room();
    const auto use = modules().use();
    if (code.step)
      loader_.find(*code.step);
    else
      loader_.find(*code.id, code.primitive);
  }

  Modules& modules() { return loader_.modules(); }
  bool has_primitives() const { return parts_.compiler->has_primitives(); }

  void join_on_host(const kernels::JoinArguments& a, size_t parts, size_t element_bytes) {
    const auto count = static_cast<size_t>(a.count);
    std::vector<char> part(count * element_bytes), whole(parts * part.size());
    for (size_t p = 0; p < parts; ++p) {
      memory_.to_host(part.data(), static_cast<uint64_t>(a.from[p]), part.size());
      for (size_t i = 0; i < count; ++i)
        std::memcpy(&whole[(i * parts + p) * element_bytes], &part[i * element_bytes],
                    element_bytes);
    }
    memory_.from_host(static_cast<uint64_t>(a.out), whole.data(), whole.size());
    memory_.synchronize();  // the source of the copy is a local variable
  }

  // Copies in the order of kernels.
  void copy_bytes(int64_t target, int64_t source, int64_t bytes) {
    if (bytes == 0) return;
    if (!has_primitives()) {
      std::vector<char> host(static_cast<size_t>(bytes));
      memory_.to_host(host.data(), static_cast<uint64_t>(source), host.size());
      memory_.from_host(static_cast<uint64_t>(target), host.data(), host.size());
      memory_.synchronize();  // the source of the copy is a local variable
      return;
    }
    codegen::GpuPrimitive primitive;
    primitive.function = "copy";
    launch_with(primitive, blocks_for_each(bytes), kernels::CopyArguments{bytes, source, target});
  }

  bool multiply_by_library(const compiler::ProductStep& step, int64_t a, int64_t b, int64_t c) {
    stream_.start_all();
    return driver_.multiply(step, static_cast<Address>(a), static_cast<Address>(b),
                            static_cast<Address>(c));
  }

  // Multiplies with a thread for each result: for types other than float and double, and on devices
  // without primitives.
  void multiply(const compiler::ProductStep& step, int64_t a, int64_t b, int64_t c) {
    ++counters().kernel_launches;
    const std::string key = "product " + std::to_string(static_cast<int>(step.type)) +
                            (step.a_transposed ? " t" : " n") + (step.b_transposed ? "t" : "n");
    modules().make_room();
    const KernelRef id = kernel_id(key);
    const auto use = modules().use();
    const Handle function = loader_.find(*id, step);
    const int64_t parameters[] = {a, b, c, step.rows, step.columns, step.inner};
    const int64_t most = 0x7fffffff,
                  across = schedule::blocks(step.columns, codegen::product_tile, most);
    const unsigned tiles = schedule::blocks(
        across * schedule::blocks(step.rows, codegen::product_tile, most), 1, most);
    const schedule::Grid grid{tiles, 1, codegen::product_tile, codegen::product_tile};
    static const LaunchLog::Name product = std::make_shared<const std::string>("inner_product");
    stream_.launch({function, grid, parameters}, product);
  }

  void multiply_tiled(const compiler::ProductStep& step, int64_t a, int64_t b, int64_t c) {
    const kernels::ProductArguments arguments{
        a, b, c, step.rows, step.columns, step.inner, step.a_transposed, step.b_transposed};
    codegen::GpuPrimitive primitive;
    primitive.function = step.type == ElementType::f32 ? "product_f32" : "product_f64";
    const int64_t side = kernels::product_side(size_of(step.type));
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

  const GpuParts parts_;
  Driver& driver_;
  LaunchLog log_;
  Stream stream_;
  Memory memory_;
  ZeroedMemory zeros_;
  Loader loader_;
};

}  // namespace

Device* make_device(GpuParts parts) { return new GpuDevice(std::move(parts)); }

}  // namespace tutti::runtime::gpu
