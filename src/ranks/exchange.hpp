// Moves elements of split arrays to the ranks that need them. Every rank knows what all ranks need,
// so it sends without being asked. Halos of several arrays travel in one message; what is large
// travels from memory to memory without a copy.
#pragma once
#include "ranks/local_graph.hpp"

namespace tutti::ranks {

class Exchange {
 public:
  Exchange(Session& session, std::vector<LocalGraph::Leaf> leaves)
      : session_(session), leaves_(std::move(leaves)) {}

  // Before the ranks agree: takes memory for what this rank needs of others. Returns these needs.
  // What fits the room of a split array goes there; room is made for halos.
  Bytes prepare();

  // Collective. `needs` are what prepare() returned on each rank. Afterwards every leaf of the
  // graph is given.
  void run(const std::vector<Bytes>& needs, LocalGraph& graph);

 private:
  // Where the needed elements of a leaf are put together; the rank's own are there already.
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
