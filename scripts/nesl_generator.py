"""Makes up NESL programs: typed expressions, functions, datatypes, and calls of library functions.

A type is a word, ("seq", element), ("pair", a, b) or ("data", name). An expression is a tuple:
("leaf", type, text), ("pair", type, a, b) or ("apply", type, template, parts...), whose template has
a % for each part. A program is definitions and an expression. Numbers stay small, so that nothing
overflows; recursions end after a few calls.
"""

import re

SCALARS = ["int", "float", "bool", "char"]
ELEMENTS = ["int", "float", "char", "bool", ("seq", "int"), ("seq", "char"), ("pair", "int", "float")]
RESULTS = ["int", "float", "bool", "char", ("seq", "int"), ("seq", "float"), ("seq", "char"),
           ("seq", "bool"), ("seq", ("seq", "int")), ("seq", ("seq", "char")),
           ("seq", ("seq", ("seq", "int"))), ("pair", "int", ("seq", "bool")),
           ("seq", ("pair", "int", "float")), ("pair", ("pair", "int", "char"), "float")]


def in_words(type_):
    if isinstance(type_, str):
        return type_
    if type_[0] == "seq":
        return "[" + in_words(type_[1]) + "]"
    if type_[0] == "data":
        return type_[1]
    return "(" + in_words(type_[1]) + ", " + in_words(type_[2]) + ")"


def text_of(expr):
    if expr[0] == "leaf":
        return expr[2]
    if expr[0] == "pair":
        return "(" + text_of(expr[2]) + ", " + text_of(expr[3]) + ")"
    pieces = expr[2].split("%")
    result = pieces[0]
    for part, piece in zip(expr[3:], pieces[1:]):
        inner = text_of(part)
        result += (inner if part[0] == "leaf" and " " not in inner else "(" + inner + ")") + piece
    return result


class Function:
    """A definition: the text around its body, a template with one %, and what callers need."""

    def __init__(self, name, head, parameters, result, body):
        self.name, self.head, self.body = name, head, body
        self.parameters, self.result = parameters, result

    def text(self):
        return self.head.replace("%", text_of(self.body)) if self.body else self.head


class Program:
    """Definitions, in order, and an expression."""

    def __init__(self, definitions, expr):
        self.definitions, self.expr = definitions, expr

    def forms(self):
        return [definition.text() for definition in self.definitions] + [text_of(self.expr)]

    def text(self):
        return ";\n".join(self.forms())

    def smaller(self, generator):
        """Programs with a part less, or with a smaller part."""
        for i in range(len(self.definitions)):
            yield Program(self.definitions[:i] + self.definitions[i + 1:], self.expr)
        for expr in smaller(self.expr, generator):
            yield Program(self.definitions, expr)
        for i, definition in enumerate(self.definitions):
            for body in smaller(definition.body, generator) if definition.body else ():
                changed = Function(definition.name, definition.head, definition.parameters,
                                   definition.result, body)
                yield Program(self.definitions[:i] + [changed] + self.definitions[i + 1:],
                              self.expr)


def smaller(expr, generator):
    """Expressions of the same type that are smaller: parts of it, or with a part replaced."""
    if expr[0] == "leaf":
        return
    if expr[1]:  # not the type of a library call, which is not known
        yield generator.leaf(expr[1])
    first = 3 if expr[0] == "apply" else 2
    for part in expr[first:]:
        if part[1] == expr[1]:
            yield part
    for i in range(first, len(expr)):
        for replacement in smaller(expr[i], generator):
            yield expr[:i] + (replacement,) + expr[i + 1:]


