#!/usr/bin/env python3
"""Small ONNX models with their outputs by onnxruntime, to compare with.

    operator_models.py OUT [SEED]

Writes OUT/NAME.onnx, one or few nodes each, and OUT/NAME.txt: pairs of lines, an input and the
outputs for it. Every operator that is supported, with its attributes varied, in several versions of
ONNX. What onnxruntime does not run is left out; the last line printed counts the models.
"""

import os
import random
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

VERSIONS = [7, 9, 10, 11, 13, 15, 17, 18, 20, 21, 22]
POINTS = 3
IR = {7: 3, 9: 4, 10: 5, 11: 6, 13: 7, 15: 8, 17: 8, 18: 8, 20: 9, 21: 10, 22: 10}
TYPES = {np.dtype(np.float32): TensorProto.FLOAT, np.dtype(np.float64): TensorProto.DOUBLE,
         np.dtype(np.float16): TensorProto.FLOAT16}


class Case:
    """A graph that grows; the input is `x`."""

    def __init__(self, draw, version, shape, dtype=np.float32):
        self.draw, self.version, self.dtype = draw, version, np.dtype(dtype)
        self.nodes, self.tensors, self.outputs = [], {}, []
        self.shape = shape  # a str instead of a length: open
        self.count = 0

    def tensor(self, value, dtype=None):
        name = "t%d" % len(self.tensors)
        self.tensors[name] = np.asarray(value, dtype=dtype or self.dtype)
        return name

    def numbers(self, shape, low=-3, high=3):
        """A tensor of eighths."""
        return self.tensor(eighths(self.draw, shape, low, high))

    def node(self, kind, inputs, outputs=1, **attributes):
        """Adds a node; None is an input that is left out."""
        names = ["v%d" % (self.count + i) for i in range(outputs)]
        self.count += outputs
        attributes = {name: value for name, value in attributes.items() if value is not None}
        while inputs and inputs[-1] is None:
            inputs = inputs[:-1]
        self.nodes.append(helper.make_node(kind, [name or "" for name in inputs], names, **attributes))
        return names[0] if outputs == 1 else names

    def integers(self, values):
        return self.tensor(np.array(values, dtype=np.int64), np.int64)


def eighths(draw, shape, low=-3, high=3):
    return np.array([draw.randint(8 * low, 8 * high) / 8 for _ in range(int(np.prod(shape)))]).reshape(shape)


def save(case, outputs, path):
    """Writes the model and its outputs; False if onnxruntime cannot run it."""
    kind = TYPES[case.dtype]
    graph = helper.make_graph(
        case.nodes, "graph", [helper.make_tensor_value_info("x", kind, case.shape)],
        [helper.make_tensor_value_info(name, kind, None) for name in outputs],
        [numpy_helper.from_array(value, name) for name, value in case.tensors.items()])
    if case.version < 9:  # initialisers are inputs as well
        graph.input.extend(helper.make_tensor_value_info(
            name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
            for name, value in case.tensors.items())
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", case.version)],
                              ir_version=IR[case.version])
    data = model.SerializeToString()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    shape = [1 if isinstance(length, str) else length for length in case.shape]
    try:
        session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        lines = []
        for _ in range(POINTS):
            x = eighths(case.draw, shape).astype(case.dtype)
            found = session.run(None, {"x": x})
            lines.append(" ".join(repr(float(number)) for number in x.flatten()))
            lines.append(" ".join(repr(float(y)) for part in found for y in np.asarray(part).flatten()))
    except Exception as problem:
        if os.environ.get("VERBOSE"):
            print("left out: %s: %s" % (os.path.basename(path), str(problem).splitlines()[0]))
        return False
    with open(path + ".onnx", "wb") as file:
        file.write(data)
    with open(path + ".txt", "w") as file:
        file.write("\n".join(lines) + "\n")
    return True


# ------------------------------------------------------------------------------------------------

def some_shape(draw):
    return draw.choice([[4], [1, 5], [1, 2, 3], [1, 2, 3, 4], ["n", 3], ["n", 2, 4], [2, 3]])


def known(shape):
    return [1 if isinstance(length, str) else length for length in shape]


def entrywise(kind, **attributes):
    def make(draw, version):
        case = Case(draw, version, some_shape(draw))
        return case, [case.node(kind, ["x"], **attributes)]
    return make


