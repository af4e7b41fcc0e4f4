// Random graphs: a seed in, a recipe out. Every kind of node, element type and boundary rule
// occurs, values are shared, elements include the extremes of their types. Most shapes are small
// and around the vector widths; some seeds give images large enough for row blocks, tiles and
// several GPU blocks, or vectors of many tiles.
#pragma once
#include "support/graph_recipe.hpp"
#include "support/library_steps.hpp"

namespace tutti::test {

class RandomGraph {
 public:
  explicit RandomGraph(uint64_t seed);

  // A few results over one graph.
  const Recipe& recipe() const { return recipe_; }
  std::vector<NodeRef> build() const { return test::build(recipe_); }

 private:
  // What the shapes of a graph are like.
  enum class Size { small, image, vector, huge };

  int pick(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  bool chance(int percent) { return pick(100) < percent; }
  int any();
  int add(Step step);
  int try_add(Step step, int otherwise);  // a function of `otherwise` if it does not fit
  int add(Step::Kind kind, std::vector<int> inputs, std::vector<int64_t> numbers = {});
  int op(Op op, std::vector<int> inputs);
  int cast(int a, ElementType type);

  const Extents& shape(int a) const;
  ElementType type_of(int a) const;
  int64_t elements(int a) const { return shape(a).size(); }

  ElementType type();
  int64_t extent();
  std::vector<int64_t> random_shape();
  double number();
  void set_rule(Step& step);

  int source();
  int operation();
  int shifted(int a, int reach);
  int transformation(int a);
  int section(int a);
  int reduction(int a);
  int numeric(int a);
  int gather(int a);
  int wide_index(int index);
  int nearby_index(const Extents& like, int axis);
  int unary(int a);
  int partner(int a);
  int binary(int a);
  int choose(int a);
  int stencil(int a);
  int product(int a);
  int written(int a);
  int joined(int a);
  int recurrence(int a);
  int primitive(int a);
  int flat(int a);
  Reduction any_reduction(ElementType type);

  // random_patterns.cpp
  int planes(int a);
  int sampled(int a);
  int deposited(int a);
  int matrices(int a);

  // random_library.cpp
  int offsets(int64_t elements);
  int ordering(int a);
  int user_defined(int a);
  int library(int a);
  int library_input(int a, Library function);
  int with_last_axes_exchanged(int a);

  std::mt19937_64 random_;
  Size size_ = Size::small;
  std::vector<int64_t> common_;  // the shape that most sources of a large graph have
  Recipe recipe_;
  std::vector<NodeRef> nodes_;
};

}  // namespace tutti::test
