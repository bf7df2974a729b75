#include "tests/source_directory.h"

std::filesystem::path source_directory() { return WMI_SOURCE_DIR; }
