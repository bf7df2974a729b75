#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "solver/terms/caps.h"

namespace wmi::frontends {

/// The limits of readers, besides those of `wmi::caps`.
namespace caps {

using wmi::caps::any;

inline constinit Cap file("file", std::size_t{256} << 20, any, "bytes of a file");
inline constinit Cap nesting("nesting", 10'000, 1'000'000,
                             "nested parentheses, or brackets of JSON");
inline constinit Cap exponent("exponent", 1'000'000, 1'000'000'000, "exponent of ^ of a number");
inline constinit Cap push("push", 10'000, 100'000'000, "levels of push");
inline constinit Cap distinct("distinct", 1'000, 100'000'000, "arguments of distinct");
inline constinit Cap macro_terms("macro-terms", 2'000'000, any, "terms that macros expand to");
inline constinit Cap macro_depth("macro-depth", 100'000, any, "macro calls and terms open at once");
inline constinit Cap states("states", 1'000'000, any,
                            "terms and variables of the states that queries see, after the first "
                            "state");
inline constinit Cap header("header", 10'000'000, any,
                            "bytes of the header of a safetensors file, or of a network's JSON");
inline constinit Cap tensors("tensors", 20'000'000, any,
                             "entries of the tensors of a file, or of an input");
inline constinit Cap fields("fields", 2'000'000, any,
                            "fields of an ONNX model: nodes, names, attributes, indices");
inline constinit Cap columns("columns", 20'000, 1'000'000'000, "columns of a table");
inline constinit Cap cells("cells", 20'000'000, any / 10,
                           "cells of a table; numbers that they become: ten times as many");
inline constinit Cap inputs("inputs", 20'000, 1'000'000'000,
                            "inputs of a network that a table's columns become");
inline constinit Cap words("words", 1'000, 1'000'000'000, "different words of a column");
inline constinit Cap unpacked("unpacked", std::size_t{1} << 30, any,
                              "bytes of a packed file, unpacked");

}  // namespace caps

/// Every cap, in the order of the table of docs/language.md.
std::span<Cap* const> all_caps();

/// Sets caps from a text such as `digits=20000,push=7`: all of them, or none if it throws Error.
void set_caps(std::string_view text);

}  // namespace wmi::frontends
