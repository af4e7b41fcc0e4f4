// The syntax tree. Operators are applications of built-in names, so that what comes after the
// parser knows few forms. The type checker writes into `definition` what a name refers to.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nesl/syntax/source.hpp"

namespace tutti::nesl {

struct Definition;
struct Expr;
struct Pattern;
struct TypeExpr;
using ExprRef = std::shared_ptr<Expr>;
using PatternRef = std::shared_ptr<Pattern>;
using TypeExprRef = std::shared_ptr<TypeExpr>;

struct TypeExpr {
  enum class Kind { name, sequence, pair, arrow, apply };
  Kind kind;
  Span span;
  std::string name;  // name, apply
  TypeExprRef a, b;  // sequence: a; pair and arrow: a, b; apply: the argument a
};

struct ClassBound {
  std::string variable;
  std::string type_class;
  Span span;
};

struct TypeDeclaration {
  TypeExprRef type;
  std::vector<ClassBound> context;
};

struct Pattern {
  enum class Kind { variable, pair, record, defaulted };
  Kind kind;
  Span span;
  std::string name;                        // variable, record, defaulted
  PatternRef left, right;                  // pair; a record has its fields in left
  ExprRef value;                           // defaulted
  std::shared_ptr<Definition> definition;  // record: the constructor
};

struct Binding {
  PatternRef pattern;
  ExprRef value;
};

struct Expr {
  enum class Kind {
    integer,
    floating,
    boolean,
    character,
    string,
    name,       // text
    builtin,    // text; means the built-in function whatever the user has called by that name
    apply,      // a(b)
    pair,       // a, b
    condition,  // if a then b else c
    let,        // bindings, body a
    lambda,     // pattern => a
    sequence,   // elements
    empty,      // [] type
    each,       // body a (none: the first pattern), bindings, filter b (or none)
    time,       // time(a)
    keyword     // text := a, in an argument tuple
  };
  Kind kind;
  Span span;
  int integer = 0;  // also booleans and characters
  double floating = 0;
  std::string text;
  ExprRef a, b, c;
  std::vector<ExprRef> elements;
  std::vector<Binding> bindings;
  PatternRef pattern;
  TypeExprRef type;
  bool serial = false;  // each: {* ...}
  std::shared_ptr<Definition> definition;
};

ExprRef make_expr(Expr::Kind kind, Span span);
ExprRef make_name(std::string name, Span span);
ExprRef make_builtin(std::string name, Span span);
ExprRef make_apply(ExprRef function, ExprRef argument);
ExprRef make_pair(ExprRef a, ExprRef b);

// A top-level form.
struct Form {
  enum class Kind { function, declaration, datatype, assignment, expression, command };
  Kind kind;
  Span span;
  std::string name;  // function, datatype, command
  PatternRef pattern;
  TypeDeclaration type;     // of a function (may be absent) or of a datatype
  std::string description;  // a function's documentation string
  ExprRef body;             // function, assignment, expression; the argument of load
  std::string words;        // the text of a command after its name
  std::string assignment;   // "=", "|=" or "&="
  std::vector<std::pair<std::string, ExprRef>> options;  // name := value
};

}  // namespace tutti::nesl