def hard_sigmoid(draw, version):
    alpha = draw.choice([None, 0.2, 0.5, 1 / 6, -0.25])
    beta = draw.choice([None, 0.5, 0.25, -0.5])
    return entrywise("HardSigmoid", alpha=alpha, beta=beta)(draw, version)


def leaky_relu(draw, version):
    return entrywise("LeakyRelu", alpha=draw.choice([None, 0.1, 0.0, 1.0, 1.5, -0.5]))(draw, version)


def clip(draw, version):
    low, high = draw.choice([(0, None), (-1, None), (None, 2), (-1, 0.5), (0, 6), (None, None)])
    case = Case(draw, version, some_shape(draw))
    if version < 11:
        return case, [case.node("Clip", ["x"], min=low and float(low), max=high and float(high))
                      if low != 0 else case.node("Clip", ["x"], min=0.0, max=high and float(high))]
    bounds = [None if bound is None else case.tensor(bound) for bound in (low, high)]
    return case, [case.node("Clip", ["x"] + bounds)]


def prelu(draw, version):
    shape = draw.choice([[1, 3], [1, 3, 2], [1, 3, 2, 2]])
    slopes = draw.choice([[1], [3] + [1] * (len(shape) - 2), shape[1:], shape[-1:]])
    case = Case(draw, version, shape)
    return case, [case.node("PRelu", ["x", case.numbers(slopes)])]


def smaller(draw, shape):
    """A shape that is broadcast to another."""
    result = [length if draw.random() < 0.6 else 1 for length in known(shape)]
    return result[draw.randint(0, len(result)):]


def binary(kind):
    def make(draw, version):
        shape = some_shape(draw)
        case = Case(draw, version, shape)
        other = smaller(draw, shape)
        if draw.random() < 0.15:
            other = [2] + [length for length in known(shape)]
        value = eighths(draw, other)
        divisor = kind == "Div"
        constant = case.tensor(np.where(value == 0, 2.5, value) if divisor else value)
        turned = not divisor and draw.random() < 0.4
        return case, [case.node(kind, [constant, "x"] if turned else ["x", constant])]
    return make


def two_values(kind):
    """Of two values that depend on the input, in different shapes."""
    def make(draw, version):
        case = Case(draw, version, [1, 3, 4])
        y = case.node("Mul", ["x", case.numbers([3, 1])])
        if draw.random() < 0.5:
            if version < 13:
                y = case.node("Slice", [y] if version < 10 else
                              [y, case.integers([0]), case.integers([1]), case.integers([1])],
                              **({"starts": [0], "ends": [1], "axes": [1]} if version < 10 else {}))
            else:
                y = case.node("Slice", [y, case.integers([0]), case.integers([1]), case.integers([1])])
        inputs = ["x", y]
        if kind in ("Max", "Min", "Sum") and draw.random() < 0.7:
            inputs.append(case.numbers([4]))
        draw.shuffle(inputs)
        return case, [case.node(kind, inputs)]
    return make


def gemm(draw, version):
    rows, inner, out = draw.choice([1, 1, 3]), 4, 3
    trans_a, trans_b = draw.randint(0, 1), draw.randint(0, 1)
    alpha, beta = draw.choice([None, 0.5, 2.0]), draw.choice([None, 0.25, 1.0])
    if draw.random() < 0.25:  # the first factor is the constant
        case = Case(draw, version, [out, inner] if trans_b else [inner, out])
        a = case.numbers([inner, rows] if trans_a else [rows, inner])
        inputs = [a, "x"]
    else:
        case = Case(draw, version, [inner, rows] if trans_a else [rows, inner])
        inputs = ["x", case.numbers([out, inner] if trans_b else [inner, out])]
    c = draw.choice([[out], [1, out], [rows, 1], [1], [rows, out], None])
    if c is None and version < 11:
        c = [out]
    inputs.append(None if c is None else case.numbers(c))
    return case, [case.node("Gemm", inputs, alpha=alpha, beta=beta, transA=trans_a, transB=trans_b)]


