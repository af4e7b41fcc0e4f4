#include "nesl/types/mono_type.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <tuple>

#include "nesl/eval/precision.hpp"
#include "nesl/types/forget_types.hpp"
#include "nesl/types/type_work.hpp"

namespace tutti::nesl {
namespace {

using Key = std::tuple<MonoType::Kind, Mono, Mono, const Datatype*, std::vector<Mono>,
                       const FunctionIdentity*, bool>;

struct Types {
  std::mutex mutex;
  std::map<Key, std::unique_ptr<MonoType>> table;
  std::map<DatatypeRef, const Specialiser*> owners;
};

// Never destroyed: sessions may end after static objects.
Types& types() {
  static Types& all = *new Types;
  return all;
}

Mono intern(MonoType type) {
  const auto inherit = [&](Mono part) {
    if (part && part->specialiser) type.specialiser = part->specialiser;
  };
  inherit(type.a);
  inherit(type.b);
  std::for_each(type.arguments.begin(), type.arguments.end(), inherit);
  Types& all = types();
  const std::lock_guard lock(all.mutex);
  if (type.datatype)
    if (const auto owner = all.owners.find(type.datatype); owner != all.owners.end())
      type.specialiser = owner->second;
  Key key{type.kind,      type.a,        type.b,     type.datatype.get(),
          type.arguments, type.function, type.single};
  auto its = all.table.find(key);
  if (its == all.table.end())
    its = all.table.emplace(std::move(key), std::make_unique<MonoType>(std::move(type))).first;
  return its->second.get();
}

Mono scalar(MonoType::Kind kind, bool single = false) {
  MonoType type;
  type.kind = kind;
  type.single = single;
  return intern(std::move(type));
}

}  // namespace

namespace mono {

Mono integer() {
  static const Mono type = scalar(MonoType::Kind::integer);
  return type;
}
Mono floating() {
  static const Mono full = scalar(MonoType::Kind::floating);
  static const Mono single = scalar(MonoType::Kind::floating, true);
  return precision() == Precision::single ? single : full;
}
Mono boolean() {
  static const Mono type = scalar(MonoType::Kind::boolean);
  return type;
}
Mono character() {
  static const Mono type = scalar(MonoType::Kind::character);
  return type;
}

Mono sequence(Mono element) {
  MonoType type;
  type.kind = MonoType::Kind::sequence;
  type.a = element;
  return intern(std::move(type));
}

Mono pair(Mono a, Mono b) {
  MonoType type;
  type.kind = MonoType::Kind::pair;
  type.a = a;
  type.b = b;
  return intern(std::move(type));
}

Mono record(const DatatypeRef& datatype, std::vector<Mono> arguments) {
  MonoBindings bindings;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    bindings[datatype->parameters[i].get()] = arguments[i];
  MonoType type;
  type.kind = MonoType::Kind::record;
  type.a = build(datatype->fields, bindings);
  type.datatype = datatype;
  type.arguments = std::move(arguments);
  return intern(std::move(type));
}

Mono function(const FunctionIdentity* identity, Mono captured, const Specialiser& specialiser) {
  MonoType type;
  type.kind = MonoType::Kind::function;
  type.a = captured;
  type.function = identity;
  type.specialiser = &specialiser;
  return intern(std::move(type));
}

void own(const DatatypeRef& datatype, const Specialiser& specialiser) {
  Types& all = types();
  const std::lock_guard lock(all.mutex);
  all.owners[datatype] = &specialiser;
}

void forget(const Specialiser* specialiser) noexcept {
  forget_others(specialiser, {});
  Types& all = types();
  const std::lock_guard lock(all.mutex);
  std::erase_if(all.owners, [&](const auto& entry) { return entry.second == specialiser; });
}

void forget_others(const Specialiser* specialiser, const std::set<Mono>& kept) noexcept {
  Types& all = types();
  const std::lock_guard lock(all.mutex);
  std::erase_if(all.table, [&](const auto& entry) {
    return entry.second->specialiser == specialiser && !kept.contains(entry.second.get());
  });
  // Types of a datatype without other references cannot be made any longer.
  std::erase_if(all.owners, [&](const auto& entry) {
    return entry.second == specialiser && entry.first.use_count() == 1;
  });
}

std::size_t count() {
  Types& all = types();
  const std::lock_guard lock(all.mutex);
  return all.table.size();
}

namespace {

Mono find_representation(Mono type) {
  switch (type->kind) {
    case MonoType::Kind::sequence:
      return sequence(representation(type->a));
    case MonoType::Kind::pair:
      return pair(representation(type->a), representation(type->b));
    case MonoType::Kind::record:
      return representation(type->a);
    case MonoType::Kind::function:
      return type->a ? representation(type->a) : integer();
    default:
      return type;
  }
}

}  // namespace

// Evaluators ask for it all the time, on several threads.
Mono representation(Mono type) {
  const std::atomic_ref known(type->representation);
  if (Mono found = known.load(std::memory_order_acquire)) return found;
  const Mono found = find_representation(type);
  known.store(found, std::memory_order_release);
  return found;
}

}  // namespace mono

bool match(const TypeRef& general, Mono type, MonoBindings& bindings) {
  note_type_work();
  const TypeRef at = resolve(general);
  switch (at->kind) {
    case Type::Kind::variable: {
      const auto [its, is_new] = bindings.emplace(at.get(), type);
      return is_new || its->second == type;
    }
    case Type::Kind::integer:
      return type->kind == MonoType::Kind::integer;
    case Type::Kind::floating:
      return type->kind == MonoType::Kind::floating;
    case Type::Kind::boolean:
      return type->kind == MonoType::Kind::boolean;
    case Type::Kind::character:
      return type->kind == MonoType::Kind::character;
    case Type::Kind::sequence:
      return type->kind == MonoType::Kind::sequence && match(at->a, type->a, bindings);
    case Type::Kind::pair:
      return type->kind == MonoType::Kind::pair && match(at->a, type->a, bindings) &&
             match(at->b, type->b, bindings);
    case Type::Kind::function:
      return type->kind == MonoType::Kind::function;
    case Type::Kind::record:
      if (type->kind != MonoType::Kind::record || type->datatype != at->datatype) return false;
      for (std::size_t i = 0; i < at->arguments.size(); ++i)
        if (!match(at->arguments[i], type->arguments[i], bindings)) return false;
      return true;
  }
  return false;
}

Mono build(const TypeRef& general, const MonoBindings& bindings) {
  note_type_work();
  const TypeRef at = resolve(general);
  switch (at->kind) {
    case Type::Kind::variable: {
      const auto its = bindings.find(at.get());
      return its == bindings.end() ? nullptr : its->second;
    }
    case Type::Kind::integer:
      return mono::integer();
    case Type::Kind::floating:
      return mono::floating();
    case Type::Kind::boolean:
      return mono::boolean();
    case Type::Kind::character:
      return mono::character();
    case Type::Kind::sequence: {
      const Mono element = build(at->a, bindings);
      return element ? mono::sequence(element) : nullptr;
    }
    case Type::Kind::pair: {
      const Mono a = build(at->a, bindings), b = build(at->b, bindings);
      return a && b ? mono::pair(a, b) : nullptr;
    }
    case Type::Kind::function:
      return nullptr;
    case Type::Kind::record: {
      std::vector<Mono> arguments;
      for (const TypeRef& argument : at->arguments) {
        arguments.push_back(build(argument, bindings));
        if (!arguments.back()) return nullptr;
      }
      return mono::record(at->datatype, std::move(arguments));
    }
  }
  return nullptr;
}

TypeRef as_type(Mono type) {
  note_type_work();
  switch (type->kind) {
    case MonoType::Kind::integer:
      return int_type();
    case MonoType::Kind::floating:
      return float_type();
    case MonoType::Kind::boolean:
      return bool_type();
    case MonoType::Kind::character:
      return char_type();
    case MonoType::Kind::sequence:
      return sequence_of(as_type(type->a));
    case MonoType::Kind::pair:
      return pair_of(as_type(type->a), as_type(type->b));
    case MonoType::Kind::record: {
      std::vector<TypeRef> arguments;
      for (Mono argument : type->arguments) arguments.push_back(as_type(argument));
      return record_of(type->datatype, std::move(arguments));
    }
    case MonoType::Kind::function:
      return function_from(fresh_variable(), fresh_variable());
  }
  return nullptr;
}

std::string to_string(Mono type) { return to_string(as_type(type), false); }

}  // namespace tutti::nesl
