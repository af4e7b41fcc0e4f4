# Writes OUTPUT, a C++ file with the texts of FILES as string literals.
set(entries "")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" text)
  string(APPEND entries "      {\"${name}\", R\"nesl_text(${text})nesl_text\"},\n")
endforeach()
file(WRITE "${OUTPUT}"
"// Made from src/nesl/library.
#include \"nesl/library/builtins.hpp\"

namespace tutti::nesl {

const std::vector<std::pair<std::string_view, std::string_view>>& library_texts() {
  static const std::vector<std::pair<std::string_view, std::string_view>> texts = {
${entries}  };
  return texts;
}

}  // namespace tutti::nesl
")
