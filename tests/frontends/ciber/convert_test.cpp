// ciber with ONNX models: query, encode and convert, run as users run them.

#include <doctest/doctest.h>

#include "tests/frontends/networks/onnx/message.h"
#include "tests/frontends/program.h"
#include "tests/process.h"
#include "tests/temporary_directory.h"

namespace {

const std::string ciber = quoted(program_path("ciber"));

/// y = softmax(W max(x, 0) + b), as torch names its weights.
std::string classifier() {
  // W = ((1, -1), (2, 0)), b = (0, 1/2)
  const std::string weight("\0\0\x80\x3f\0\0\x80\xbf\0\0\0\x40\0\0\0\0", 16);
  const std::string bias("\0\0\0\0\0\0\0\x3f", 8);
  const std::string transposed =
      field(5, field(1, "transB") + number_field(3, 1) + number_field(20, 2));
  return model_message(
      field(1, node_message("Relu", {"x"}, {"h"})) +
      field(1, node_message("Gemm", {"h", "fc1.weight", "fc1.bias"}, {"z"}, transposed)) +
      field(1, node_message("Softmax", {"z"}, {"p"})) +
      field(5, tensor_message("fc1.weight", {2, 2}, 1, weight)) +
      field(5, tensor_message("fc1.bias", {2}, 1, bias)) + field(11, value_message("x", {1, 2})) +
      field(12, value_message("p", {1, 2})));
}

/// What is said of the means of two outputs that are logits.
std::string logits(const std::string& file) {
  std::string result;
  for (const char* const output : {"out[0]", "out[1]"})
    result += "ciber: " + file + ": note: mean of " + output +
              ": exact with respect to outputs: the logits before 'Softmax'\n";
  return result;
}

}  // namespace

TEST_CASE("an ONNX model is queried and converted, with a note about its softmax") {
  const TemporaryDirectory folder;
  const std::string onnx = folder.file("net.onnx", classifier()),
                    net = folder.path("net.safetensors");
  // (1, 3): the logits are 1 w - 3 and 2 + 1/2, the first of them -2 on average.
  const std::string question = " --input 1,3 --unknown 'fc1.weight[0,0]=[0,2]' --mean";
  const Finished asked = run(ciber + " query " + quoted(onnx) + question);
  CHECK(asked.output == "-2 = -2\n5/2 = 2.5\n");
  CHECK(asked.errors ==
        "ciber: " + onnx +
            ": note: the outputs are the logits: the final Softmax 'p' is left out, which does "
            "not change their order\n" +
            logits(onnx));
  CHECK(run(ciber + " convert " + quoted(onnx) + " " + quoted(net)).exit == 0);
  const Finished again = run(ciber + " query " + quoted(net) + question);
  CHECK(again.output == asked.output);
  CHECK(again.errors == logits(net));
  CHECK(run(ciber + " encode " + quoted(onnx) + question).output ==
        run(ciber + " encode " + quoted(net) + question).output);
}

TEST_CASE("what cannot be converted is refused in one line") {
  const TemporaryDirectory folder;
  const std::string onnx = folder.file("net.onnx", classifier().substr(0, 100)),
                    net = folder.path("net.safetensors");
  const Finished damaged = run(ciber + " convert " + quoted(onnx) + " " + quoted(net));
  CHECK(damaged.exit == 1);
  CHECK(damaged.errors ==
        "ciber: " + onnx + ": no ONNX model, or one that is damaged or cut off\n");
  const Finished lonely = run(ciber + " convert " + quoted(onnx));
  CHECK(lonely.exit == 2);
  CHECK(lonely.errors ==
        "ciber: name a network and a new file: ciber convert NET.onnx NET.safetensors\n");
}
