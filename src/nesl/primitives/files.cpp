// Streams and whole files. Functions on streams give an error status (bool, [char]): t and "" when
// all went well, f and a message otherwise.
#include <cerrno>
#include <cstring>

#include "nesl/primitives/checks.hpp"
#include "nesl/primitives/object_text.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;

Value status(const std::string& error) { return Value(Value(error.empty()), Value::text(error)); }

Value open(const Call& c, const char* mode) {
  std::string error;
  const int stream = c.machine.files().open(c[0].text(), mode, error);
  return Value(Value(stream), status(error));
}
Value open_in(const Call& c) { return open(c, "r"); }
Value open_out(const Call& c) { return open(c, "w"); }
Value open_append(const Call& c) { return open(c, "a"); }

Value close(const Call& c) {
  std::string error;
  c.machine.files().close(c[0].integer(), error);
  return status(error);
}

constexpr const char* end_of_file = "end of file";

Value read_char(const Call& c) {
  std::string error;
  std::FILE* file = c.machine.files().find(c[0].integer(), error);
  const int read = file ? std::fgetc(file) : EOF;
  if (file && read == EOF) error = end_of_file;
  return Value(Value(static_cast<unsigned char>(read == EOF ? 0 : read)), status(error));
}

struct Piece {
  std::string text;
  int ended_by = EOF;  // the delimiter, EOF, or no_delimiter when enough has been read
  std::string error;
};
constexpr int no_delimiter = -2;

// Characters up to a delimiter, which is taken and not kept, or up to a number of them.
Piece read_piece(const Call& c, int stream, const std::string& delimiters, int most) {
  Piece piece;
  std::FILE* file = c.machine.files().find(stream, piece.error);
  if (!file) return piece;
  for (;;) {
    if (most >= 0 && static_cast<int>(piece.text.size()) == most) {
      piece.ended_by = no_delimiter;
      return piece;
    }
    const int read = std::fgetc(file);
    if (read == EOF || delimiters.find(static_cast<char>(read)) != std::string::npos) {
      piece.ended_by = read;
      return piece;
    }
    piece.text += static_cast<char>(read);
  }
}

Value read_string(const Call& c) {
  const std::string delimiters = c[0].text();
  const Piece piece = read_piece(c, c[2].integer(), delimiters, c[1].integer());
  int ended = -2;  // end of file
  if (piece.ended_by == no_delimiter) ended = -1;
  if (piece.ended_by >= 0)
    ended = static_cast<int>(delimiters.find(static_cast<char>(piece.ended_by)));
  return Value(Value(Value::text(piece.text), Value(ended)), status(piece.error));
}

Value read_line(const Call& c) {
  const Piece piece = read_piece(c, c[0].integer(), "\n", -1);
  return Value(Value(Value::text(piece.text), Value(piece.ended_by == EOF)), status(piece.error));
}

Value read_word(const Call& c) {
  const Piece piece = read_piece(c, c[0].integer(), " \t\n", -1);
  const bool over = piece.ended_by == EOF;
  const Value delimiter(static_cast<unsigned char>(over ? 0 : piece.ended_by));
  return Value(Value(Value::text(piece.text), Value(delimiter, Value(over))), status(piece.error));
}

std::string rest_of(std::FILE* file) {
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, n);
  return text;
}

Value write_text(const Call& c, const std::string& text, int stream) {
  if (stream == Files::standard_out) {
    c.machine.end_of_trial();
    c.machine.print(text);
    return status("");
  }
  std::string error;
  std::FILE* file = c.machine.files().find(stream, error);
  if (file && std::fwrite(text.data(), 1, text.size(), file) != text.size())
    error = std::strerror(errno);
  if (file) std::fflush(file);
  return status(error);
}

Value write_char(const Call& c) {
  return write_text(c, std::string(1, static_cast<char>(c[0].character())), c[1].integer());
}
Value write_string(const Call& c) { return write_text(c, c[0].text(), c[1].integer()); }
Value write_object(const Call& c) {
  return write_text(c, object_text(c[0], c.types[0]) + "\n", c[1].integer());
}

// One object is taken from the stream; what follows it stays.
Value read_one_object(const Call& c) {
  std::string error;
  std::FILE* file = c.machine.files().find(c[1].integer(), error);
  if (!file) return Value(c[0], status(error));
  const long begin = std::ftell(file);
  const std::string text = rest_of(file);
  std::size_t position = 0;
  try {
    Value object = read_object(text, position, c.types[0]);
    if (begin >= 0) std::fseek(file, begin + static_cast<long>(position), SEEK_SET);
    return Value(std::move(object), status(""));
  } catch (const RuntimeError& wrong) {
    return Value(c[0], status(wrong.what()));
  }
}

