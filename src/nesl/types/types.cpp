#include "nesl/types/types.hpp"

#include <bit>
#include <set>

#include "nesl/types/type_work.hpp"

namespace tutti::nesl {
namespace {

TypeRef make(Type::Kind kind, TypeRef a = nullptr, TypeRef b = nullptr) {
  auto type = std::make_shared<Type>();
  type->kind = kind;
  type->a = std::move(a);
  type->b = std::move(b);
  return type;
}

TypeClass class_of(const Type& type) {
  switch (type.kind) {
    case Type::Kind::integer:
      return classes::of_int;
    case Type::Kind::floating:
      return classes::of_float;
    case Type::Kind::boolean:
      return classes::of_bool;
    case Type::Kind::character:
      return classes::of_char;
    case Type::Kind::variable:
      return type.type_class;
    default:
      return classes::of_structure;
  }
}

TypeRef only_member(TypeClass type_class) {
  switch (type_class) {
    case classes::of_int:
      return int_type();
    case classes::of_float:
      return float_type();
    case classes::of_bool:
      return bool_type();
    case classes::of_char:
      return char_type();
    default:
      return nullptr;
  }
}

bool occurs(const Type* variable, const TypeRef& in) {
  note_type_work();
  const TypeRef type = resolve(in);
  if (type.get() == variable) return true;
  if (type->a && occurs(variable, type->a)) return true;
  if (type->b && occurs(variable, type->b)) return true;
  for (const TypeRef& argument : type->arguments)
    if (occurs(variable, argument)) return true;
  return false;
}

bool bind(const TypeRef& variable, const TypeRef& type) {
  if (type->kind == Type::Kind::variable) {
    const TypeClass both = variable->type_class & type->type_class;
    if (!both) return false;
    variable->link = type;
    type->type_class = both;
    type->link = only_member(both);
    return true;
  }
  if (!(variable->type_class & class_of(*type)) || occurs(variable.get(), type)) return false;
  variable->link = type;
  return true;
}

// Rebuilds a type with each variable replaced by what `change` says.
template <class Change>
TypeRef rebuild(const TypeRef& original, const Change& change) {
  note_type_work();
  TypeRef type = resolve(original);
  if (type->kind == Type::Kind::variable) return change(type);
  if (!type->a && type->arguments.empty()) return type;
  TypeRef result = std::make_shared<Type>(*type);
  if (type->a) result->a = rebuild(type->a, change);
  if (type->b) result->b = rebuild(type->b, change);
  for (TypeRef& argument : result->arguments) argument = rebuild(argument, change);
  return result;
}

bool same(const TypeRef& left, const TypeRef& right, std::map<Type*, Type*>& names) {
  note_type_work();
  const TypeRef a = resolve(left), b = resolve(right);
  if (a->kind != b->kind) return false;
  if (a->kind == Type::Kind::variable) {
    const auto [at, is_new] = names.emplace(a.get(), b.get());
    if (is_new)
      for (const auto& [other, its] : names)
        if (other != a.get() && its == b.get()) return false;
    return at->second == b.get() && a->type_class == b->type_class;
  }
  if (a->datatype != b->datatype) return false;
  for (std::size_t i = 0; i < a->arguments.size(); ++i)
    if (!same(a->arguments[i], b->arguments[i], names)) return false;
  return (!a->a || same(a->a, b->a, names)) && (!a->b || same(a->b, b->b, names));
}

class Printer {
 public:
  std::string print(const TypeRef& type) { return tuple(type); }

  std::string context() const {
    if (order_.empty()) return "";
    std::string text = " :: (";
    for (std::size_t i = 0; i < order_.size(); ++i)
      text += (i ? "; " : "") + names_.at(order_[i]) + " in " + class_name(order_[i]->type_class);
    return text + ")";
  }

 private:
  // Without parentheses around a tuple.
  std::string tuple(const TypeRef& original) {
    const TypeRef type = resolve(original);
    if (type->kind != Type::Kind::pair) return single(type);
    const std::string left =
        resolve(type->a)->kind == Type::Kind::pair ? atom(type->a) : single(type->a);
    return left + ", " + tuple(type->b);
  }

  std::string atom(const TypeRef& original) {
    const TypeRef type = resolve(original);
    const bool composite = type->kind == Type::Kind::pair || type->kind == Type::Kind::function;
    return composite ? "(" + tuple(type) + ")" : single(type);
  }

  std::string single(const TypeRef& original) {
    note_type_work();
    const TypeRef type = resolve(original);
    switch (type->kind) {
      case Type::Kind::integer:
        return "int";
      case Type::Kind::floating:
        return "float";
      case Type::Kind::boolean:
        return "bool";
      case Type::Kind::character:
        return "char";
      case Type::Kind::sequence:
        return "[" +
               (resolve(type->a)->kind == Type::Kind::pair ? atom(type->a) : single(type->a)) + "]";
      case Type::Kind::pair:
        return "(" + tuple(type) + ")";
      case Type::Kind::function: {
        const std::string from = atom(type->a);
        const bool to_pair = resolve(type->b)->kind == Type::Kind::pair;
        return from + " -> " + (to_pair ? atom(type->b) : single(type->b));
      }
      case Type::Kind::record:
        return record(*type);
      case Type::Kind::variable:
        return variable(type.get());
    }
    return "";
  }

