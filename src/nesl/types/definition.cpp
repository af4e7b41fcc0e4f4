#include "nesl/types/definition.hpp"

#include <algorithm>

#include "nesl/errors.hpp"

namespace tutti::nesl {
namespace {

class TypeReader {
 public:
  TypeReader(const Environment& environment, const std::vector<ClassBound>& context)
      : environment_(environment) {
    for (const ClassBound& bound : context) {
      const TypeClass type_class = class_named(bound.type_class);
      if (!type_class)
        throw ProgramError(bound.span, bound.type_class +
                                           " is no type class: number, logical, "
                                           "ordinal, scalar and any are");
      variable(bound.variable)->type_class = type_class;
    }
  }

  TypeRef read(const TypeExprRef& type) {
    switch (type->kind) {
      case TypeExpr::Kind::sequence:
        return sequence_of(read(type->a));
      case TypeExpr::Kind::pair: {
        TypeRef a = read(type->a);
        return pair_of(a, read(type->b));
      }
      case TypeExpr::Kind::arrow: {
        TypeRef a = read(type->a);
        return function_from(a, read(type->b));
      }
      case TypeExpr::Kind::apply:
        return applied(*type);
      case TypeExpr::Kind::name:
        return named(*type);
    }
    return nullptr;
  }

  const std::vector<TypeRef>& variables() const { return order_; }

 private:
  TypeRef variable(const std::string& name) {
    TypeRef& its = variables_[name];
    if (!its) {
      its = fresh_variable(classes::any, true);
      order_.push_back(its);
    }
    return its;
  }

  TypeRef named(const TypeExpr& type) {
    if (type.name == "int") return int_type();
    if (type.name == "float") return float_type();
    if (type.name == "bool") return bool_type();
    if (type.name == "char") return char_type();
    if (DatatypeRef datatype = environment_.find_datatype(type.name)) {
      if (!datatype->parameters.empty())
        throw ProgramError(type.span, "the datatype " + type.name + " needs its type arguments");
      return record_of(datatype, {});
    }
    return variable(type.name);
  }

  TypeRef applied(const TypeExpr& type) {
    DatatypeRef datatype = environment_.find_datatype(type.name);
    if (!datatype) throw ProgramError(type.span, "there is no datatype " + type.name);
    std::vector<TypeRef> arguments;
    TypeExprRef at = type.a;
    while (at->kind == TypeExpr::Kind::pair && arguments.size() + 1 < datatype->parameters.size()) {
      arguments.push_back(read(at->a));
      at = at->b;
    }
    arguments.push_back(read(at));
    // stream(int) is written with its field although it has no parameters.
    if (datatype->parameters.empty()) return record_of(datatype, {});
    if (arguments.size() != datatype->parameters.size())
      throw ProgramError(type.span, "the datatype " + type.name + " takes " +
                                        std::to_string(datatype->parameters.size()) +
                                        " type arguments");
    return record_of(datatype, std::move(arguments));
  }

  const Environment& environment_;
  std::map<std::string, TypeRef> variables_;
  std::vector<TypeRef> order_;
};

bool mentions(const TypeExprRef& type, const std::string& name) {
  if (!type) return false;
  if (type->name == name) return true;
  return mentions(type->a, name) || mentions(type->b, name);
}

}  // namespace

DefinitionRef current(const DefinitionRef& definition) {
  DefinitionRef at = definition;
  while (at->replaced_by) at = at->replaced_by;
  return at;
}

DefinitionRef Environment::find(const std::string& name) const {
  if (DefinitionRef own = find_own(name)) return own;
  if (DefinitionRef builtin = find_builtin(name)) return builtin;
  if (define_missing) define_missing(name);
  return find_own(name);
}

DefinitionRef Environment::find_own(const std::string& name) const {
  const auto at = own_.find(name);
  return at == own_.end() ? nullptr : at->second;
}

DefinitionRef Environment::find_builtin(const std::string& name) const {
  const auto at = builtin_.find(name);
  return at == builtin_.end() ? nullptr : at->second;
}

DatatypeRef Environment::find_datatype(const std::string& name) const {
  const auto at = datatypes_.find(name);
  return at == datatypes_.end() ? nullptr : at->second;
}

void Environment::define(DefinitionRef definition) {
  const std::string name = definition->name;
  own_[name] = std::move(definition);
}

void Environment::define_builtin(DefinitionRef definition) {
  const std::string name = definition->name;
  builtin_[name] = std::move(definition);
}

void Environment::define_datatype(DatatypeRef datatype) {
  const std::string name = datatype->name;
  datatypes_[name] = std::move(datatype);
}

void Environment::for_each(const std::function<void(const Definition&)>& visit) const {
  std::map<std::string, DefinitionRef> all = builtin_;
  for (const auto& [name, definition] : own_) all[name] = definition;
  for (const auto& [name, definition] : all) visit(*definition);
}

TypeRef declared_type(const TypeDeclaration& declaration, const Environment& environment) {
  return TypeReader(environment, declaration.context).read(declaration.type);
}

TypeRef closed_type(const TypeExprRef& type, const Environment& environment) {
  TypeReader reader(environment, {});
  TypeRef result = reader.read(type);
  if (!reader.variables().empty())
    throw ProgramError(type->span,
                       "the type of an empty sequence must be known, and there is no "
                       "such type here");
  return result;
}

DatatypeRef declared_datatype(const std::string& name, const TypeDeclaration& declaration,
                              const Environment& environment) {
  if (mentions(declaration.type, name))
    throw ProgramError(declaration.type->span,
                       "the datatype " + name + " is recursive, which the language does not have");
  TypeReader reader(environment, declaration.context);
  auto datatype = std::make_shared<Datatype>();
  datatype->name = name;
  datatype->fields = reader.read(declaration.type);
  datatype->parameters = reader.variables();
  return datatype;
}

}  // namespace tutti::nesl
