#include "frontends/networks/safetensors.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "frontends/common/caps.h"
#include "tests/frontends/reading.h"

using namespace wmi;
using namespace wmi::frontends;
using encoders::Tensor;

namespace {

std::string little_endian(std::uint64_t value, std::size_t bytes) {
  std::string result;
  for (std::size_t i = 0; i < bytes; ++i) result += static_cast<char>(value >> (8 * i));
  return result;
}

std::string file(const std::string& header, const std::string& data = "") {
  return little_endian(header.size(), 8) + header + data;
}

/// A file with one tensor `t`, a list of entries of this type.
std::string list_of(const std::string& type, std::size_t bytes,
                    const std::vector<std::uint64_t>& bits) {
  std::string data;
  for (const std::uint64_t entry : bits) data += little_endian(entry, bytes);
  return file(R"({"t":{"dtype":")" + type + R"(","shape":[)" + std::to_string(bits.size()) +
                  R"(],"data_offsets":[0,)" + std::to_string(data.size()) + "]}}",
              data);
}

std::vector<Rational> entries(const std::string& type, std::size_t bytes,
                              const std::vector<std::uint64_t>& bits) {
  return parse_safetensors(list_of(type, bytes, bits)).tensors.at("t").entries;
}

std::string refusal(const std::string& bytes) {
  return complaint([&] { parse_safetensors(bytes); });
}

/// 2^exponent.
Rational two(int exponent) {
  return exponent >= 0 ? power(Rational(2), static_cast<unsigned>(exponent))
                       : Rational(1 / power(Rational(2), static_cast<unsigned>(-exponent)));
}

const Safetensors example{{{"a", {{2, 2}, {1, ratio(-3, 4), 0, two(-149)}}},
                           {"b", {{}, {two(-1074)}}},
                           {"c", {{0, 3}, {}}},
                           {"d", {{3}, {Rational(Integer("9007199254740993")), 2, -3}}},
                           {"\"quoted\\\n\" \xc3\xa9", {{1}, {7}}}},
                          {{"network", "{\"input\": [3]}\n"}, {"format", "pt"}}};

}  // namespace

TEST_CASE("every entry is the exact value of its float") {
  CHECK(entries("F64", 8,
                {0x3ff0000000000000, 0x3fb999999999999a, 0x8000000000000000, 0x0000000000000001,
                 0x800fffffffffffff, 0x7fefffffffffffff}) ==
        std::vector<Rational>{1, ratio(Integer("3602879701896397"), Integer("36028797018963968")),
                              0, two(-1074), -(two(-1022) - two(-1074)), two(1024) - two(971)});
  CHECK(
      entries("F32", 4, {0x3f800000, 0x3dcccccd, 0x80000000, 0x00000001, 0x807fffff, 0x7f7fffff}) ==
      std::vector<Rational>{1, ratio(13421773, 134217728), 0, two(-149), -(two(-126) - two(-149)),
                            two(128) - two(104)});
  CHECK(entries("F16", 2, {0x3c00, 0x2e66, 0x8000, 0x0001, 0x83ff, 0x0400, 0x7bff, 0xc500}) ==
        std::vector<Rational>{1, ratio(1638, 16384), 0, two(-24), -(two(-14) - two(-24)), two(-14),
                              65504, -5});
  CHECK(entries("BF16", 2, {0x3f80, 0x3dcd, 0x8000, 0x0001, 0x807f, 0x7f7f, 0xc0a0}) ==
        std::vector<Rational>{1, ratio(205, 2048), 0, two(-133), -(two(-126) - two(-133)),
                              two(128) - two(120), -5});
  CHECK(entries("I64", 8, {0, 1, 0xffffffffffffffff, 0x7fffffffffffffff, 0x8000000000000000}) ==
        std::vector<Rational>{0, 1, -1, two(63) - 1, -two(63)});
  CHECK(entries("I32", 4, {1, 0xffffffff, 0x7fffffff, 0x80000000}) ==
        std::vector<Rational>{1, -1, two(31) - 1, -two(31)});
  CHECK(entries("U8", 1, {0, 1, 128, 255}) == std::vector<Rational>{0, 1, 128, 255});
  CHECK(entries("BOOL", 1, {0, 1}) == std::vector<Rational>{0, 1});
}

