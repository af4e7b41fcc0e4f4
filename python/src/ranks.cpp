#include "ranks.hpp"

#include "array.hpp"
#include "tutti/ranks.hpp"

namespace tutti::python {

void bind_ranks(nb::module_& m) {
  nb::exception<RankError>(m, "RankError", PyExc_RuntimeError);
  m.def("ranks_use",
        [](const std::string& transport) { without_lock([&] { ranks::use(transport); }); });
  m.def("ranks_rank", [] { return without_lock([] { return ranks::rank(); }); });
  m.def("ranks_size", [] { return without_lock([] { return ranks::size(); }); });
  m.def("ranks_split_from", [] { return ranks::split_from(); });
  m.def("ranks_set_split_from", [](int64_t elements) { ranks::split_from(elements); });
  m.def("ranks_barrier", [] { without_lock([] { ranks::barrier(); }); });
  m.def("ranks_distribute", [](const Array& a, int axis) {
    return Array(
        without_lock([&, node = a.node()] { return ranks::detail::distribute(node, axis, {}); }));
  });
  m.def("ranks_part_of", [](const Array& a) {
    const ranks::Part part =
        without_lock([node = a.node()] { return ranks::detail::part_of(node); });
    return nb::make_tuple(part.axis, part.begin, part.end, part.is_whole);
  });
  m.def("ranks_local_part", [](const Array& a) {
    return Array(without_lock([node = a.node()] { return ranks::detail::local_part(node); }));
  });
  m.def("ranks_traffic", [] {
    const ranks::Traffic sent = ranks::traffic();
    return nb::make_tuple(sent.gathers, sent.messages, sent.bytes);
  });
}

}  // namespace tutti::python
