// The functions of tutti/ranks.hpp, and the service by which the engine finds the ranks of a
// thread.
#include "tutti/ranks.hpp"

#include <dlfcn.h>

#include <charconv>
#include <cstdio>
#include <mutex>
#include <thread>

#include "core/settings/environment.hpp"
#include "engine/distribution.hpp"
#include "engine/evaluate.hpp"
#include "ranks/evaluate.hpp"
#include "ranks/needs.hpp"
#include "ranks/thread_transport.hpp"
#include "tutti/runtime.hpp"

namespace tutti::ranks {
namespace {

class SharedEvaluation final : public engine::Distribution {
 public:
  void evaluate(std::span<const NodeRef> nodes, const Alone& alone) override {
    ranks::evaluate(*session(), nodes, alone);
  }
  void make_whole(std::span<const NodeRef> nodes) override { ranks::make_whole(nodes); }
};

thread_local Session* current = nullptr;

engine::Distribution* shared_evaluation() {
  static SharedEvaluation instance;
  const Session* ranks = session();
  return ranks && ranks->size() > 1 ? &instance : nullptr;
}

// Returns the folder of the library. Plug-ins are searched there first, then by the system's rules.
std::string folder_of_this_library() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void*>(&shared_evaluation), &info) || !info.dli_fname) return "";
  const std::string path = info.dli_fname;
  const size_t end = path.rfind('/');
  return end == std::string::npos ? "" : path.substr(0, end + 1);
}

Session* of_process = nullptr;  // opened by use()

// Informs the other ranks, which may still compute. The thread that ends the process need not be
// the one that has joined the ranks.
void leave_at_exit() {
  if (!of_process || of_process->size() == 1) return;
  current = of_process;
  try {
    of_process->agree("end the program", 0, {}, {});
  } catch (const RankError& error) {
    of_process->abort(error.what());
  }
  current = of_process = nullptr;
}

Session* open_plugin(const std::string& name) {
  const std::string file = "libtutti-" + name + ".so";
  void* library = dlopen((folder_of_this_library() + file).c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!library) library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!library)
    throw Error("ranks::use: the library " + file + " was not found (" + dlerror() +
                "); install it, or build Tutti where MPI is installed");
  auto* open = reinterpret_cast<OpenTransport*>(dlsym(library, open_transport_name));
  if (!open) throw Error("ranks::use: " + file + " is no plug-in of Tutti: " + dlerror());
  return new Session(*open(leave_at_exit));  // lives as long as the process
}

std::atomic<int64_t>& least_split() {
  static std::atomic<int64_t> elements = [] {
    int64_t result = 1 << 16;
    if (const char* text = variable("TUTTI_RANKS_ELEMENTS")) {
      const std::string_view digits(text);
      int64_t given = 0;
      const auto [end, error] = std::from_chars(digits.begin(), digits.end(), given);
      if (error == std::errc() && end == digits.end() && given > 0)
        result = given;
      else
        std::fprintf(stderr, "tutti: TUTTI_RANKS_ELEMENTS=%s is no number above 0\n", text);
    }
    return result;
  }();
  return elements;
}

// Joins the ranks of TUTTI_RANKS. The first thread that evaluates something calls it.
void join_by_environment() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (const char* name = variable("TUTTI_RANKS")) use(name);
  });
}

const bool by_environment = []() noexcept {
  if (!variable("TUTTI_RANKS")) return false;
  engine::find_distribution.store(&shared_evaluation, std::memory_order_release);
  return true;
}();

}  // namespace

Session* session() {
  if (!current && by_environment) {
    thread_local bool joining = false;
    if (!std::exchange(joining, true)) join_by_environment();
  }
  return current;
}

Joined::Joined(Session* session) : before_(std::exchange(current, session)) {
  engine::find_distribution.store(&shared_evaluation, std::memory_order_release);
}
Joined::~Joined() { current = before_; }

