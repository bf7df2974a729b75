// Reads files with nothing linked but the formats and the vocabulary: both need GMP alone.

#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>

#include "frontends/formats/format.h"

/// Reads each file and writes it as SMT-LIB; reading that again must give the same.
int main(int argc, char** argv) {
  try {
    for (int i = 1; i < argc; ++i) {
      std::ostringstream text;
      text << std::ifstream(argv[i]).rdbuf();
      const wmi::Script script = wmi::frontends::read({argv[i], text.str()});
      const std::string written = wmi::frontends::write_smtlib(script);
      if (wmi::frontends::read({"written", written}, "smtlib") == script) continue;
      std::cout << argv[i] << " changes when it is written and read again:\n" << written;
      return 1;
    }
  } catch (const std::exception& error) {
    std::cout << error.what() << '\n';
    return 1;
  }
  return 0;
}
