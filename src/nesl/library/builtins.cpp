#include "nesl/library/builtins.hpp"

#include <limits>
#include <numbers>
#include <tuple>

#include "nesl/errors.hpp"
#include "nesl/io/files.hpp"
#include "nesl/library/primitive.hpp"
#include "nesl/syntax/form_reader.hpp"
#include "nesl/values/stored_value.hpp"

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

// Numbers of the graphics, from the original.
void define_graphics_constants(Environment& environment) {
  static constexpr std::pair<const char*, int> colours[] = {
      {"w_black", 0},  {"w_white", 63},       {"w_red", 3},         {"w_blue", 12},
      {"w_green", 48}, {"w_cyan", 60},        {"w_yellow", 51},     {"w_magenta", 15},
      {"w_pink", 43},  {"w_light_green", 58}, {"w_light_blue", 44}, {"w_purple", 9},
      {"w_gray", 42},  {"w_dark_gray", 21},   {"w_orange", 35},     {"w_xor", 64}};
  static constexpr std::pair<const char*, int> operations[] = {
      {"xps_func_clear", 0}, {"xps_func_and", 1},          {"xps_func_and_reverse", 2},
      {"xps_func_copy", 3},  {"xps_func_and_inverted", 4}, {"xps_func_noop", 5},
      {"xps_func_xor", 6},   {"xps_func_or", 7},           {"xps_func_set", 15}};
  static constexpr std::pair<const char*, int> events[] = {{"xps_event_key_press", 2},
                                                           {"xps_event_key_release", 3},
                                                           {"xps_event_button_press", 4},
                                                           {"xps_event_button_release", 5},
                                                           {"xps_event_motion_notify", 6}};
  static constexpr std::pair<const char*, int> masks[] = {
      {"xps_event_mask_no_event", 0},
      {"xps_event_mask_key_press", 1},
      {"xps_event_mask_key_release", 2},
      {"xps_event_mask_button_press", 4},
      {"xps_event_mask_button_release", 8},
      {"xps_event_mask_enter_window", 16},
      {"xps_event_mask_leave_window", 32},
      {"xps_event_mask_pointer_motion", 64},
      {"xps_event_mask_pointer_motion_hint", 128},
      {"xps_event_mask_button1_motion", 256},
      {"xps_event_mask_button2_motion", 512},
      {"xps_event_mask_button3_motion", 1024}};
  const auto define = [&](const auto& table, const char* description) {
    for (const auto& [name, value] : table)
      define_constant(environment, name, value, mono::integer(), int_type(), description, false);
  };
  define(colours, "A colour of windows.");
  define(operations, "How a graphic context combines its colour with what is there.");
  define(events, "A kind of event.");
  define(masks, "Which events are wanted.");
}

void define_graphics_places(Environment& environment) {
  const auto pair = [](Mono a, Mono b) { return mono::pair(a, b); };
  const Mono number = mono::integer(), point = pair(number, number);
  const TypeRef number_type = int_type(), point_type = pair_of(number_type, number_type);
  const Value place(Value(Value(500), Value(0)), Value(Value(500), Value(500)));
  define_constant(environment, "default_window", place, pair(point, point),
                  pair_of(point_type, point_type), "A place and size for a window.", false);
  static constexpr std::tuple<const char*, int, int, int> colours[] = {
      {"xps_color_red", 1, 0, 0},  {"xps_color_blue", 0, 1, 0},   {"xps_color_green", 0, 0, 1},
      {"xps_color_cyan", 0, 1, 1}, {"xps_color_yellow", 1, 0, 1}, {"xps_color_purple", 1, 1, 0}};
  constexpr int full = 65535;
  for (const auto& [name, red, blue, green] : colours)
    define_constant(environment, name,
                    Value(Value(red * full), Value(Value(blue * full), Value(green * full))),
                    pair(number, point), pair_of(number_type, point_type),
                    "Red, blue and green of a colour.", false);
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

// One for all sessions: types that are made of it are kept for the life of the process.
static const DatatypeRef& stream_type() {
  static const DatatypeRef instance = [] {
    auto type = std::make_shared<Datatype>();
    type->name = "stream";
    type->fields = int_type();
    return type;
  }();
  return instance;
}

void define_builtins(Environment& environment) {
  const DatatypeRef& stream = stream_type();
  define_constructor(environment, stream, true);
  define_primitives(environment);
  define_constants(environment, stream);
  define_graphics_constants(environment);
  define_graphics_places(environment);
  for (const auto& [name, text] : library_texts()) {
    auto source = std::make_shared<Source>(Source{std::string(name), std::string(text), true});
    FormReader reader(source);
    while (auto form = reader.next()) define_library_form(environment, *form, source);
  }
}

}  // namespace tutti::nesl
