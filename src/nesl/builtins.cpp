#include "nesl/builtins.hpp"

#include <limits>
#include <numbers>

#include "nesl/errors.hpp"
#include "nesl/files.hpp"
#include "nesl/form_reader.hpp"
#include "nesl/primitive.hpp"
#include "nesl/stored_value.hpp"

namespace tutti::nesl {
namespace {

DefinitionRef make(Definition::Kind kind, std::string name, TypeRef type, std::string description) {
  auto definition = std::make_shared<Definition>();
  definition->kind = kind;
  definition->name = std::move(name);
  definition->type = std::move(type);
  definition->description = std::move(description);
  definition->library = true;
  definition->fixed = true;
  return definition;
}

void define_constant(Environment& environment, const char* name, Value value, Mono type,
                     TypeRef shown, const char* description, bool fixed = true) {
  DefinitionRef definition = make(Definition::Kind::value, name, std::move(shown), description);
  definition->fixed = fixed;
  definition->value = std::make_shared<StoredValue>(StoredValue(type, std::move(value)));
  environment.define_builtin(std::move(definition));
}

void define_constructor(Environment& environment, const DatatypeRef& datatype, bool fixed) {
  environment.define_datatype(datatype);
  DefinitionRef constructor =
      make(Definition::Kind::constructor, datatype->name,
           function_from(datatype->fields, record_of(datatype, datatype->parameters)),
           "The constructor of a datatype.");
  constructor->datatype = datatype;
  constructor->fixed = fixed;
  environment.define_builtin(std::move(constructor));
}

void define_primitives(Environment& environment) {
  static std::vector<Primitive> table = all_primitives();
  for (Primitive& primitive : table) {
    parse_primitive_type(primitive, environment);
    DefinitionRef definition =
        make(Definition::Kind::primitive, primitive.name, primitive.scheme, primitive.description);
    definition->primitive = &primitive;
    definition->fixed = primitive.fixed;
    environment.define_builtin(std::move(definition));
  }
}

void define_constants(Environment& environment, const DatatypeRef& stream) {
  const auto number = [&](const char* name, int value, const char* description) {
    define_constant(environment, name, value, mono::integer(), int_type(), description);
  };
  const auto character = [&](const char* name, unsigned char value, const char* description) {
    define_constant(environment, name, value, mono::character(), char_type(), description);
  };
  const auto stream_constant = [&](const char* name, int value, const char* description) {
    define_constant(environment, name, value, mono::record(stream, {}), record_of(stream, {}),
                    description);
  };
  define_constant(environment, "pi", rounded(std::numbers::pi, mono::floating()), mono::floating(),
                  float_type(), "3.14159...");
  number("max_int", std::numeric_limits<int>::max(), "The greatest int.");
  number("min_int", std::numeric_limits<int>::min(), "The least int.");
  character("newline", '\n', "The character that ends a line.");
  character("space", ' ', "The space.");
  character("tab", '\t', "The tabulator.");
  const auto text_variable = [&](const char* name, const char* description) {
    define_constant(environment, name, Value::text(""), mono::sequence(mono::character()),
                    sequence_of(char_type()), description, false);
  };
  text_variable("user", "The name of the user, from the environment; \"\" under --no-io.");
  text_variable("display", "The X display, from the environment; \"\" under --no-io.");
  text_variable("nesl_path",
                "The folder of a distribution of NESL, from the environment; \"\" if not set.");
  stream_constant("nullstr", Files::null_stream, "No stream.");
  stream_constant("stdin", Files::standard_in, "Standard input.");
  stream_constant("stdout", Files::standard_out, "Standard output.");
  stream_constant("stderr", Files::standard_error, "Standard error.");
}

void define_library_form(Environment& environment, const Form& form, const SourceRef& source) {
  if (form.kind == Form::Kind::datatype) {
    define_constructor(environment, declared_datatype(form.name, form.type, environment), false);
    return;
  }
  if (form.kind != Form::Kind::function || !form.type.type)
    throw InternalError("the library has a form that is no function with a type: " + form.name);
  DefinitionRef definition = make(Definition::Kind::function, form.name,
                                  declared_type(form.type, environment), form.description);
  definition->parameter = form.pattern;
  definition->body = form.body;
  definition->source = source;
  definition->fixed = false;
  environment.define_builtin(std::move(definition));
}

}  // namespace

void define_builtins(Environment& environment) {
  auto stream = std::make_shared<Datatype>();
  stream->name = "stream";
  stream->fields = int_type();
  define_constructor(environment, stream, true);
  define_primitives(environment);
  define_constants(environment, stream);
  for (const auto& [name, text] : library_texts()) {
    auto source = std::make_shared<Source>(Source{std::string(name), std::string(text), true});
    FormReader reader(source);
    while (auto form = reader.next()) define_library_form(environment, *form, source);
  }
}

}  // namespace tutti::nesl