void use(const std::string& transport) {
  if (transport == "none") {
    current = nullptr;
    return;
  }
  if (transport != "mpi")
    throw Error("ranks::use: there is no transport \"" + transport + "\"; use \"mpi\" or \"none\"");
  static Session* const opened = of_process = open_plugin(transport);
  current = opened;
  engine::find_distribution.store(&shared_evaluation, std::memory_order_release);
}

Traffic traffic() { return session() ? session()->traffic() : Traffic(); }

int rank() { return session() ? session()->rank() : 0; }
int size() { return session() ? session()->size() : 1; }

void split_from(int64_t elements) {
  if (elements < 1) throw Error("ranks::split_from: the number of elements must be positive");
  least_split() = elements;
}
int64_t split_from() { return least_split(); }

void run_on_threads(int count, const std::function<void()>& body) {
  if (count < 1) throw Error("ranks::run_on_threads: there must be a thread at least");
  ThreadGroup group(count);
  std::exception_ptr failure;
  std::mutex mutex;
  const auto run = [&](int rank) {
    ThreadTransport transport(group, rank);
    Session session(transport);
    const Joined joined(&session);
    try {
      body();
      if (count > 1) session.agree("end the program", 0, {}, {});
    } catch (...) {
      std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      std::string text;
      try {
        throw;
      } catch (const std::exception& e) {
        text = e.what();
      } catch (...) {
        text = "an exception that is no std::exception";
      }
      transport.abort("rank " + std::to_string(rank) + " failed: " + text);
    }
  };
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < count; ++rank) threads.emplace_back(run, rank);
  threads.clear();
  if (failure) std::rethrow_exception(failure);
}

void barrier(const std::source_location& where) {
  if (Session* const ranks = session(); ranks && ranks->size() > 1)
    ranks->agree("wait for all ranks", 0, where, {});
}

namespace detail {

Part part_of(const NodeRef& node) {
  engine::evaluate({&node, 1});
  std::lock_guard lock(ir::graph_mutex());
  const auto array = split_array_of(*node);
  if (!array) return {0, 0, node->shape.rank > 0 ? node->shape[0] : 1, true};
  const int axis = array->layout.axis;
  const Interval own = array->own()[axis];
  return {axis, own.lo, own.hi, false};
}

NodeRef distribute(const NodeRef& node, int axis, const std::source_location& where) {
  const Extents& shape = tutti::detail::shape_of(node, "distribute");
  if (axis < 0 || axis >= shape.rank)
    throw ShapeError("distribute: there is no axis " + std::to_string(axis) + " in the shape " +
                     tutti::detail::to_string(shape) + tutti::detail::at(where));
  engine::evaluate({&node, 1});
  Session* const ranks = session();
  if (!ranks || ranks->size() == 1) return node;
  return split_along(*ranks, node, layout_along(shape, axis, ranks->size()), where);
}

NodeRef local_part(const NodeRef& node) {
  engine::evaluate({&node, 1});
  std::shared_ptr<SplitArray> array;
  {
    std::lock_guard lock(ir::graph_mutex());
    array = split_array_of(*node);
  }
  if (!array) return node;
  const NodeRef held =
      ir::make_leaf(array->type, array->room.extents(), array->buffer, array->where);
  return take_part(held, array->room, array->own(), array->where);
}

bool gather_on(int rank, const NodeRef& node, void* destination, const std::source_location&) {
  engine::evaluate({&node, 1});
  std::shared_ptr<SplitArray> array;
  BufferRef buffer;
  {
    std::lock_guard lock(ir::graph_mutex());
    array = split_array_of(*node);
    buffer = node->buffer;
  }
  if (array)
    array->fill_on(rank, destination);
  else if (ranks::rank() == rank)
    runtime::array_of(*buffer).copy_to(destination);
  return ranks::rank() == rank;
}

}  // namespace detail
}  // namespace tutti::ranks