class Generator:
    """Makes expressions of a given type; `scope` has the names and types of variables."""

    def __init__(self, rng):
        self.rng = rng
        self.names = 0
        self.functions = []   # of the program that is being made
        self.datatypes = {}   # the same
        self.fields = {}      # of all datatypes

    def name(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    # ---- expressions

    def leaf(self, type_, scope=()):
        rng = self.rng
        variables = [name for name, its in scope if its == type_]
        if variables and rng.random() < 0.7:
            return ("leaf", type_, rng.choice(variables))
        if type_ == "int":
            return ("leaf", type_, str(rng.choice([0, 1, 2, 3, 5, 7, 10])))
        if type_ == "float":
            return ("leaf", type_, rng.choice(["0.0", "1.0", "0.5", "2.5", "10.0", "1.0e-4", "2e7"]))
        if type_ == "bool":
            return ("leaf", type_, rng.choice("tf"))
        if type_ == "char":
            return ("leaf", type_, "`" + rng.choice("abcxyz019"))
        if type_[0] == "data":
            parts = [text_of(self.leaf(part, scope)) for part in self.fields[type_[1]]]
            return ("leaf", type_, f"{type_[1]}({', '.join(parts)})")
        if type_ == ("seq", "char") and rng.random() < 0.7:
            return ("leaf", type_, '"' + rng.choice(["", "a", "ab c", "zyx", "hello, you"]) + '"')
        if type_[0] == "seq":
            elements = [text_of(self.leaf(type_[1], scope)) for _ in range(rng.choice([0, 1, 2, 4]))]
            if elements:
                return ("leaf", type_, "[" + ", ".join(elements) + "]")
            return ("leaf", type_, '""' if type_[1] == "char" else "[] " + in_words(type_[1]))
        return ("pair", type_, self.leaf(type_[1], scope), self.leaf(type_[2], scope))

    def make(self, type_, depth, scope=()):
        if depth <= 0:
            return self.leaf(type_, scope)
        roll = self.rng.random()
        if roll < 0.22:
            return self.binder(type_, depth, scope)
        if roll < 0.34 and self.functions:
            call = self.call(type_, depth, scope)
            if call:
                return call
        if type_[0] == "data":
            return self.record(type_, depth, scope)
        form, parts = self.rng.choice(self.operations(type_))
        return self.applied(type_, form, [self.make(part, depth - 1, scope) for part in parts])

    @staticmethod
    def applied(type_, form, parts):
        return ("apply", type_, form) + tuple(parts)

    def record(self, type_, depth, scope):
        fields = self.fields[type_[1]]
        parts = [self.make(part, depth - 1, scope) for part in fields]
        return self.applied(type_, f"{type_[1]}({', '.join('%' for _ in fields)})", parts)

    def call(self, type_, depth, scope):
        fitting = [f for f in self.functions if f.result == type_]
        if not fitting:
            return None
        function = self.rng.choice(fitting)
        parts = [self.make(part, depth - 1, scope) for part in function.parameters]
        return self.applied(type_, f"{function.name}({', '.join('%' for _ in parts)})", parts)

    def some_type(self):
        types = RESULTS + [("data", name) for name in self.datatypes]
        return self.rng.choice(types)

    def binder(self, type_, depth, scope):
        """A let or an apply-to-each, whose body sees what it binds."""
        rng = self.rng
        inner = lambda type_, *more: self.make(type_, depth - 1, tuple(scope) + more)
        records = [name for name in self.datatypes]
        if type_[0] == "seq" and rng.random() < 0.6:
            return self.each(type_, depth, scope)
        kind = rng.randrange(4 if records else 3)
        if kind == 0:
            v, its = self.name("v"), self.some_type()
            return self.applied(type_, f"let {v} = % in %", [inner(its), inner(type_, (v, its))])
        if kind == 1:
            a, b, its = self.name("a"), self.name("b"), self.some_type()
            pair = ("pair", "int", its)
            return self.applied(type_, f"let ({a}, {b}) = % in %",
                                [inner(pair), inner(type_, (a, "int"), (b, its))])
        if kind == 2:
            v, w, its = self.name("v"), self.name("w"), rng.choice(SCALARS)
            return self.applied(type_, f"let {v} = %; {w} = [%, {v}] in %",
                                [inner(its), inner(its, (v, its)),
                                 inner(type_, (v, its), (w, ("seq", its)))])
        name = rng.choice(records)
        fields = [(self.name("d"), its) for its in self.datatypes[name]]
        pattern = ", ".join(field for field, _ in fields)
        return self.applied(type_, f"let {name}({pattern}) = % in %",
                            [inner(("data", name)), inner(type_, *fields)])

    def each(self, type_, depth, scope):
        rng, element = self.rng, type_[1]
        inner = lambda type_, *more: self.make(type_, depth - 1, tuple(scope) + more)
        v, its = self.name("v"), rng.choice(ELEMENTS)
        kind = rng.randrange(6)
        if kind == 0:
            return self.applied(type_, f"{{% : {v} in %}}",
                                [inner(element, (v, its)), inner(("seq", its))])
        if kind == 1:
            return self.applied(type_, f"{{% : {v} in % | %}}",
                                [inner(element, (v, its)), inner(("seq", its)),
                                 inner("bool", (v, its))])
        if kind == 2:
            return self.applied(type_, f"{{{v} in % | %}}",
                                [inner(type_), inner("bool", (v, element))])
        s, w = self.name("s"), self.name("w")
        if kind == 3:
            return self.applied(type_, f"let {s} = % in {{% : {v} in {s}; {w} in reverse({s})}}",
                                [inner(("seq", its)), inner(element, (v, its), (w, its))])
        if kind == 4:
            return self.applied(type_, f"{{% : ({v}, {w}) in %}}",
                                [inner(element, (v, "int"), (w, "float")),
                                 inner(("seq", ("pair", "int", "float")))])
        return self.applied(type_, f"let {s} = % in {{% : {v} in {s}; {w} in [0:#{s}]}}",
                            [inner(("seq", its)), inner(element, (v, its), (w, "int"))])

    def operations(self, type_):
        """Templates with the types of their holes."""
        seq = ("seq", type_)
        common = [
            ("if % then % else %", ["bool", type_, type_]),
            ("select(%, %, %)", ["bool", type_, type_]),
            ("first(%, %)", [type_, "int"]),
            ("(% ++ [%])[0]", [seq, type_]),
            ("rotate(% ++ [%], %)[0]", [seq, type_, "int"]),
        ]
        if self.rng.random() < 0.04:  # may be an error
            common += [("%[%]", [seq, "int"]), ("elt(%, rem(%, 3))", [seq, "int"])]
        return common + self.own_operations(type_)

    def own_operations(self, type_):
        if type_ in ("int", "float"):
            return self.number_operations(type_)
        if type_ == "bool":
            scalar = self.rng.choice(["int", "float", "char"])
            other = self.rng.choice(["int", ("seq", "int"), ("seq", "char"), ("seq", ("seq", "char"))])
            return [(f"(% {op} %)", [scalar, scalar]) for op in ("==", "/=", "<", ">=", "<=", ">")] + [
                ("eql(%, %)", [other, other]), ("not(%)", ["bool"]), ("(% or %)", ["bool", "bool"]),
                ("(% and %)", ["bool", "bool"]), ("any(%)", [("seq", "bool")]),
                ("all(%)", [("seq", "bool")]), ("alphanumericp(%)", ["char"]),
                ("(% xor %)", ["bool", "bool"]), ("zerop(%)", ["int"]), ("plusp(%)", ["float"])]
        if type_ == "char":
            return [("code_char(97 + rem(abs(%), 20))", ["int"]), ("lowercase(%)", ["char"]),
                    ("uppercase(%)", ["char"])]
        if type_[0] == "pair":
            return [("(%, %)", [type_[1], type_[2]])]
        return self.sequence_operations(type_)

    def number_operations(self, type_):
        result = [(f"(% {op} %)", [type_, type_]) for op in "+-"]
        result += [("max(%, %)", [type_, type_]), ("min(%, %)", [type_, type_]),
                   ("abs(%)", [type_]), ("(-%)", [type_]), ("sum(%)", [("seq", type_)]),
                   ("max_val(% ++ [%])", [("seq", type_), type_])]
        if type_ == "float":
            return result + [("float(%)", ["int"]), ("(% * 0.5)", ["float"]),
                             ("(% / 3.0)", ["float"]), ("sqrt(abs(%))", ["float"])]
        some = self.rng.choice(["int", "float", "char", "bool"])
        if self.rng.random() < 0.04:  # may be an error
            result += [("(% / %)", ["int", "int"]), ("rem(%, %)", ["int", "int"])]
        return result + [
            ("#%", [("seq", some)]), ("rem(%, 7)", ["int"]), ("mod(%, 7)", ["int"]),
            ("(% / 3)", ["int"]), ("rem(% * %, 100)", ["int", "int"]),
            ("trunc(%)", ["float"]), ("round(%)", ["float"]), ("ceil(%)", ["float"]),
            ("floor(%)", ["float"]), ("char_code(%)", ["char"]), ("count(%)", [("seq", "bool")]),
            ("btoi(%)", ["bool"]), ("find(%, %)", [some, ("seq", some)]),
            ("max_index(% ++ [1])", [("seq", "int")]), ("min_index(% ++ [1])", [("seq", "int")]),
            ("#@%", ["int"])]

    def sequence_operations(self, type_):
        element = type_[1]
        other = self.rng.choice(["int", "char", ("seq", "int")])
        result = [
            ("(% ++ %)", [type_, type_]), ("reverse(%)", [type_]), ("[%, %]", [element, element]),
            ("dist(%, rem(abs(%), 4))", [element, "int"]), ("rotate(%, %)", [type_, "int"]),
            ("take(% ++ [%], 1)", [type_, element]), ("drop(% ++ [%], 1)", [type_, element]),
            ("flatten(%)", [("seq", type_)]), ("bottop(%)[0]", [type_]),
            ("{if % then v else % : v in %}", ["bool", element, type_]),
            ("remove_duplicates(%)", [type_]), ("odd_elts(% ++ [%, %])", [type_, element, element]),
            ("even_elts(% ++ [%, %])", [type_, element, element]),
            ("permute([%, %], [1, 0])", [element, element]),
            ("[%, %, %] <- [(1, %)]", [element, element, element, element]),
            ("[%, %] -> [1, 0, 1]", [element, element]), ("pack(zip([%, %], [%, %]))",
                                                          [element, element, "bool", "bool"])]
        if self.rng.random() < 0.04:  # may be an error
            result += [("% -> %", [type_, ("seq", "int")]), ("take(%, %)", [type_, "int"]),
                       ("{v : v in %; w in %}", [type_, ("seq", other)])]
        if element in ("int", "float"):
            result += [("plus_scan(%)", [type_]), ("max_scan(% ++ [%])", [type_, element])]
        if element == "int":
            result += [("[0:rem(abs(%), 6)]", ["int"]), ("[%:10:3]", ["int"]), ("rank(%)", [type_]),
                       ("sort(%)", [type_]), ("pack_index(%)", [("seq", "bool")]),
                       ("{#v : v in %}", [("seq", type_)]), ("{sum(v) : v in %}", [("seq", type_)])]
        if element == "char":
            result += [("@%", [self.some_type()]), ("{lowercase(v) : v in %}", [type_])]
        if element == ("seq", "char"):
            result += [("wordify(%)", [("seq", "char")]), ("linify(%)", [("seq", "char")])]
        if isinstance(element, tuple) and element[0] == "seq":
            result += [("[%]", [element]), ("{take(v ++ [%], 1) : v in %}", [element[1], type_])]
        return result

    # ---- programs

    def program(self):
        """Up to three definitions, and an expression that is likely to use them."""
        self.functions, self.datatypes = [], {}
        definitions = []
        if self.rng.random() < 0.4:
            definitions.append(self.datatype())
        for _ in range(self.rng.randrange(4)):
            function = self.function()
            definitions.append(function)
            self.functions.append(function)
        type_ = self.some_type()
        expr = self.make(type_, 4)
        if type_[0] == "data":  # at its top level the original evaluates no arguments of a record
            expr = self.applied(type_, "first(%, 0)", [expr])
        return Program(definitions, expr)

    def datatype(self):
        name = self.name("rec")
        fields = [self.rng.choice(["int", "float", "char", ("seq", "int"), ("seq", "char")])
                  for _ in range(self.rng.choice([1, 2, 3]))]
        self.datatypes[name] = self.fields[name] = fields
        words = ", ".join(in_words(field) for field in fields)
        return Function(name, f"datatype {name}({words})", fields, ("data", name), None)

    def function(self):
        kind = self.rng.choice([self.plain, self.plain, self.loop, self.halves, self.nested,
                                self.generic, self.higher])
        return kind()

    def plain(self):
        name = self.name("fun")
        parameters = [(self.name("p"), self.some_type()) for _ in range(self.rng.choice([1, 2, 3]))]
        result = self.some_type()
        names = ", ".join(p for p, _ in parameters)
        types = ", ".join(in_words(its) for _, its in parameters)
        if len(parameters) > 1:
            types = f"({types})"
        typed = f" : {types} -> {in_words(result)}" if self.rng.random() < 0.5 else ""
        return Function(name, f"function {name}({names}){typed} = %", [its for _, its in parameters],
                        result, self.make(result, 3, parameters))

    def loop(self):
        """A recursion at the end of its function."""
        name, n, a, its = self.name("loop"), self.name("n"), self.name("a"), self.some_type()
        body = self.make(its, 2, ((n, "int"), (a, its)))
        words = in_words(its)
        return Function(name, f"function {name}({n}, {a}) : (int, {words}) -> {words} = "
                              f"if {n} <= 0 then {a} else {name}(rem({n}, 5) - 1, %)",
                        ["int", its], its, body)

    def halves(self):
        name, s = self.name("halves"), self.name("s")
        element, result = self.rng.choice(ELEMENTS), self.some_type()
        x, y = self.name("x"), self.name("y")
        base = text_of(self.make(result, 1, ((s, ("seq", element)),)))
        body = self.make(result, 2, ((x, result), (y, result)))
        return Function(name, f"function {name}({s}) : [{in_words(element)}] -> {in_words(result)} = "
                              f"if #{s} <= 1 then {base} else "
                              f"let {x} = {name}(take({s}, #{s}/2)); {y} = {name}(drop({s}, #{s}/2)) "
                              "in %", [("seq", element)], result, body)

    def nested(self):
        """A recursion inside of an apply-to-each."""
        name, n, r = self.name("nest"), self.name("n"), self.name("r")
        its = self.rng.choice(["int", "float", "bool", ("seq", "int"), ("seq", "char")])
        base = text_of(self.make(its, 1, ((n, "int"),)))
        body = self.make(its, 2, ((n, "int"), (r, ("seq", its))))
        return Function(name, f"function {name}({n}) : int -> {in_words(its)} = "
                              f"if {n} <= 0 then {base} else let {r} = "
                              f"{{{name}(i) : i in [0:rem({n}, 4)]}} in %", ["int"], its, body)

    def generic(self):
        name = self.name("poly")
        its, other = self.some_type(), self.some_type()
        text, result = self.rng.choice([
            ("(y, x)", ("pair", other, its)), ("[x, x]", ("seq", its)),
            ("dist(x, 2) ++ [x]", ("seq", its)), ("{(x, v) : v in [y, y]}",
                                                  ("seq", ("pair", its, other))),
            ("let (a, b) = (y, [x]) in b", ("seq", its))])
        return Function(name, f"function {name}(x, y) = {text}", [its, other], result, None)

    def higher(self):
        """A function that is given a function of the program, or of the library."""
        name = self.name("high")
        own = [f for f in self.functions if len(f.parameters) == 1]
        if own and self.rng.random() < 0.7:
            function = self.rng.choice(own)
            given, its, result = function.name, function.parameters[0], function.result
        else:
            given, its, result = self.rng.choice(
                [("abs", "int", "int"), ("float", "int", "float"), ("trunc", "float", "int"),
                 ("lowercase", "char", "char"), ("sum", ("seq", "int"), "int")])
        text = f"function {name}_of(g, s) = {{g(x) : x in s}};\n"
        return Function(name, f"{text}function {name}(s) = {name}_of({given}, s)", [("seq", its)],
                        ("seq", result), None)


# ---- types of library functions, read from their text

def parse_type(text, variables):
    """The first type in `text`; None for what cannot be made up."""
    tokens = re.findall(r"[A-Za-z_]\w*|->|::|[\[\](),;]", text)

    def atom(at):
        token = tokens[at]
        if token == "[":
            inner, at = pair(at + 1)
            return ("seq", inner) if inner else None, at + 1
        if token == "(":
            inner, at = pair(at + 1)
            return inner, at + 1
        if token in SCALARS:
            return token, at + 1
        if token in variables:
            return variables[token], at + 1
        return None, at + 1

    def pair(at):
        left, at = atom(at)
        if at < len(tokens) and tokens[at] == ",":
            right, at = pair(at + 1)
            return (("pair", left, right) if left and right else None), at
        return left, at

    return pair(0)[0]


def argument_types(signature, rng):
    """Makes up types for the variables of a signature, then gives its argument type."""
    if signature.count("->") != 1:
        return None
    classes = {"number": ["int", "float"], "logical": ["int", "bool"],
               "ordinal": ["int", "float", "char"], "scalar": SCALARS,
               "any": ["int", "float", "bool", "char", ("seq", "int"), ("seq", "char")]}
    variables = {name: rng.choice(classes[its])
                 for name, its in re.findall(r"(\w+) in (\w+)", signature)}
    return parse_type(signature.split("->")[0].strip(), variables)
