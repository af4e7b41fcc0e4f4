// An interpreter turned into a compiler: formulas such as "sin(x*x + y*y) / (1 + x*x)" are parsed
// into trees, and an ordinary tree walk evaluates them. Run inside of a program, the walk happens
// once, while capturing: what is left is straight code.
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include <cctype>
#include <map>
#include <memory>

#include "../check.hpp"
#include "../support/rgb.hpp"

using namespace tutti;

struct Tree {
  std::string name;  // an operator, a function, a variable or a number
  std::vector<std::unique_ptr<Tree>> parts;
};
using TreePtr = std::unique_ptr<Tree>;

class Parser {
 public:
  explicit Parser(std::string text) : text_(std::move(text)) {}
  TreePtr sum() {
    TreePtr left = product();
    while (peek() == '+' || peek() == '-') {
      const char name = take();
      left = node(name, std::move(left), product());
    }
    return left;
  }

 private:
  TreePtr product() {
    TreePtr left = factor();
    while (peek() == '*' || peek() == '/') {
      const char name = take();
      left = node(name, std::move(left), factor());
    }
    return left;
  }
  TreePtr factor() {
    auto tree = std::make_unique<Tree>();
    if (peek() == '(') {
      take();
      tree = sum();
      take();
      return tree;
    }
    while (std::isalnum(static_cast<unsigned char>(peek())) || peek() == '.') tree->name += take();
    if (peek() == '(') {
      take();
      tree->parts.push_back(sum());
      take();
    }
    return tree;
  }
  static TreePtr node(char name, TreePtr a, TreePtr b) {
    auto tree = std::make_unique<Tree>();
    tree->name = name;
    tree->parts.push_back(std::move(a));
    tree->parts.push_back(std::move(b));
    return tree;
  }
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  char take() {
    const char c = peek();
    ++at_;
    return c;
  }
  std::string text_;
  size_t at_ = 0;
};

// The interpreter: nothing in it knows of programs.
Value1f evaluate(const Tree& tree, const std::map<std::string, Value1f>& variables) {
  const auto part = [&](size_t i) { return evaluate(*tree.parts[i], variables); };
  if (tree.name == "+") return part(0) + part(1);
  if (tree.name == "-") return part(0) - part(1);
  if (tree.name == "*") return part(0) * part(1);
  if (tree.name == "/") return part(0) / part(1);
  if (tree.name == "sin") return sin(part(0));
  if (tree.name == "exp") return exp(part(0));
  if (tree.name == "sqrt") return sqrt(part(0));
  if (const auto found = variables.find(tree.name); found != variables.end()) return found->second;
  return std::stof(tree.name);
}

Program compile(const std::string& formula) {
  const TreePtr tree = Parser(formula).sum();
  return program([&](Value1f x, Value1f y) { return evaluate(*tree, {{"x", x}, {"y", y}}); });
}

int main(int argc, char** argv) {
  const std::string text = "sin(x*x + y*y) * exp(0 - 0.15*(x*x + y*y)) + 0.2*sin(5*x)*sin(5*y)";
  const Program formula = compile(text);
  CHECK(formula.operations() == 18);  // those of the formula, nothing of the walk
  const TreePtr tree = Parser(text).sum();
  const Value1f one = formula(0.5f, -1.25f);
  CHECK(float(one) == float(evaluate(*tree, {{"x", 0.5f}, {"y", -1.25f}})));  // the same bits

  constexpr int n = 480;
  const Array<2, float> y = 4.0f - cast<float>(index<2>({n, n}, 0)) * (8.0f / n);
  const Array<2, float> x = cast<float>(index<2>({n, n}, 1)) * (8.0f / n) - 4.0f;
  const Array<2, float> z = formula(x, y);
  CHECK(explain(z).kernels().size() == 1);
  picture::save(argc, argv, "formula", picture::heat(0.5f + 0.5f * z));
  return ok();
}
