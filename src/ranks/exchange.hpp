// Moves elements of split arrays to the ranks that need them. Every rank knows the needs of all
// ranks, so no requests are sent. Halos of several arrays travel in one message. Large pieces
// travel from memory to memory without a copy.
#pragma once
#include "ranks/local_graph.hpp"

namespace tutti::ranks {

class Exchange {
 public:
  Exchange(Session& session, std::vector<LocalGraph::Leaf> leaves)
      : session_(session), leaves_(std::move(leaves)) {}

  // Allocates memory for the elements that this rank needs of others, and returns these needs. Call
  // it before the ranks agree. Halos are received in room around a part.
  Bytes prepare();

  // Exchanges the elements and supplies every leaf of the graph. `needs` are the results of
  // prepare() on all ranks. Collective.
  void run(const std::vector<Bytes>& needs, LocalGraph& graph);

 private:
  // The memory that collects the needed elements of a leaf. It holds the rank's own ones already.
  struct Target {
    BufferRef buffer;
    Box box;
  };
  struct Messages;
  static Target target_of(const LocalGraph::Leaf& leaf);
  template <class F>
  void for_each_piece(const std::vector<Box>& needs, int from, F f) const;
  void send_to(int rank, const std::vector<Box>& needs, Messages& messages) const;
  void receive_from(int rank, Messages& messages) const;
  void unpack(const Messages& messages) const;
  std::vector<Box> boxes_of(const Bytes& message) const;

  Session& session_;
  const std::vector<LocalGraph::Leaf> leaves_;
  std::vector<Target> targets_;
  std::vector<Box> needed_;
};

}  // namespace tutti::ranks