  std::string record(const Type& type) {
    std::string text = type.datatype->name;
    for (std::size_t i = 0; i < type.arguments.size(); ++i)
      text += (i ? ", " : "(") + atom(type.arguments[i]);
    return type.arguments.empty() ? text : text + ")";
  }

  std::string variable(const Type* type) {
    const auto [at, is_new] = names_.emplace(type, "");
    if (is_new) {
      const std::size_t n = order_.size();
      at->second = n < 5 ? std::string(1, static_cast<char>('a' + n)) : "A" + std::to_string(n - 5);
      order_.push_back(type);
    }
    return at->second;
  }

  std::map<const Type*, std::string> names_;
  std::vector<const Type*> order_;
};

}  // namespace

const char* class_name(TypeClass type_class) {
  switch (type_class) {
    case classes::number:
      return "number";
    case classes::logical:
      return "logical";
    case classes::ordinal:
      return "ordinal";
    case classes::scalar:
      return "scalar";
    default:
      return "any";
  }
}

TypeClass class_named(const std::string& name) {
  for (TypeClass c :
       {classes::number, classes::logical, classes::ordinal, classes::scalar, classes::any})
    if (name == class_name(c)) return c;
  return 0;
}

TypeRef int_type() {
  static const TypeRef type = make(Type::Kind::integer);
  return type;
}
TypeRef float_type() {
  static const TypeRef type = make(Type::Kind::floating);
  return type;
}
TypeRef bool_type() {
  static const TypeRef type = make(Type::Kind::boolean);
  return type;
}
TypeRef char_type() {
  static const TypeRef type = make(Type::Kind::character);
  return type;
}
TypeRef sequence_of(TypeRef element) { return make(Type::Kind::sequence, std::move(element)); }
TypeRef pair_of(TypeRef a, TypeRef b) { return make(Type::Kind::pair, std::move(a), std::move(b)); }
TypeRef function_from(TypeRef argument, TypeRef result) {
  return make(Type::Kind::function, std::move(argument), std::move(result));
}
TypeRef record_of(DatatypeRef datatype, std::vector<TypeRef> arguments) {
  TypeRef type = make(Type::Kind::record);
  type->datatype = std::move(datatype);
  type->arguments = std::move(arguments);
  return type;
}
TypeRef fresh_variable(TypeClass type_class, bool generic) {
  TypeRef type = make(Type::Kind::variable);
  type->type_class = type_class;
  type->generic = generic;
  return type;
}

TypeRef resolve(const TypeRef& type) {
  TypeRef at = type;
  while (at->link) at = at->link;
  return at;
}

bool unify(const TypeRef& left, const TypeRef& right) {
  note_type_work();
  const TypeRef a = resolve(left), b = resolve(right);
  if (a == b) return true;
  if (a->kind == Type::Kind::variable) return bind(a, b);
  if (b->kind == Type::Kind::variable) return bind(b, a);
  if (a->kind != b->kind || a->datatype != b->datatype) return false;
  for (std::size_t i = 0; i < a->arguments.size(); ++i)
    if (!unify(a->arguments[i], b->arguments[i])) return false;
  return (!a->a || unify(a->a, b->a)) && (!a->b || unify(a->b, b->b));
}

TypeRef instantiate(const TypeRef& type) {
  std::map<Type*, TypeRef> fresh;
  return rebuild(type, [&](const TypeRef& variable) {
    if (!variable->generic) return variable;
    TypeRef& its = fresh[variable.get()];
    if (!its) its = fresh_variable(variable->type_class);
    return its;
  });
}

TypeRef generalize(const TypeRef& type) {
  std::map<Type*, TypeRef> generics;
  return rebuild(type, [&](const TypeRef& variable) {
    TypeRef& its = generics[variable.get()];
    if (!its) its = fresh_variable(variable->type_class, true);
    return its;
  });
}

TypeRef substitute(const TypeRef& type, const std::map<Type*, TypeRef>& by) {
  return rebuild(type, [&](const TypeRef& variable) {
    const auto at = by.find(variable.get());
    return at == by.end() ? variable : at->second;
  });
}

bool same_type(const TypeRef& a, const TypeRef& b) {
  std::map<Type*, Type*> names;
  return same(a, b, names);
}

std::string to_string(const TypeRef& type, bool with_context) {
  Printer printer;
  std::string text = printer.print(type);
  return with_context ? text + printer.context() : text;
}

std::string to_string(const TypeRef& type) { return to_string(type, true); }

}  // namespace tutti::nesl