// ---- whole files: errors stop the program

std::string contents_of(const Call& c, const std::string& name) {
  std::string error;
  Files& files = c.machine.files();
  const int stream = files.open(name, "r", error);
  if (stream == Files::null_stream) throw RuntimeError("cannot read " + error);
  std::string text = rest_of(files.find(stream, error));
  files.close(stream, error);
  return text;
}

Value store(const Call& c, const std::string& text, const std::string& name, const char* mode) {
  std::string error;
  Files& files = c.machine.files();
  const int stream = files.open(name, mode, error);
  if (stream == Files::null_stream) throw RuntimeError("cannot write " + error);
  const bool all =
      std::fwrite(text.data(), 1, text.size(), files.find(stream, error)) == text.size();
  const bool closed = files.close(stream, error);
  if (!all || !closed) throw RuntimeError("cannot write " + name);
  return true;
}

Value read_string_from_file(const Call& c) { return Value::text(contents_of(c, c[0].text())); }
Value write_string_to_file(const Call& c) { return store(c, c[0].text(), c[1].text(), "w"); }
Value append_string_to_file(const Call& c) { return store(c, c[0].text(), c[1].text(), "a"); }
Value write_object_to_file(const Call& c) {
  return store(c, object_text(c[0], c.types[0]) + "\n", c[1].text(), "w");
}

Value object_from_file(const Call& c, const std::string& name, Mono type) {
  std::size_t position = 0;
  return read_object(contents_of(c, name), position, type);
}
Value read_object_from_file(const Call& c) { return object_from_file(c, c[1].text(), c.result); }
Value read_seq_from_file(const Call& c) { return object_from_file(c, c[0].text(), c.result); }

}  // namespace

std::vector<Primitive> file_primitives() {
  constexpr Effect serial = Effect::serial;
  return {
      {"open_in_file", "[char] -> (stream, (bool, [char]))", open_in, "Opens a file to read.",
       serial},
      {"open_out_file", "[char] -> (stream, (bool, [char]))", open_out,
       "Opens a file to write, empty.", serial},
      {"open_append_file", "[char] -> (stream, (bool, [char]))", open_append,
       "Opens a file to write at its end.", serial},
      {"close_file", "stream -> (bool, [char])", close, "Closes a stream.", serial},
      {"read_char", "stream -> (char, (bool, [char]))", read_char, "Reads a character.", serial},
      {"read_string", "([char], int, stream) -> (([char], int), (bool, [char]))", read_string,
       "read_string(d, n, s): reads up to a character of d, or n characters (n < 0: any number). "
       "With the string comes which delimiter ended it: its position in d, -1 for the number, -2 "
       "for the end of the file.",
       serial},
      {"read_line", "stream -> (([char], bool), (bool, [char]))", read_line,
       "Reads a line, without its end; with it comes whether the file ended.", serial},
      {"read_word", "stream -> (([char], (char, bool)), (bool, [char]))", read_word,
       "Reads up to white space; with it come the white space and whether the file ended.", serial},
      {"read_object", "(a, stream) -> (a, (bool, [char]))", read_one_object,
       "Reads an object of the type of the first argument.", serial},
      {"write_char", "(char, stream) -> (bool, [char])", write_char, "Writes a character.",
       Effect::output},
      {"write_string", "([char], stream) -> (bool, [char])", write_string, "Writes a string.",
       Effect::output},
      {"write_object", "(a, stream) -> (bool, [char])", write_object, "Writes an object.", serial},
      {"read_string_from_file", "[char] -> [char]", read_string_from_file,
       "The contents of a file.", serial},
      {"write_string_to_file", "([char], [char]) -> bool", write_string_to_file,
       "write_string_to_file(s, name): makes a file that holds s.", serial},
      {"append_string_to_file", "([char], [char]) -> bool", append_string_to_file,
       "append_string_to_file(s, name): puts s at the end of a file.", serial},
      {"read_object_from_file", "(a, [char]) -> a", read_object_from_file,
       "read_object_from_file(v, name): the object in a file, of the type of v.", serial},
      {"write_object_to_file", "(a, [char]) -> bool", write_object_to_file,
       "write_object_to_file(v, name): makes a file that holds v.", serial},
      {"read_int_seq_from_file", "[char] -> [int]", read_seq_from_file,
       "The ints of a file, in parentheses and separated by white space.", serial},
      {"read_float_seq_from_file", "[char] -> [float]", read_seq_from_file,
       "The floats of a file, in parentheses and separated by white space.", serial},
  };
}

}  // namespace tutti::nesl
