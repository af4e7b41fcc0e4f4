#include "nesl/library/primitive.hpp"

#include "nesl/syntax/parser.hpp"

namespace tutti::nesl {
namespace {

// `([a], int) -> a` takes two arguments.
int arity_of(const TypeRef& function) {
  int arity = 1;
  for (TypeRef at = resolve(resolve(function)->a); at->kind == Type::Kind::pair;
       at = resolve(at->b))
    ++arity;
  return arity;
}

}  // namespace

void parse_primitive_type(Primitive& primitive, const Environment& environment) {
  const Source source{"", primitive.type};
  Parser parser(source);
  primitive.scheme = declared_type(parser.type_declaration(), environment);
  primitive.arity = arity_of(primitive.scheme);
}

std::vector<Primitive> all_primitives() {
  std::vector<Primitive> all;
  for (const auto& family :
       {scalar_primitives(), scan_primitives(), sequence_primitives(), reordering_primitives(),
        nesting_primitives(), sorting_primitives(), any_type_primitives(), text_primitives(),
        output_primitives(), file_primitives(), process_primitives(), picture_primitives()})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

}  // namespace tutti::nesl
