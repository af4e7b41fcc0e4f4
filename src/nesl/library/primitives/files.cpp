// Streams and whole files. Functions on streams give an error status (bool, [char]): t and "" when
// all went well, f and a message otherwise.
#include "nesl/library/primitives/checks.hpp"
#include "nesl/library/primitives/object_text.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;

Value status(const std::string& error) { return Value(Value(error.empty()), Value::text(error)); }

Value open(const Call& c, Files::Mode mode) {
  std::string error;
  const int stream = c.machine.files().open(c[0].text(), mode, error);
  return Value(Value(stream), status(error));
}
Value open_in(const Call& c) { return open(c, Files::Mode::read); }
Value open_out(const Call& c) { return open(c, Files::Mode::write); }
Value open_append(const Call& c) { return open(c, Files::Mode::append); }

Value close(const Call& c) {
  std::string error;
  c.machine.files().close(c[0].integer(), error);
  return status(error);
}

constexpr const char* end_of_file = "End of File.";

Value read_char(const Call& c) {
  std::string error;
  Stream* const stream = c.machine.files().find(c[0].integer(), error);
  const int read = stream ? stream->get(c.machine) : EOF;
  if (stream && read == EOF) error = stream->error().empty() ? end_of_file : stream->error();
  return Value(Value(static_cast<unsigned char>(read == EOF ? ' ' : read)), status(error));
}

// What ended a piece of text: the code of the delimiter, or one of these.
constexpr int by_end_of_file = -1, by_length = -2;
struct Piece {
  std::string text;
  int ended = by_end_of_file;
  std::string error;
};

// Characters up to a delimiter, which is taken and not kept, or up to a number of them.
Piece read_piece(const Call& c, int number, const std::string& delimiters, int most) {
  Piece piece;
  Stream* const stream = c.machine.files().find(number, piece.error);
  if (!stream) return piece;
  for (;;) {
    if (most >= 0 && static_cast<int>(piece.text.size()) == most) {
      piece.ended = by_length;
      return piece;
    }
    const int read = stream->get(c.machine);
    if (read == EOF) {
      piece.error = stream->error();
      return piece;
    }
    if (delimiters.find(static_cast<char>(read)) != std::string::npos) {
      piece.ended = read;
      return piece;
    }
    piece.text += static_cast<char>(read);
  }
}

Value read_string(const Call& c) {
  const Piece piece = read_piece(c, c[2].integer(), c[0].text(), c[1].integer());
  return Value(Value(Value::text(piece.text), Value(piece.ended)), status(piece.error));
}

Value read_line(const Call& c) {
  const Piece piece = read_piece(c, c[0].integer(), "\n", -1);
  const bool over = piece.ended == by_end_of_file;
  return Value(Value(Value::text(piece.text), Value(over)), status(piece.error));
}

Value read_word(const Call& c) {
  const Piece piece = read_piece(c, c[0].integer(), " \t\n", -1);
  const bool over = piece.ended == by_end_of_file;
  const Value delimiter(static_cast<unsigned char>(over ? ' ' : piece.ended));
  return Value(Value(Value::text(piece.text), Value(delimiter, Value(over))), status(piece.error));
}

Value write_text(const Call& c, const std::string& text, int number) {
  if (number == Files::standard_out) {
    c.machine.end_of_trial();
    c.machine.print(text);
    return status("");
  }
  std::string error;
  Stream* const stream = c.machine.files().find(number, error);
  if (stream && !stream->write(text, c.machine)) error = stream->error();
  return status(error);
}

Value write_char(const Call& c) {
  return write_text(c, std::string(1, static_cast<char>(c[0].character())), c[1].integer());
}
Value write_string(const Call& c) { return write_text(c, c[0].text(), c[1].integer()); }
Value write_object(const Call& c) {
  return write_text(c, object_text(c[0], c.types[0]), c[1].integer());
}

class FromStream : public ObjectSource {
 public:
  FromStream(Stream& stream, Machine& machine) : stream_(stream), machine_(machine) {}
  int peek() override { return stream_.peek(machine_); }
  int get() override { return stream_.get(machine_); }

 private:
  Stream& stream_;
  Machine& machine_;
};

// One object is taken from the stream; what follows it stays.
Value read_one_object(const Call& c) {
  std::string error;
  Stream* const stream = c.machine.files().find(c[1].integer(), error);
  if (!stream) return Value(identity_of(c.types[0]), status(error));
  FromStream source(*stream, c.machine);
  try {
    return Value(read_object(source, c.types[0]), status(""));
  } catch (const RuntimeError& wrong) {
    return Value(identity_of(c.types[0]), status(wrong.what()));
  }
}

// ---- whole files: errors are printed, and the result is an empty one

void report(const Call& c, const std::string& message) { c.machine.print(message + "\n"); }

// A file that is open while a primitive works with it.
class OpenFile {
 public:
  OpenFile(const Call& c, const std::string& name, Files::Mode mode) : call_(c) {
    std::string error;
    Files& files = c.machine.files();
    number_ = files.open(name, mode, error);
    if (number_ == Files::null_stream)
      report(c, error);
    else
      stream_ = files.find(number_, error);
  }
  ~OpenFile() { close(); }
  Stream* stream() const { return stream_; }  // null when it could not be opened
  bool close() {
    std::string error;
    const bool good = !stream_ || call_.machine.files().close(number_, error);
    if (!good) report(call_, "ERROR while trying to close a stream:\n" + error);
    stream_ = nullptr;
    return good;
  }

 private:
  const Call& call_;
  int number_ = Files::null_stream;
  Stream* stream_ = nullptr;
};

void report_reading(const Call& c, const std::string& error) {
  if (!error.empty()) report(c, "ERROR while trying to read from a stream:\n" + error);
}

Value read_string_from_file(const Call& c) {
  const OpenFile file(c, c[0].text(), Files::Mode::read);
  std::string text;
  if (!file.stream()) return Value::text(text);
  for (int read; (read = file.stream()->get(c.machine)) != EOF;) text += static_cast<char>(read);
  report_reading(c, file.stream()->error());
  return Value::text(text);
}

Value store(const Call& c, const std::string& text, const std::string& name, Files::Mode mode) {
  OpenFile file(c, name, mode);
  if (!file.stream()) return false;
  const bool written = file.stream()->write(text, c.machine);
  if (!written) report(c, "ERROR while trying to write to a stream:\n" + file.stream()->error());
  return file.close() && written;
}

Value write_string_to_file(const Call& c) {
  return store(c, c[0].text(), c[1].text(), Files::Mode::write);
}
Value append_string_to_file(const Call& c) {
  return store(c, c[0].text(), c[1].text(), Files::Mode::append);
}
Value write_object_to_file(const Call& c) {
  return store(c, object_text(c[0], c.types[0]), c[1].text(), Files::Mode::write);
}

Value object_from_file(const Call& c, const std::string& name, Mono type) {
  const OpenFile file(c, name, Files::Mode::read);
  if (!file.stream()) return identity_of(type);
  FromStream source(*file.stream(), c.machine);
  try {
    return read_object(source, type);
  } catch (const RuntimeError& wrong) {
    report_reading(c, wrong.what());
    return identity_of(type);
  }
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
       "With the string comes what ended it: the code of the delimiter, -1 for the end of the "
       "file, "
       "-2 for the number.",
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
       "The contents of a file; if it cannot be read, prints why and gives \"\".", serial},
      {"write_string_to_file", "([char], [char]) -> bool", write_string_to_file,
       "write_string_to_file(s, name): makes a file that holds s; f, and prints why, if it cannot.",
       serial},
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