def matmul(draw, version):
    shape, weights, first = draw.choice([
        ([1, 4], [4, 3], False), ([4], [4, 3], False), ([2, 4], [4, 3], False), ([1, 2, 4], [4, 3], False),
        (["n", 2, 4], [1, 4, 3], False), ([1, 4], [4], False), ([4], [4], False), ([4], [3, 4], True),
        ([4, 1], [3, 4], True), ([4, 2], [3, 4], True), ([1, 4, 2], [3, 4], True), ([4], [4], True),
        ([1, 4, 3], [4], True), ([1, 1, 1, 5], [5, 2], False)])
    case = Case(draw, version, shape)
    y = case.node("MatMul", [case.numbers(weights), "x"] if first else ["x", case.numbers(weights)])
    if draw.random() < 0.5 and weights != [4] and not first:
        y = case.node("Add", [y, case.numbers([weights[-1]])])
    return case, [y]


def window(draw, axes, auto=True):
    """Attributes of a window, and its size."""
    kernel = [draw.randint(1, 3) for _ in range(axes)]
    attributes = {"strides": draw.choice([None, [draw.randint(1, 3) for _ in range(axes)]]),
                  "kernel_shape": kernel}
    pads = draw.choice(["none", "even", "uneven"] + (["SAME_UPPER", "SAME_LOWER", "VALID"] if auto else []))
    if pads == "even":
        pad = [draw.randint(0, length // 2) for length in kernel]
        attributes["pads"] = pad + pad
    elif pads == "uneven":
        attributes["pads"] = [draw.randint(0, length // 2) for length in kernel + kernel]
    elif pads != "none":
        attributes["auto_pad"] = pads
    return attributes


def conv(draw, version):
    axes = draw.choice([1, 2, 2])
    groups = draw.choice([1, 1, 2])
    attributes = window(draw, axes)
    if draw.random() < 0.4:
        attributes["dilations"] = [draw.randint(1, 2) for _ in range(axes)]
    case = Case(draw, version, [1, 2 * groups] + [draw.randint(5, 7) for _ in range(axes)])
    weight = case.numbers([2 * groups, 2] + attributes["kernel_shape"])
    bias = draw.choice([None, case.numbers([2 * groups])])
    y = case.node("Conv", ["x", weight, bias], group=groups if groups > 1 else None, **attributes)
    if bias is None and draw.random() < 0.5:
        y = case.node("Add", [y, case.numbers([2 * groups] + [1] * axes)])
    return case, [y]


def conv_transpose(draw, version):
    axes = draw.choice([1, 2, 2])
    groups = draw.choice([1, 2])
    attributes = window(draw, axes, auto=False)
    if draw.random() < 0.4:
        attributes["dilations"] = [draw.randint(1, 2) for _ in range(axes)]
    strides = attributes["strides"] or [1] * axes
    if draw.random() < 0.4:
        attributes["output_padding"] = [draw.randint(0, stride - 1) for stride in strides]
    case = Case(draw, version, [1, 2 * groups] + [draw.randint(2, 4) for _ in range(axes)])
    weight = case.numbers([2 * groups, 3] + attributes["kernel_shape"])
    bias = draw.choice([None, case.numbers([3 * groups])])
    return case, [case.node("ConvTranspose", ["x", weight, bias], group=groups, **attributes)]


def batch_normalization(draw, version):
    shape = draw.choice([[1, 3], [1, 3, 2], [1, 3, 2, 2], ["n", 3, 2, 2]])
    case = Case(draw, version, shape)
    variance = case.tensor(eighths(draw, [3], 1, 3))
    return case, [case.node("BatchNormalization",
                            ["x", case.numbers([3]), case.numbers([3]), case.numbers([3]), variance],
                            epsilon=draw.choice([None, 1e-3]))]


def pool(kind):
    def make(draw, version):
        axes = draw.choice([1, 2, 2])
        attributes = window(draw, axes)
        if version >= 10:
            attributes["ceil_mode"] = draw.choice([None, 0, 1])
        if kind == "AveragePool":
            attributes["count_include_pad"] = draw.choice([None, 0, 1])
        if version >= (10 if kind == "MaxPool" else 19) and "auto_pad" not in attributes and draw.random() < 0.3:
            attributes["dilations"] = [draw.randint(1, 2) for _ in range(axes)]
        case = Case(draw, version, [1, 2] + [draw.randint(5, 8) for _ in range(axes)])
        return case, [case.node(kind, ["x"], **attributes)]
    return make


def global_pool(kind):
    def make(draw, version):
        case = Case(draw, version, draw.choice([[1, 2, 3], [1, 2, 3, 2]]))
        return case, [case.node(kind, ["x"])]
    return make


def reduction(kind):
    def make(draw, version):
        case = Case(draw, version, [1, 2, 3, 2])
        axes = draw.choice([None, [1], [-1], [1, 3], [2, 1], [0, 2]])
        keep = draw.choice([None, 0, 1])
        if version < (13 if kind == "ReduceSum" else 18):
            return case, [case.node(kind, ["x"], axes=axes, keepdims=keep)]
        return case, [case.node(kind, ["x", None if axes is None else case.integers(axes)], keepdims=keep,
                                noop_with_empty_axes=draw.choice([None, 0, 1]) if axes is None else None)]
    return make


def flatten(draw, version):
    case = Case(draw, version, [1, 2, 3, 2])
    return case, [case.node("Flatten", ["x"], axis=draw.choice([None, 0, 1, 2, 4] + ([-1] if version >= 11 else [])))]


def reshape(draw, version):
    case = Case(draw, version, ["n", 2, 3, 2])
    wanted = draw.choice([[1, 12], [-1, 12], [0, -1], [0, 0, 6], [4, 3], [-1], [1, 3, 4]])
    return case, [case.node("Reshape", ["x", case.integers(wanted)])]


def axes_node(case, kind, axes):
    if case.version < 13:
        return case.node(kind, ["x"], axes=axes)
    return case.node(kind, ["x", None if axes is None else case.integers(axes)])


def squeeze(draw, version):
    case = Case(draw, version, [1, 3, 1, 2])
    return case, [axes_node(case, "Squeeze", draw.choice([None, [2], [0, 2]]))]


def unsqueeze(draw, version):
    case = Case(draw, version, [1, 3])
    return case, [axes_node(case, "Unsqueeze", draw.choice([[0], [1, 3], [2]]))]


def transpose(draw, version):
    case = Case(draw, version, [1, 2, 3, 4])
    perm = [0, 1, 2, 3]
    draw.shuffle(perm)
    return case, [case.node("Transpose", ["x"], perm=draw.choice([None, perm, [0, 2, 3, 1]]))]


def concat(draw, version):
    case = Case(draw, version, [1, 2, 3])
    axis = draw.choice([0, 1, 2] + ([-1] if version >= 11 else []))
    shape = [1, 2, 3]
    shape[axis] = draw.randint(1, 3)
    inputs = ["x", case.numbers(shape), case.node("Neg", ["x"])]
    draw.shuffle(inputs)
    return case, [case.node("Concat", inputs, axis=axis)]


def split(draw, version):
    case = Case(draw, version, [1, 7, 2])
    parts = draw.choice([[2, 5], [1, 4, 2]])
    if version < 13:
        return case, case.node("Split", ["x"], len(parts), axis=1, split=parts)
    if version >= 18 and draw.random() < 0.5:
        return case, case.node("Split", ["x"], 3, axis=1, num_outputs=3)
    return case, case.node("Split", ["x", case.integers(parts)], len(parts), axis=1)


def slice_(draw, version):
    case = Case(draw, version, [1, 5, 6])
    starts, ends, axes, steps = draw.choice([
        ([1, 2], [4, 6], [1, 2], [1, 1]), ([0, 0], [-1, -2], [1, 2], [1, 2]), ([-3], [1000], [2], [1]),
        ([-1], [-1000], [1], [-1]), ([4], [0], [1], [-2]), ([0, 1, 2], [1, 4, 5], None, None)])
    if version < 10:
        if steps and any(step != 1 for step in steps):
            steps = None
            starts, ends, axes = [1], [4], [1]
        return case, [case.node("Slice", ["x"], starts=starts, ends=ends, axes=axes)]
    return case, [case.node("Slice", ["x", case.integers(starts), case.integers(ends),
                                      axes and case.integers(axes), steps and case.integers(steps)])]


def gather(draw, version):
    case = Case(draw, version, [1, 4, 3])
    indices = draw.choice([[0, 2], [[0, 1], [3, 3]], 2] + ([[-1, 0]] if version >= 11 else []))
    axis = draw.choice([1, -2])
    return case, [case.node("Gather", ["x", case.tensor(indices, np.int64)], axis=axis)]


def pad(draw, version):
    case = Case(draw, version, [1, 2, 4, 4])
    mode = draw.choice([None, "constant", "reflect", "edge"] + (["wrap"] if version >= 19 else []))
    pads = draw.choice([[0, 0, 1, 2, 0, 0, 0, 1], [0, 0, 2, 0, 0, 0, 2, 3], [0, 0, 0, 0, 0, 0, 1, 0]])
    if mode in (None, "constant") and draw.random() < 0.3:
        pads = [0, 1, -1, 2, 0, 0, 1, -2]
    value = draw.choice([None, 1.5]) if mode in (None, "constant") else None
    if version < 11:
        return case, [case.node("Pad", ["x"], mode=mode, pads=pads, value=value)]
    axes = None
    if version >= 18 and draw.random() < 0.5 and pads[1] == 0:
        axes, pads = case.integers([2, -1]), pads[2:4] + pads[6:]
    return case, [case.node("Pad", ["x", case.integers(pads), None if value is None else case.tensor(value), axes],
                            mode=mode)]


def expand(draw, version):
    case = Case(draw, version, [1, 3, 1])
    return case, [case.node("Expand", ["x", case.integers(draw.choice([[1, 3, 4], [4], [2, 1, 3, 2], [3, 1]]))])]


def identity(draw, version):
    case = Case(draw, version, ["n", 3])
    return case, [case.node("Identity", ["x"])]


def dropout(draw, version):
    case = Case(draw, version, [1, 3])
    return case, [case.node("Dropout", ["x"], **({"ratio": 0.3} if version < 12 else {}))]


def cast(draw, version):
    case = Case(draw, version, [1, 3])
    wide = case.node("Cast", ["x"], to=TensorProto.DOUBLE)
    return case, [case.node("Cast", [wide], to=TensorProto.FLOAT)]


def constant(draw, version):
    case = Case(draw, version, [1, 3])
    c = case.node("Constant", [], value=numpy_helper.from_array(eighths(draw, [3]).astype(np.float32)))
    return case, [case.node("Add", ["x", c])]


def dynamic_shape(draw, version):
    """As torch exports x.view(x.size(0), -1)."""
    case = Case(draw, version, ["n", 2, 3])
    size = case.node("Gather", [case.node("Shape", ["x"]), case.tensor(0, np.int64)], axis=0)
    if version < 13:
        size = case.node("Unsqueeze", [size], axes=[0])
    else:
        size = case.node("Unsqueeze", [size, case.integers([0])])
    wanted = case.node("Concat", [size, case.integers([-1])], axis=0)
    return case, [case.node("Reshape", ["x", wanted])]


def constant_of_shape(draw, version):
    case = Case(draw, version, ["n", 2, 3])
    value = helper.make_tensor("value", TensorProto.FLOAT, [1], [1.5])
    ones = case.node("ConstantOfShape", [case.node("Shape", ["x"])], value=draw.choice([None, value]))
    return case, [case.node("Add", ["x", ones])]


def shape_arithmetic(draw, version):
    """Lengths that are computed: half of an axis."""
    case = Case(draw, version, ["n", 6])
    length = case.node("Gather", [case.node("Shape", ["x"]), case.integers([1])], axis=0)
    half = case.node("Div", [length, case.integers([2])])
    more = case.node("Sub", [case.node("Add", [half, case.integers([2])]), case.integers([2])])
    wanted = case.node("Concat", [case.integers([-1]), case.node("Mul", [more, case.integers([1])])], axis=0)
    return case, [case.node("Reshape", ["x", wanted])]


def folded(draw, version):
    """Weights that are computed."""
    case = Case(draw, version, [1, 4])
    weight = case.node("Transpose", [case.numbers([3, 4])], perm=[1, 0])
    weight = case.node("Mul", [case.node("Add", [weight, case.numbers([3])]), case.numbers([4, 1])])
    bias = case.node("Relu", [case.node("Div", [case.numbers([3]), case.tensor(3.0)])])
    return case, [case.node("Add", [case.node("MatMul", ["x", weight]), bias])]


def gelu_pattern(draw, version):
    case = Case(draw, version, [1, 5])
    scaled = case.node("Div", ["x", case.tensor(np.sqrt(2.0))]) if draw.random() < 0.5 else \
        case.node("Mul", [case.tensor(np.sqrt(0.5)), "x"])
    one = case.node("Add", [case.node("Erf", [scaled]), case.tensor(1.0)])
    way = draw.randint(0, 2)
    if way == 0:
        return case, [case.node("Mul", [case.node("Mul", ["x", one]), case.tensor(0.5)])]
    if way == 1:
        return case, [case.node("Mul", [case.node("Mul", ["x", case.tensor(0.5)]), one])]
    return case, [case.node("Mul", ["x", case.node("Mul", [one, case.tensor(0.5)])])]


def several_outputs(draw, version):
    case = Case(draw, version, [1, 4])
    a = case.node("Relu", ["x"])
    b = case.node("Gemm", [a, case.numbers([2, 4]), case.numbers([2])], transB=1)
    return case, [b, a]


def perceptron(draw, version):
    """In one of several precisions, with a name for each node."""
    case = Case(draw, version, ["n", 1, 1, 5], draw.choice([np.float32, np.float64]))
    y = case.node("Flatten", ["x"])
    for size, last in ((5, 4), (4, 3), (3, 2)):
        y = case.node("Relu", [case.node("Add", [case.node("MatMul", [y, case.numbers([size, last])]),
                                                 case.numbers([last])])])
    return case, [y]


def residual_net(draw, version):
    """Convolutions with a bypass, as in a residual network."""
    case = Case(draw, version, [1, 2, 6, 6])
    y = case.node("Relu", [case.node("Conv", ["x", case.numbers([2, 2, 3, 3], -1, 1), case.numbers([2])],
                                     pads=[1, 1, 1, 1])])
    y = case.node("Relu", [case.node("Add", [y, "x"])])
    y = case.node("MaxPool", [y], kernel_shape=[2, 2], strides=[2, 2])
    y = case.node("GlobalAveragePool", [y])
    y = case.node("Flatten", [y])
    return case, [case.node("Gemm", [y, case.numbers([2, 3]), case.numbers([3])])]


CASES = {
    "Abs": entrywise("Abs"), "Neg": entrywise("Neg"), "Relu": entrywise("Relu"), "Sigmoid": entrywise("Sigmoid"),
    "Tanh": entrywise("Tanh"), "Softplus": entrywise("Softplus"), "Sign": entrywise("Sign"),
    "HardSwish": entrywise("HardSwish"), "Gelu": entrywise("Gelu"), "HardSigmoid": hard_sigmoid,
    "LeakyRelu": leaky_relu, "Clip": clip, "PRelu": prelu,
    "Add": binary("Add"), "Sub": binary("Sub"), "Mul": binary("Mul"), "Div": binary("Div"),
    "Add-values": two_values("Add"), "Sub-values": two_values("Sub"), "Max": two_values("Max"),
    "Min": two_values("Min"), "Sum": two_values("Sum"),
    "Gemm": gemm, "MatMul": matmul, "Conv": conv, "ConvTranspose": conv_transpose,
    "BatchNormalization": batch_normalization, "MaxPool": pool("MaxPool"), "AveragePool": pool("AveragePool"),
    "GlobalAveragePool": global_pool("GlobalAveragePool"), "GlobalMaxPool": global_pool("GlobalMaxPool"),
    "ReduceMean": reduction("ReduceMean"), "ReduceSum": reduction("ReduceSum"),
    "ReduceMax": reduction("ReduceMax"), "ReduceMin": reduction("ReduceMin"),
    "Flatten": flatten, "Reshape": reshape, "Squeeze": squeeze, "Unsqueeze": unsqueeze, "Transpose": transpose,
    "Concat": concat, "Split": split, "Slice": slice_, "Gather": gather, "Pad": pad, "Expand": expand,
    "Identity": identity, "Dropout": dropout, "Cast": cast, "Constant": constant, "Shape": dynamic_shape,
    "ConstantOfShape": constant_of_shape, "Shape-arithmetic": shape_arithmetic, "folded": folded,
    "Erf-Gelu": gelu_pattern, "outputs": several_outputs, "perceptron": perceptron, "residual": residual_net,
}


def main(folder, seed, rounds):
    made = 0
    for name, make in CASES.items():
        for version in VERSIONS:
            kind = name.split("-")[0]
            try:
                onnx.defs.get_schema(kind, version, "")
            except onnx.defs.SchemaError:
                if kind[0].isupper():
                    continue
            for number in range(rounds):
                draw = random.Random("%s %d %d %d" % (name, version, number, seed))
                case, outputs = make(draw, version)
                made += save(case, outputs, os.path.join(folder, "%s-%d-%d" % (name, version, number)))
    print("%d models" % made)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1, int(sys.argv[3]) if len(sys.argv) > 3 else 3)