TEST_CASE("every 16-bit float is decoded exactly") {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    CAPTURE(bits);
    const int sign = bits & 0x8000 ? -1 : 1;
    const auto check = [&](const char* type, int width) {
      const int exponent = static_cast<int>(bits & 0x7fff) >> width;
      const int fraction = static_cast<int>(bits) & ((1 << width) - 1);
      const int most = (1 << (15 - width)) - 1, bias = most / 2;
      const std::string bytes = list_of(type, 2, {bits});
      if (exponent == most) {
        CHECK(refusal(bytes) == "tensor 't': entry [0] is not a finite number");
        return;
      }
      const Rational expected =
          exponent == 0 ? Rational(fraction * two(1 - bias - width))
                        : Rational(((1 << width) + fraction) * two(exponent - bias - width));
      CHECK(parse_safetensors(bytes).tensors.at("t").entries[0] == sign * expected);
    };
    if (bits % 7 != 0 && (bits & 0x3ff) > 2 && (bits & 0x3ff) < 0x3fd) continue;
    check("F16", 10);
    check("BF16", 7);
  }
}

TEST_CASE("doubles and floats are read exactly") {
  std::mt19937_64 random(5);
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t bits = random();
    const auto number = std::bit_cast<double>(bits);
    const auto shorter = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (std::isfinite(number)) CHECK(entries("F64", 8, {bits})[0] == Rational(number));
    if (std::isfinite(shorter)) CHECK(entries("F32", 4, {bits})[0] == Rational(shorter));
  }
}

TEST_CASE("a header may list tensors in any order, be padded, and hold words") {
  const Safetensors found = parse_safetensors(
      file("{\"b\":{\"shape\":[],\"data_offsets\":[4,5],\"dtype\":\"U8\"},\n \"__metadata__\": "
           "{\"x\": \"y\"}, \"a\":{\"dtype\":\"U8\",\"shape\":[2,2],\"data_offsets\":[0,4]}}   ",
           "\1\2\3\4\5"));
  CHECK(found.tensors.at("a") == Tensor<Rational>({2, 2}, {1, 2, 3, 4}));
  CHECK(found.tensors.at("b") == Tensor<Rational>({}, {5}));
  CHECK(found.metadata.at("x") == "y");
  CHECK(parse_safetensors(file("{}")) == Safetensors{});
}

TEST_CASE("a written file is read back") {
  CHECK(parse_safetensors(to_bytes(example)) == example);
  CHECK(parse_safetensors(to_bytes({})) == Safetensors{});
  std::mt19937_64 random(6);
  for (int i = 0; i < 200; ++i) {
    Safetensors some;
    for (std::size_t t = 0; t < random() % 4; ++t) {
      Tensor<Rational> tensor({random() % 3, random() % 3 + 1}, {});
      const int kind = static_cast<int>(random() % 3);
      while (tensor.size() < tensor.shape[0] * tensor.shape[1]) {
        const auto number = std::bit_cast<double>(random());
        const auto shorter = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        if (kind == 0 && std::isfinite(number)) tensor.entries.emplace_back(number);
        if (kind == 1 && std::isfinite(shorter)) tensor.entries.emplace_back(shorter);
        if (kind == 2) tensor.entries.emplace_back(static_cast<long>(random()));
      }
      some.tensors["t" + std::to_string(t)] = tensor;
    }
    CHECK(parse_safetensors(to_bytes(some)) == some);
  }
}

TEST_CASE("numbers that no type represents are not written") {
  CHECK(complaint([] {
          to_bytes({{{"t", {{1, 2}, {1, ratio(1, 3)}}}}, {}});
        }) == "tensor 't': entry [0,1] is 1/3, and no type holds it and those before it exactly");
  CHECK(complaint([] {
          to_bytes({{{"t", {{2}, {two(-1), two(53) + 1}}}}, {}});
        }) ==
        "tensor 't': entry [1] is 9007199254740993, and no type holds it and those before it "
        "exactly");
  CHECK(complaint([] {
          to_bytes({{{"t", {{1}, {two(2000)}}}}, {}});
        }).starts_with("tensor 't': entry [0] is 1148130695274254524232833201177681984022..."));
  CHECK(complaint([] {
          to_bytes({{{"t", {{3}, {1}}}}, {}});
        }) == "tensor 't' has 1 entries and the shape [3]");
  CHECK(complaint([] { to_bytes({{{"\xff", {{1}, {1}}}}, {}}); }) == "a name or word is not text");
}

