// libtutti-mpi: the transport of ranks over MPI. It is built if MPI is found, and loaded by
// tutti::ranks::use("mpi"). The library itself does not depend on MPI.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "ranks/transport.hpp"
#include "tutti/error.hpp"

namespace tutti::ranks {
namespace {

constexpr size_t largest_message = size_t{1} << 30;  // counts of MPI are int
// Bytes of a rank that an all-gather moves in one call: enough for the tile results of most sums.
// All slots together stay small, since every rank gets all of them.
constexpr size_t all_slots = 64 << 10, least_inline = 248, most_inline = 4088;

void check(int status, const char* call) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw Error(std::string(call) + " failed: " + std::string(text, static_cast<size_t>(length)));
}

std::chrono::seconds timeout_of_environment() {
  const char* text = std::getenv("TUTTI_RANKS_TIMEOUT");
  if (!text || !*text) return {};
  char* end = nullptr;
  const long seconds = std::strtol(text, &end, 10);
  if (*end == '\0' && seconds >= 0) return std::chrono::seconds(seconds);
  std::fprintf(stderr, "tutti: TUTTI_RANKS_TIMEOUT=%s is no number of seconds\n", text);
  return {};
}

class MpiTransport final : public Transport {
 public:
  explicit MpiTransport(MPI_Comm communicator) : communicator_(communicator) {
    check(MPI_Comm_dup(communicator_, &reports_), "MPI_Comm_dup");
    check(MPI_Comm_rank(communicator_, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(communicator_, &size_), "MPI_Comm_size");
    inline_bytes_ = std::clamp(all_slots / static_cast<size_t>(size_), least_inline, most_inline);
  }
  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int to, std::span<const std::byte> bytes) override {
    const Outgoing message[] = {{to, bytes}};
    all_to_all(message, {});
  }
  void receive(int from, std::span<std::byte> bytes) override {
    const Incoming message[] = {{from, bytes}};
    all_to_all({}, message);
  }

  // Gathers messages: in slots of one size, in one call; the rest of longer ones follows.
  std::vector<Bytes> all_gather(std::span<const std::byte> mine) override {
    const size_t slot = sizeof(uint64_t) + inline_bytes_;
    const uint64_t size = mine.size();
    Bytes own(slot), slots(slot * static_cast<size_t>(size_));
    std::memcpy(own.data(), &size, sizeof size);
    if (size > 0)
      std::memcpy(own.data() + sizeof size, mine.data(), std::min<size_t>(size, inline_bytes_));
    MPI_Request request;
    check(MPI_Iallgather(own.data(), static_cast<int>(slot), MPI_BYTE, slots.data(),
                         static_cast<int>(slot), MPI_BYTE, communicator_, &request),
          "MPI_Iallgather");
    wait({&request, 1});
    std::vector<Bytes> all;
    size_t rest = 0;
    for (size_t r = 0; r < static_cast<size_t>(size_); ++r) {
      uint64_t length = 0;
      std::memcpy(&length, slots.data() + r * slot, sizeof length);
      Bytes& bytes = all.emplace_back(length);
      const size_t here = std::min<size_t>(length, inline_bytes_);
      if (here > 0) std::memcpy(bytes.data(), slots.data() + r * slot + sizeof length, here);
      rest += length - here;
    }
    if (rest > 0) gather_rest(mine, all, rest);
    return all;
  }

  void all_to_all(std::span<const Outgoing> out, std::span<const Incoming> in) override {
    std::vector<MPI_Request> requests;
    const auto cut = [&](auto bytes, auto start) {
      for (size_t at = 0; at < bytes.size(); at += largest_message) {
        const auto piece = bytes.subspan(at, std::min(largest_message, bytes.size() - at));
        start(piece, &requests.emplace_back());
      }
    };
    for (const Incoming& message : in)
      cut(message.bytes, [&](auto piece, MPI_Request* request) {
        check(MPI_Irecv(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, message.from, 0,
                        communicator_, request),
              "MPI_Irecv");
      });
    for (const Outgoing& message : out)
      cut(message.bytes, [&](auto piece, MPI_Request* request) {
        check(MPI_Isend(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, message.to, 0,
                        communicator_, request),
              "MPI_Isend");
      });
    wait(requests);
  }

  void barrier() override {
    MPI_Request request;
    check(MPI_Ibarrier(communicator_, &request), "MPI_Ibarrier");
    wait({&request, 1});
  }

  void watch(const Activity& activity) override { activity_ = &activity; }

  void abort(const std::string& message) override {
    std::fprintf(stderr, "tutti: rank %d: %s\n", rank_, message.c_str());
    MPI_Abort(communicator_, EXIT_FAILURE);
  }

 private:
  // Waits: first polls, then yields the core to other processes, then sleeps between polls. Ranks
  // may outnumber the cores.
  void wait(std::span<MPI_Request> requests) {
    const auto begin = Clock::now();
    std::chrono::nanoseconds waited{};
    bool reported = false;
    for (int looks = 0;; ++looks) {
      int done = 0;
      check(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done,
                        MPI_STATUSES_IGNORE),
            "MPI_Testall");
      if (done) break;
      if (looks % 16 != 15) continue;
      waited = Clock::now() - begin;
      if (waited > polling) std::this_thread::yield();
      if (waited > yielding) std::this_thread::sleep_for(pause);
      if (waited > least_report) report_absent(waited, reported);
    }
    if (reported) end_report();
  }

