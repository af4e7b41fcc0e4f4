#include "runtime/gpu/stream.hpp"

#include <algorithm>
#include <utility>

#include "tutti/error.hpp"

namespace tutti::runtime::gpu {
namespace {

// After this many launches a graph pays off: making it and starting it for the first time takes 70
// us and 3.4 us for each kernel on an H200.
constexpr int often = 3;
constexpr size_t most_sequences = 1024;

}  // namespace

// Plans that run at the same time share the waiting kernels, so that all kernels stay in order: one
// plan may use memory that another has given back. A kernel that cannot be started fails all of
// them.
class Stream::Gathered final : public Gathering {
 public:
  explicit Gathered(Stream& stream) : stream_(stream) {
    std::lock_guard lock(stream_.mutex_);
    ++stream_.gathering_;
    failures_ = stream_.failures_;
  }
  ~Gathered() override {
    std::lock_guard lock(stream_.mutex_);
    --stream_.gathering_;
    // Kernels are left only if an error has ended the plan, and that error is reported. A failure
    // here, also for lack of memory, is counted, and other plans report it.
    try {
      stream_.start_waiting();
    } catch (const std::exception&) {
    }
  }
  void start() override {
    std::lock_guard lock(stream_.mutex_);
    stream_.start_waiting();
    if (stream_.failures_ != failures_)
      throw DeviceError("kernels of another thread could not be started, and others with them");
  }

 private:
  Stream& stream_;
  int64_t failures_;
};

void Stream::start_all() {
  std::lock_guard lock(mutex_);
  start_waiting();
  limit_ = first_waiting;
}

std::unique_ptr<Gathering> Stream::gather() { return std::make_unique<Gathered>(*this); }

void Stream::launch(const KernelCall& call, const LaunchLog::Name& name) {
  std::lock_guard lock(mutex_);
  if (gathering_ == 0) {
    log_.note(name);
    driver_.make_current();
    if (timeline::is_on()) times_.begin();
    log_.check(driver_.launch(call), "starting a kernel");
    if (timeline::is_on()) times_.end(*name, timeline::current_label());
    return;
  }
  Waiting& last = waiting_[count_];
  last.words.assign(call.words.begin(), call.words.end());  // may fail: then it is not added
  last.call = call;
  last.name = name;
  last.label = timeline::current_label();
  if (++count_ == limit_) start_waiting();
}

void Stream::launch(LaunchGraph& graph, std::span<const LaunchLog::Name> names) {
  std::lock_guard lock(mutex_);
  start_waiting();
  driver_.make_current();
  for (const LaunchLog::Name& name : names) log_.note(name);
  if (timeline::is_on()) times_.begin();
  log_.check(graph.launch(), "starting a graph of kernels");
  if (timeline::is_on()) times_.end("repeated kernels", timeline::current_label());
}

void Stream::note_waited() {
  if (!timeline::is_on()) return;
  std::lock_guard lock(mutex_);
  times_.record_ended();
}

void Stream::forget_graphs() {
  std::lock_guard lock(mutex_);
  start_waiting();
  sequences_.clear();
}

void Stream::start_waiting() {
  if (count_ == 0) return;
  std::array<KernelCall, most_waiting> calls;
  for (size_t i = 0; i < count_; ++i) {
    calls[i] = waiting_[i].call;
    calls[i].words = waiting_[i].words;
    log_.note(waiting_[i].name);
  }
  // The kernels no longer wait from here on: a kernel that fails now must not run later, when its
  // memory has been given to others.
  const std::span<const KernelCall> now(calls.data(), std::exchange(count_, 0));
  limit_ = std::min(2 * limit_, most_waiting);
  const int64_t before = failures_++;
  driver_.make_current();
  log_.check(start(now), "starting kernels");
  failures_ = before;
}

// Starts kernels one by one, because a graph can only be timed as a whole.
Status Stream::start_timed(std::span<const KernelCall> calls) {
  Status status = success;
  for (size_t i = 0; i < calls.size() && status == success; ++i) {
    times_.begin();
    status = driver_.launch(calls[i]);
    times_.end(*waiting_[i].name, std::move(waiting_[i].label));
  }
  return status;
}

Status Stream::start(std::span<const KernelCall> calls) {
  if (timeline::is_on()) return start_timed(calls);
  if (LaunchGraph* graph = graph_for(calls)) {
    const Status status = graph->replace(calls);
    return status == success ? graph->launch() : status;
  }
  Status status = success;
  for (size_t i = 0; i < calls.size() && status == success; ++i) status = driver_.launch(calls[i]);
  return status;
}

void Stream::drop_oldest_sequences() {
  std::vector<int64_t> uses;
  uses.reserve(sequences_.size());
  for (const auto& [functions, sequence] : sequences_) uses.push_back(sequence.last_use);
  const auto middle = uses.begin() + static_cast<std::ptrdiff_t>(uses.size() / 8);
  std::ranges::nth_element(uses, middle);
  std::erase_if(sequences_, [&](const auto& entry) { return entry.second.last_use <= *middle; });
}

// Returns null if the kernels should be started one by one.
LaunchGraph* Stream::graph_for(std::span<const KernelCall> calls) {
  if (calls.size() < 2) return nullptr;
  functions_.clear();
  for (const KernelCall& call : calls) functions_.push_back(call.function);
  if (sequences_.size() >= most_sequences) drop_oldest_sequences();
  Sequence& sequence = sequences_[functions_];
  sequence.last_use = ++clock_;
  if (!sequence.graph && ++sequence.times >= often) sequence.graph = driver_.make_graph(calls);
  return sequence.graph.get();
}

}  // namespace tutti::runtime::gpu