TEST_CASE("a file in another format gives a one-line error") {
  CHECK(refusal("") == "no safetensors file: it is shorter than 8 bytes");
  CHECK(refusal("1234567") == "no safetensors file: it is shorter than 8 bytes");
  CHECK(refusal("PK\3\4zip....") ==
        "no safetensors file: its header of 3346290495910529872 bytes would end after it");
  CHECK(refusal(std::string(8, '\xff')) ==
        "no safetensors file: its header of 18446744073709551615 bytes would end after it");
  CHECK(refusal(little_endian(3, 8) + "{}") ==
        "no safetensors file: its header of 3 bytes would end after it");
  CHECK(refusal(file("")) == "no safetensors file: its header does not begin with '{'");
  CHECK(refusal(file(" {}")) == "no safetensors file: its header does not begin with '{'");
  CHECK(refusal(file("[1]")) == "no safetensors file: its header does not begin with '{'");
  CHECK(refusal(file("{\"t\":}")) == "in the header at 1:6: expected a value, not '}'");
  CHECK(refusal(file("{\"t\":{\"\xff\":1}}")) ==
        "in the header at 1:8: a byte that is not text in a string");
  CHECK(refusal(file("{" + std::string(frontends::caps::header.value(), ' ') + "}")) ==
        "the header is longer than 10000000 bytes");
}

TEST_CASE("a malformed header gives a one-line error") {
  const auto of = [](const std::string& description, const std::string& data = "") {
    return refusal(file("{\"t\":" + description + "}", data));
  };
  CHECK(of("3") == "tensor 't' must be described by an object");
  CHECK(of("{}") == "tensor 't' has no 'dtype'");
  CHECK(of(R"({"dtype":"F32"})") == "tensor 't' has no 'shape'");
  CHECK(of(R"({"dtype":"F32","shape":[]})") ==
        "tensor 't' has no 'data_offsets', which are two numbers");
  CHECK(of(R"({"dtype":"F32","shape":[],"data_offsets":[0]})") ==
        "tensor 't' has no 'data_offsets', which are two numbers");
  CHECK(of(R"({"dtype":"F32","shape":[],"data_offsets":[0,4],"x":1})", "1234") ==
        "tensor 't' has a key 'x', which is unknown");
  CHECK(of(R"({"dtype":"F8_E4M3","shape":[],"data_offsets":[0,1]})", "1") ==
        "tensor 't' is of type 'F8_E4M3'; convert it to F64, F32, F16, BF16, I64, I32, U8 or BOOL");
  for (const char* length : {"-1", "1.0", "1e0", "\"1\"", "18446744073709551616", "null"}) {
    CAPTURE(length);
    CHECK(of(R"({"dtype":"U8","shape":[)" + std::string(length) + R"(],"data_offsets":[0,1]})",
             "1") == "tensor 't': the lengths in 'shape' must be natural numbers");
    CHECK(of(R"({"dtype":"U8","shape":[1],"data_offsets":[0,)" + std::string(length) + "]}", "1") ==
          "tensor 't': the 'data_offsets' must be natural numbers");
  }
  CHECK(of(R"({"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]})") ==
        "tensor 't': a value with too many entries");
  CHECK(of(R"({"dtype":"F32","shape":[18446744073709551615],"data_offsets":[0,0]})") ==
        "tensor 't': a value with too many entries");
  CHECK(of(R"({"dtype":"F32","shape":[1],"data_offsets":[4,0]})", "1234") ==
        "tensor 't': its data from 4 to 0 is not inside the 4 bytes of data");
  CHECK(of(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})", "1234") ==
        "tensor 't': its data from 0 to 8 is not inside the 4 bytes of data");
  CHECK(of(R"({"dtype":"F32","shape":[2],"data_offsets":[18446744073709551612,4]})", "1234") ==
        "tensor 't': its data from 18446744073709551612 to 4 is not inside the 4 bytes of data");
  CHECK(of(R"({"dtype":"F32","shape":[2,3],"data_offsets":[0,4]})", "1234") ==
        "tensor 't': F32 [2, 3] takes 24 bytes, not 4");
  CHECK(refusal(file(R"({"t":{"dtype":"U8","shape":[],"data_offsets":[0,1]},"t":{}})", "1")) ==
        "in the header at 1:53: the name 't' stands twice in this object");
  CHECK(refusal(file(R"({"__metadata__":3})")) == "'__metadata__' must be an object");
  CHECK(refusal(file(R"({"__metadata__":{"x":3}})")) == "'x' in '__metadata__' must be a string");
}