  // Exchanges signs of life between ranks that wait long, and prints the ranks that send none.
  // After TUTTI_RANKS_TIMEOUT seconds, if that is set, the program ends.
  void report_absent(std::chrono::nanoseconds waited, bool& reported) {
    if (!reported) begin_report();
    reported = true;
    hear_others();
    const bool over = timeout_.count() > 0 && waited > timeout_;
    if (!over && (named_ || waited < first_report)) return;
    std::string absent;
    for (int r = 0; r < size_; ++r)
      if (r != rank_ && !heard_[static_cast<size_t>(r)])
        absent += (absent.empty() ? "" : ", ") + std::to_string(r);
    if (absent.empty()) return;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(waited).count();
    const std::string text = "rank " + absent + " has not come for " + std::to_string(seconds) +
                             " seconds; rank " + std::to_string(rank_) + " waits to " +
                             (activity_ ? activity_->words() : "go on");
    if (over) abort(text + ". TUTTI_RANKS_TIMEOUT ends the program");
    if (rank_ == first_waiting()) std::fprintf(stderr, "tutti: %s\n", text.c_str());
    named_ = true;
  }

  void begin_report() {
    ++report_;
    named_ = false;
    heard_.assign(static_cast<size_t>(size_), false);
    sent_.resize(static_cast<size_t>(size_));
    for (int r = 0; r < size_; ++r)
      check(MPI_Isend(&report_, 1, MPI_INT, r, 0, reports_, &sent_[static_cast<size_t>(r)]),
            "MPI_Isend");
  }
  void hear_others() {
    for (int there = 1; there;) {
      MPI_Status status;
      check(MPI_Iprobe(MPI_ANY_SOURCE, 0, reports_, &there, &status), "MPI_Iprobe");
      if (!there) break;
      int number = 0;
      check(MPI_Recv(&number, 1, MPI_INT, status.MPI_SOURCE, 0, reports_, MPI_STATUS_IGNORE),
            "MPI_Recv");
      heard_[static_cast<size_t>(status.MPI_SOURCE)] = true;
    }
  }
  void end_report() {
    check(MPI_Waitall(size_, sent_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    hear_others();
  }
  int first_waiting() const {
    for (int r = 0; r < size_; ++r)
      if (r == rank_ || heard_[static_cast<size_t>(r)]) return r;
    return rank_;
  }

  std::span<std::byte> behind_slot(Bytes& bytes) const {
    return bytes.size() > inline_bytes_ ? std::span(bytes).subspan(inline_bytes_)
                                        : std::span<std::byte>();
  }

  // Gathers the bytes that did not fit the slots, `rest` of all ranks together.
  void gather_rest(std::span<const std::byte> mine, std::vector<Bytes>& all, size_t rest) {
    const auto own =
        mine.size() > inline_bytes_ ? mine.subspan(inline_bytes_) : std::span<const std::byte>();
    if (rest > largest_message) {
      std::vector<Outgoing> out;
      std::vector<Incoming> in;
      for (int r = 0; r < size_; ++r) {
        if (!own.empty()) out.push_back({r, own});
        if (const auto missing = behind_slot(all[static_cast<size_t>(r)]); !missing.empty())
          in.push_back({r, missing});
      }
      return all_to_all(out, in);
    }
    std::vector<int> counts, places;
    int at = 0;
    for (Bytes& bytes : all) {
      places.push_back(at);
      counts.push_back(static_cast<int>(behind_slot(bytes).size()));
      at += counts.back();
    }
    Bytes joined(rest);
    MPI_Request request;
    check(MPI_Iallgatherv(own.data(), static_cast<int>(own.size()), MPI_BYTE, joined.data(),
                          counts.data(), places.data(), MPI_BYTE, communicator_, &request),
          "MPI_Iallgatherv");
    wait({&request, 1});
    for (size_t r = 0; r < all.size(); ++r)
      if (const auto missing = behind_slot(all[r]); !missing.empty())
        std::memcpy(missing.data(), joined.data() + places[r], missing.size());
  }

  using Clock = std::chrono::steady_clock;
  // A message between two processes of a machine takes about a microsecond, a switch between them
  // some tens.
  static constexpr std::chrono::microseconds polling{20}, yielding{2000}, pause{50};
  static constexpr std::chrono::milliseconds least_report{500};
  static constexpr std::chrono::seconds first_report{10};

  MPI_Comm communicator_;
  MPI_Comm reports_;  // of ranks that wait long
  int rank_ = 0, size_ = 1;
  size_t inline_bytes_ = least_inline;
  const Activity* activity_ = nullptr;
  std::chrono::seconds timeout_ = timeout_of_environment();
  int report_ = 0;
  bool named_ = false;
  std::vector<bool> heard_;
  std::vector<MPI_Request> sent_;
};

void (*tell_others)() = nullptr;
bool finalises = false;

void finish() {
  int ended = 0;
  MPI_Finalized(&ended);
  if (ended) return;
  tell_others();
  if (finalises) MPI_Finalize();
}

}  // namespace
}  // namespace tutti::ranks

// A program that has called MPI_Init itself also finalises MPI itself.
extern "C" __attribute__((visibility("default"))) tutti::ranks::Transport* tutti_open_transport(
    void (*before_end)()) {
  using namespace tutti::ranks;
  int started = 0;
  check(MPI_Initialized(&started), "MPI_Initialized");
  if (!started) {
    int provided = 0;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided), "MPI_Init_thread");
    finalises = true;
  }
  tell_others = before_end;
  std::atexit(finish);
  MPI_Comm own = MPI_COMM_NULL;  // messages of the program do not meet those of Tutti
  check(MPI_Comm_dup(MPI_COMM_WORLD, &own), "MPI_Comm_dup");
  return new MpiTransport(own);
}
