// Products and views of matrices in the last two axes, and einsum.
#include "tutti/matrices.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "api/array/term.hpp"

namespace tutti::detail {
namespace {

void require_matrices(const NodeRef& a, const char* operation, const Location& where) {
  const Extents& shape = shape_of(a, operation);
  if (shape.rank < 2)
    throw ShapeError(std::string(operation) + ": an array of the shape " + to_string(shape) +
                     " has no rows and columns" + at(where));
}

}  // namespace

NodeRef matrix_transpose(const NodeRef& a, const Location& where) {
  require_matrices(a, "matrix_transpose", where);
  std::vector<int64_t> axes;
  for (int i = 0; i < a->shape.rank; ++i) axes.push_back(i);
  std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
  return transpose(a, axes, where);
}

NodeRef matmul(const NodeRef& a, const NodeRef& b, const Location& where) {
  const Extents &left = shape_of(a, "matmul"), &right = shape_of(b, "matmul");
  const int inner = right.rank > 1 ? right.rank - 2 : 0;
  if (left.rank == 0 || right.rank == 0 || left[left.rank - 1] != right[inner])
    throw ShapeError("matmul: the shapes " + to_string(left) + " and " + to_string(right) +
                     " do not fit: the columns of the first are the rows of the second" +
                     at(where));
  if (right.rank <= 2) return inner_product(a, b, where);
  const Term rows{left.rank > 1 ? a : add_dimension(a, 0, 1, where), where};
  const Term product = with_axis(rows, rows.rank()) * with_axis({b, where}, right.rank - 2);
  const Term result = reduce(Reduction::sum, product, std::array{product.rank() - 2});
  return left.rank > 1 ? result.node : drop_dimension(result.node, result.rank() - 2, where);
}

NodeRef diagonal(const NodeRef& a, int64_t which, const Location& where) {
  require_matrices(a, "diagonal", where);
  const int rank = a->shape.rank;
  const int64_t rows = a->shape[rank - 2], columns = a->shape[rank - 1];
  if (which < -rows || which > columns)
    throw ShapeError("diagonal: number " + std::to_string(which) + " of matrices of the shape " +
                     to_string(a->shape) + at(where));
  const int64_t row = std::max<int64_t>(0, -which), column = std::max<int64_t>(0, which);
  Extents shape = a->shape;
  shape.rank = rank - 1;
  shape[rank - 2] = std::min(rows - row, columns - column);
  if (shape.size() == 0) return constant(ScalarValue{a->type, 0}, shape, where);
  std::vector<NodeRef> coordinates;
  for (int i = 0; i < rank - 1; ++i) coordinates.push_back(index(shape, i, where));
  const Term along{coordinates.back(), where};
  coordinates.back() = (along + static_cast<double>(row)).node;
  coordinates.push_back((along + static_cast<double>(column)).node);
  return gather(a, coordinates, Boundary::clamp(), 0, where);
}

namespace {

// The letters of each operand and of the result.
struct Subscripts {
  std::vector<std::string> operands;
  std::string result;
};

[[noreturn]] void refuse_subscripts(std::string_view text, const std::string& why,
                                    const Location& where) {
  throw ShapeError("einsum: \"" + std::string(text) + "\": " + why + at(where));
}

Subscripts parse_subscripts(std::string_view text, const Location& where) {
  Subscripts result;
  const size_t arrow = text.find("->");
  std::string_view left = text.substr(0, arrow);
  if (arrow == std::string_view::npos)
    refuse_subscripts(text, "it lacks the \"->\" in front of the result's letters", where);
  result.operands.emplace_back();
  for (const char c : left) {
    if (c == ',')
      result.operands.emplace_back();
    else if (c != ' ')
      result.operands.back() += c;
  }
  for (const char c : text.substr(arrow + 2))
    if (c != ' ') result.result += c;
  std::vector<std::string> all = result.operands;
  all.push_back(result.result);
  for (const std::string& part : all)
    for (const char c : part)
      if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')))
        refuse_subscripts(text, std::string("'") + c + "' is no letter", where);
  return result;
}

// Returns an operand with each of its letters once: repeated letters select diagonals.
Term without_repetitions(const Term& a, std::string& letters, std::string_view text) {
  std::string once;
  for (const char c : letters)
    if (once.find(c) == std::string::npos) once += c;
  if (once == letters) return a;
  Extents shape;
  for (const char c : once) {
    int64_t extent = -1;
    for (size_t i = 0; i < letters.size(); ++i) {
      if (letters[i] != c) continue;
      const int64_t here = a.shape()[static_cast<int>(i)];
      if (extent >= 0 && extent != here)
        refuse_subscripts(text, std::string("'") + c + "' has two extents", a.where);
      extent = here;
    }
    shape.push_back(extent);
  }
  std::vector<NodeRef> coordinates;
  for (const char c : letters)
    coordinates.push_back(index(shape, static_cast<int>(once.find(c)), a.where));
  letters = once;
  return {gather(a.node, coordinates, Boundary::constant(0), 0, a.where), a.where};
}

// Returns an operand with an axis for each of `letters`, in their order; missing ones have
// extent 1.
Term arranged(const Term& a, const std::string& own, const std::string& letters) {
  std::vector<int64_t> axes;
  for (const char c : letters)
    if (const size_t found = own.find(c); found != std::string::npos)
      axes.push_back(static_cast<int64_t>(found));
  Term result = axes.empty() ? a : Term{transpose(a.node, axes, a.where), a.where};
  for (size_t i = 0; i < letters.size(); ++i)
    if (own.find(letters[i]) == std::string::npos) result = with_axis(result, static_cast<int>(i));
  return result;
}

// Returns the inner product, if all common letters of the two operands are summed over.
std::optional<Term> as_inner_product(const Term& a, const std::string& left, const Term& b,
                                     const std::string& right, const std::string& result) {
  std::string common, rows, columns;
  for (const char c : left) (right.find(c) != std::string::npos ? common : rows) += c;
  for (const char c : right)
    if (common.find(c) == std::string::npos) columns += c;
  if (common.empty() || a.type() == ElementType::b8) return std::nullopt;
  for (const char c : common)
    if (result.find(c) != std::string::npos) return std::nullopt;
  if (rows + columns != result && columns + rows != result) return std::nullopt;
  if (common.size() != 1) return std::nullopt;  // several axes would have to be joined in memory
  const bool exchanged = rows + columns != result;
  const Term first =
      exchanged ? arranged(b, right, columns + common) : arranged(a, left, rows + common);
  const Term second =
      exchanged ? arranged(a, left, common + rows) : arranged(b, right, common + columns);
  return Term{inner_product(first.node, second.node, a.where), a.where};
}

}  // namespace

NodeRef einsum(std::string_view text, std::span<const NodeRef> operands, int rank,
               const Location& where) {
  Subscripts names = parse_subscripts(text, where);
  if (names.operands.size() != operands.size())
    refuse_subscripts(text, std::to_string(operands.size()) + " arrays were given", where);
  if (static_cast<int>(names.result.size()) != rank)
    refuse_subscripts(text,
                      "the result has " + std::to_string(names.result.size()) + " letters, not " +
                          std::to_string(rank),
                      where);
  std::map<char, int64_t> extents;
  std::vector<Term> arrays;
  for (size_t i = 0; i < operands.size(); ++i) {
    std::string& letters = names.operands[i];
    const Extents& shape = shape_of(operands[i], "einsum");
    if (static_cast<int>(letters.size()) != shape.rank)
      refuse_subscripts(text, "operand " + std::to_string(i) + " has the shape " + to_string(shape),
                        where);
    if (operands[i]->type != operands[0]->type)
      throw TypeError(std::string("einsum: arrays of ") + name(operands[0]->type) + " and " +
                      name(operands[i]->type) + "; convert with cast<T>()" + at(where));
    arrays.push_back(without_repetitions({operands[i], where}, letters, text));
    for (size_t k = 0; k < letters.size(); ++k) {
      const int64_t extent = arrays[i].shape()[static_cast<int>(k)];
      if (const auto [known, is_new] = extents.try_emplace(letters[k], extent);
          !is_new && known->second != extent)
        refuse_subscripts(text,
                          std::string("'") + letters[k] + "' is " + std::to_string(known->second) +
                              " and " + std::to_string(extent),
                          where);
    }
  }
  std::string all = names.result, summed;
  for (size_t i = 0; i < all.size(); ++i)
    if (!extents.contains(all[i]) || all.find(all[i]) != i)
      refuse_subscripts(
          text,
          std::string("the letter '") + all[i] + "' of the result is twice there or in no operand",
          where);
  for (const auto& [letter, extent] : extents)
    if (all.find(letter) == std::string::npos) summed += letter;
  all += summed;
  if (all.size() > static_cast<size_t>(max_rank))
    refuse_subscripts(text, "there are more than 8 different letters", where);
  if (arrays.size() == 2)
    if (const auto product = as_inner_product(arrays[0], names.operands[0], arrays[1],
                                              names.operands[1], names.result))
      return product->node;
  Term product = arranged(arrays[0], names.operands[0], all);
  for (size_t i = 1; i < arrays.size(); ++i)
    product = product * arranged(arrays[i], names.operands[i], all);
  std::vector<int> axes;
  for (size_t i = names.result.size(); i < all.size(); ++i) axes.push_back(static_cast<int>(i));
  return reduce(Reduction::sum, product, axes).node;
}

}  // namespace tutti::detail
