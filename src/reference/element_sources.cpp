#include "reference/element_sources.hpp"

#include <array>
#include <cstring>

#include "numerics/scalar_apply.hpp"
#include "program/program.hpp"
#include "reference/elements.hpp"

namespace tutti::ir {
namespace {

class Sources {
 public:
  Sources(const ElementRef& of, Interpretation& interpretation,
          const std::function<bool(const ElementRef&)>& visit)
      : node_(*of.node), element_(of.element), in_(interpretation), visit_(visit) {}

  void run() {
    switch (node_.kind) {
      case Kind::leaf:
      case Kind::constant:
      case Kind::index:
      case Kind::parameter:
        return;
      case Kind::elementwise:
        return elementwise();
      case Kind::program:
        for (int k = 0; k < node_.program->inputs && visit_input(static_cast<size_t>(k)); ++k) {
        }
        return;
      case Kind::cast:
      case Kind::reshape:
        static_cast<void>(visit_input(0));
        return;
      case Kind::affine:
      case Kind::gather:
        return moved();
      case Kind::reduce:
        return reduce();
      case Kind::inner_product:
        return inner_product();
      case Kind::scan:
        return scan();
      case Kind::segmented_reduce:
        return static_cast<void>(range(0, offset(1, element_), offset(1, element_ + 1)));
      case Kind::write_section:
        return write_section();
      default:
        return whole_inputs();
    }
  }

 private:
  const Node& input(size_t k) const { return *node_.inputs()[k]; }
  // Visits an input that is read element by element. One of rank 0 is the same for every element.
  bool visit_input(size_t k) {
    return visit_({&input(k), input(k).shape.rank == 0 ? 0 : element_});
  }
  bool range(size_t k, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      if (!visit_({&input(k), i})) return false;
    return true;
  }
  int64_t number(size_t k, int64_t element) {
    const ScalarValue value = value_of({&input(k), element}, in_);
    return static_cast<int64_t>(convert(value, ElementType::i64).bits);
  }
  int64_t offset(size_t k, int64_t segment) { return number(k, segment); }

  void elementwise() {
    if (node_.op == Op::choose) {
      const int64_t at = input(0).shape.rank == 0 ? 0 : element_;
      static_cast<void>(visit_input(value_of({&input(0), at}, in_).bits ? 1 : 2));
      return;
    }
    for (size_t k = 0; k < node_.inputs().size(); ++k)
      if (!visit_input(k)) return;
  }

  void moved() {
    const Extents& from = input(0).shape;
    const Coordinates at = coordinates_of(element_, node_.shape);
    Coordinates source{};
    for (int axis = 0; axis < from.rank; ++axis) {
      const auto a = static_cast<size_t>(axis);
      const AxisMap& m = node_.map->axes[a];
      source[a] = node_.kind == Kind::gather
                      ? number(a + 1, element_)
                      : m.offset + (m.axis < 0 ? 0 : m.stride * at[static_cast<size_t>(m.axis)]);
      if (!bring_inside(source[a], from[axis], node_.map->boundary)) return;  // the fill
    }
    visit_({&input(0), position_of(source, from)});
  }

  void reduce() {
    const Extents& from = input(0).shape;
    const auto axes = node_.get<ReducedAxes>();
    const Coordinates kept = coordinates_of(element_, node_.shape);
    Coordinates at{};
    for (int axis = 0, k = 0; axis < from.rank; ++axis)
      if (!axes.has(axis)) at[static_cast<size_t>(axis)] = kept[static_cast<size_t>(k++)];
    if (from.size() == 0) return;
    while (visit_({&input(0), position_of(at, from)})) {  // the last reduced axis varies fastest
      int axis = from.rank - 1;
      for (; axis >= 0; --axis) {
        if (!axes.has(axis)) continue;
        if (++at[static_cast<size_t>(axis)] < from[axis]) break;
        at[static_cast<size_t>(axis)] = 0;
      }
      if (axis < 0) return;
    }
  }

  void inner_product() {
    const Extents& right = input(1).shape;
    const int64_t inner = right[0], columns = inner ? right.size() / inner : 1;
    const int64_t row = element_ / columns, column = element_ % columns;
    for (int64_t k = 0; k < inner; ++k)
      if (!visit_({&input(0), row * inner + k}) || !visit_({&input(1), k * columns + column}))
        return;
  }

  void scan() {
    const int64_t row = node_.shape[node_.shape.rank - 1];
    int64_t begin = element_ - element_ % row;
    if (node_.inputs().size() > 1)
      for (int64_t s = 0; s < input(1).shape[0] && offset(1, s) <= element_; ++s)
        begin = offset(1, s);
    const bool exclusive = node_.get<ScanForm>() == ScanForm::exclusive;
    static_cast<void>(range(0, begin, element_ + (exclusive ? 0 : 1)));
  }

  // An element inside of the section comes from the values, any other from the base.
  void write_section() {
    const Extents& section = input(0).shape;
    const Coordinates at = coordinates_of(element_, node_.shape);
    for (int64_t i = 0; i < section.size(); ++i) {
      const Coordinates of_value = coordinates_of(i, section);
      bool here = true;
      for (int axis = 0; axis < node_.shape.rank; ++axis) {
        const AxisMap& m = node_.map->axes[static_cast<size_t>(axis)];
        const int64_t target =
            m.offset + (m.axis < 0 ? 0 : m.stride * of_value[static_cast<size_t>(m.axis)]);
        here = here && target == at[static_cast<size_t>(axis)];
      }
      if (here) return static_cast<void>(visit_({&input(0), i}));
    }
    if (node_.inputs().size() > 1) visit_({&input(1), element_});
  }

  void whole_inputs() {
    for (size_t k = 0; k < node_.inputs().size(); ++k)
      if (input(k).type == node_.type && !range(k, 0, input(k).shape.size())) return;
  }

  const Node& node_;
  const int64_t element_;
  Interpretation& in_;
  const std::function<bool(const ElementRef&)>& visit_;
};

}  // namespace

void visit_sources(const ElementRef& of, Interpretation& interpretation,
                   const std::function<bool(const ElementRef&)>& visit) {
  Sources(of, interpretation, visit).run();
}

ScalarValue value_of(const ElementRef& of, Interpretation& interpretation) {
  const View elements = interpretation.elements(*of.node);
  ScalarValue value{of.node->type, 0};
  const auto size = static_cast<size_t>(size_of(value.type));
  std::memcpy(&value.bits, elements.data() + static_cast<size_t>(of.element) * size, size);
  return value;
}

std::string index_text(int64_t element, const Extents& shape) {
  const Coordinates at = coordinates_of(element, shape);
  std::string text;
  for (int axis = 0; axis < shape.rank; ++axis)
    text += "[" + std::to_string(at[static_cast<size_t>(axis)]) + "]";
  return text;
}

}  // namespace tutti::ir