TEST_CASE("tensors must partition the data") {
  const auto of = [](const std::string& a, const std::string& b) {
    return refusal(file(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":)" + a +
                            R"(},"b":{"dtype":"U8","shape":[2],"data_offsets":)" + b + "}}",
                        "123456"));
  };
  CHECK(of("[0,2]", "[1,3]") == "tensors 'a' and 'b' overlap in the data");
  CHECK(of("[0,2]", "[0,2]") == "tensors 'a' and 'b' overlap in the data");
  CHECK(of("[4,6]", "[0,2]") == "the bytes 2 to 4 of the data belong to no tensor");
  CHECK(of("[4,6]", "[2,4]") == "the bytes 0 to 2 of the data belong to no tensor");
  CHECK(of("[0,2]", "[2,4]") == "the bytes 4 to 6 of the data belong to no tensor");
  CHECK(refusal(file("{}", "1")) == "the bytes 0 to 1 of the data belong to no tensor");
}

TEST_CASE("NaN and infinities are refused, with their index") {
  for (const std::uint64_t bits :
       {0x7ff0000000000000u, 0xfff0000000000000u, 0x7ff8000000000000u, 0x7ff0000000000001u})
    CHECK(refusal(list_of("F64", 8, {0, bits})) == "tensor 't': entry [1] is not a finite number");
  for (const std::uint64_t bits : {0x7f800000u, 0xff800000u, 0x7fc00000u, 0x7f800001u})
    CHECK(refusal(list_of("F32", 4, {0, bits})) == "tensor 't': entry [1] is not a finite number");
  CHECK(refusal(file(R"({"t":{"dtype":"F16","shape":[2,2],"data_offsets":[0,8]}})",
                     std::string(4, '\0') + std::string("\0\x7c\0\0", 4))) ==
        "tensor 't': entry [1,0] is not a finite number");
}

TEST_CASE("files with too many entries are refused before they take memory") {
  const std::string size = std::to_string(frontends::caps::tensors.value() + 1);
  CHECK(refusal(file(
            R"({"t":{"dtype":"U8","shape":[)" + size + R"(],"data_offsets":[0,)" + size + "]}}",
            std::string(frontends::caps::tensors.value() + 1, '\1'))) ==
        "the tensors have 20000001 entries; the most is 20000000");
}

TEST_CASE("errors of files that cannot be read have the reason") {
  CHECK(complaint([] { read_safetensors("/nowhere/net.safetensors"); }) ==
        "cannot be opened: No such file or directory");
  CHECK(complaint([] { read_safetensors("/"); }) == "cannot be read: it is no plain file");
  CHECK(complaint([] { write_safetensors("/nowhere/net.safetensors", {}); }) ==
        "cannot write to /nowhere/net.safetensors: No such file or directory");
}

TEST_CASE("a damaged file is read or refused without a crash") {
  const std::string whole = to_bytes(example);
  const auto try_it = [](const std::string& bytes) {
    try {
      const Safetensors found = parse_safetensors(bytes);
      for (const auto& [name, tensor] : found.tensors)
        CHECK(encoders::entry_count(tensor.shape) == tensor.size());
      return true;
    } catch (const Error& error) {
      CHECK_FALSE(std::string(error.what()).empty());
      return false;
    }
  };
  for (std::size_t length = 0; length < whole.size(); ++length) {
    CAPTURE(length);
    CHECK_FALSE(try_it(whole.substr(0, length)));
  }
  CHECK_FALSE(try_it(whole + '\0'));
  const std::uint64_t seed = 7;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const std::string alphabet = "{}[]\",:0123456789-.eFUB\\ \xff";
  std::size_t read = 0;
  for (int turn = 0; turn < 20000; ++turn) {
    std::string bytes = whole;
    for (std::size_t change = 0; change <= random() % 4; ++change) {
      const std::size_t at = random() % bytes.size();
      switch (random() % 4) {
        case 0:
          bytes[at] = static_cast<char>(random());
          break;
        case 1:
          bytes[at] = alphabet[random() % alphabet.size()];
          break;
        case 2:
          bytes.erase(at, random() % 8);
          break;
        default:
          bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 16));
      }
      if (bytes.empty()) bytes = "x";
    }
    // Half of the time the length of the header is made right again, to get past it.
    if (bytes.size() > 8 && random() % 2 == 0) {
      const std::size_t end = bytes.rfind('}');
      if (end != std::string::npos && end > 8) bytes.replace(0, 8, little_endian(end - 7, 8));
    }
    read += try_it(bytes) ? 1 : 0;
  }
  CHECK(read > 100);
}
