#include "core/process/build_id.hpp"

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>

namespace tutti {
namespace {

struct Search {
  uintptr_t code;  // an address in the file that is searched for
  std::string id;
};

bool contains(const dl_phdr_info& file, uintptr_t address) {
  for (int i = 0; i < file.dlpi_phnum; ++i) {
    const ElfW(Phdr) & part = file.dlpi_phdr[i];
    const uintptr_t begin = file.dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && address >= begin && address < begin + part.p_memsz) return true;
  }
  return false;
}

// Notes are consecutive: a header, a name and a content, both padded to four bytes.
std::string id_among(const char* notes, size_t bytes) {
  const auto padded = [](size_t n) { return (n + 3) / 4 * 4; };
  for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= bytes;) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes + at, sizeof note);
    const char* name = notes + at + sizeof note;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !std::memcmp(name, "GNU", 4))
      return {name + padded(note.n_namesz), note.n_descsz};
    at += sizeof note + padded(note.n_namesz) + padded(note.n_descsz);
  }
  return {};
}

int look_at(dl_phdr_info* file, size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  if (!contains(*file, search.code)) return 0;
  for (int i = 0; i < file->dlpi_phnum && search.id.empty(); ++i) {
    const ElfW(Phdr) & part = file->dlpi_phdr[i];
    if (part.p_type == PT_NOTE)
      search.id =
          id_among(reinterpret_cast<const char*>(file->dlpi_addr + part.p_vaddr), part.p_memsz);
  }
  return 1;
}

}  // namespace

const std::string& build_id() {
  static const std::string id = [] {
    Search search{reinterpret_cast<uintptr_t>(&look_at), {}};
    dl_iterate_phdr(look_at, &search);
    return search.id;
  }();
  return id;
}

}  // namespace tutti
