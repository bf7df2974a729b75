#!/usr/bin/env python3
"""Converts a fully connected ONNX network to the form of docs/network.md.

    onnx_to_network.py NET.onnx[.gz] NET.safetensors
    onnx_to_network.py NET.onnx[.gz] --evaluate 0.5,0,0.1,...

It knows Flatten, Sub, MatMul, Add, Gemm and Relu, in a row, as the ACAS Xu and MNIST networks of
VNN-COMP have them, and refuses everything else. The input becomes a vector. Weights are copied, not
computed with. --evaluate runs the ONNX nodes themselves, in doubles, to compare with.

Plain Python: ONNX is protocol buffers, and of those four wire types are enough.
"""

import gzip
import json
import struct
import sys


class Unsupported(Exception):
    pass


def fields(message):
    """Pairs of field number and value: an integer or bytes."""
    at = 0

    def varint():
        nonlocal at
        result = shift = 0
        while True:
            byte = message[at]
            at += 1
            result |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return result

    while at < len(message):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
            continue
        if key & 7 not in (1, 2, 5):
            raise Unsupported("wire type %d" % (key & 7))
        size = {1: 8, 5: 4}.get(key & 7) or varint()
        if at + size > len(message):
            raise Unsupported("a message that ends early")
        yield key >> 3, message[at:at + size]
        at += size


def all_of(message, number):
    return [value for key, value in fields(message) if key == number]


def one_of(message, number, otherwise=b""):
    return (all_of(message, number) or [otherwise])[-1]


def integers(message, number):
    """A repeated integer, packed or not."""
    result = []
    for value in all_of(message, number):
        result += [value] if isinstance(value, int) else unpacked(value)
    return result


def unpacked(data):
    result, value, shift = [], 0, 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            result.append(value)
            value = shift = 0
    return result


class Tensor:
    """A TensorProto of floats: shape, and its bytes as F32."""

    def __init__(self, message):
        self.name = one_of(message, 8).decode()
        self.shape = integers(message, 1)
        if one_of(message, 2, 0) != 1:
            raise Unsupported("tensor %s is not of floats" % self.name)
        self.data = one_of(message, 9) or b"".join(all_of(message, 4))
        if len(self.data) != 4 * product(self.shape):
            raise Unsupported("tensor %s has %d bytes" % (self.name, len(self.data)))

    def numbers(self):
        return list(struct.unpack("<%df" % (len(self.data) // 4), self.data))


def product(numbers):
    result = 1
    for number in numbers:
        result *= number
    return result


class Node:
    def __init__(self, message):
        self.inputs = [name.decode() for name in all_of(message, 1)]
        self.output = one_of(message, 2).decode()
        self.op = one_of(message, 4).decode()
        self.attributes = {one_of(a, 1).decode(): a for a in all_of(message, 5)}

    def real(self, name):
        found = self.attributes.get(name)
        return 1.0 if found is None else struct.unpack("<f", one_of(found, 2))[0]

    def integer(self, name):
        found = self.attributes.get(name)
        return 0 if found is None else one_of(found, 3, 0)


class Graph:
    """The nodes, each fed by the one before it, and the tensors."""

    def __init__(self, data):
        graph = one_of(data, 7)
        self.tensors = {tensor.name: tensor for tensor in map(Tensor, all_of(graph, 5))}
        self.nodes = [Node(node) for node in all_of(graph, 1)]
        inputs = [value for value in all_of(graph, 11) if one_of(value, 1).decode() not in self.tensors]
        if len(inputs) != 1:
            raise Unsupported("%d inputs" % len(inputs))
        before = one_of(inputs[0], 1).decode()
        shape = one_of(one_of(one_of(inputs[0], 2), 1), 2)
        # The first axis is the batch, whatever its length is called.
        self.size = product(one_of(axis, 1, 0) for axis in all_of(shape, 1)[1:])
        for node in self.nodes:
            if not node.inputs or node.inputs[0] != before:
                raise Unsupported("node %s is not fed by the one before it" % node.output)
            if any(name not in self.tensors for name in node.inputs[1:]):
                raise Unsupported("node %s has a second input that is no tensor" % node.output)
            before = node.output

    def operands(self, node, count):
        if len(node.inputs) != count + 1:
            raise Unsupported("%s with %d inputs" % (node.op, len(node.inputs)))
        return [self.tensors[name] for name in node.inputs[1:]]


def gemm_weight(graph, node):
    """The weight of a Gemm as out x in, and the bias."""
    if node.real("alpha") != 1 or node.real("beta") != 1 or node.integer("transA"):
        raise Unsupported("a Gemm that scales or transposes its input")
    weight, bias = graph.operands(node, 2)
    return (weight.shape, weight.data) if node.integer("transB") else transposed(weight), bias


def transposed(weight):
    if len(weight.shape) != 2:
        raise Unsupported("tensor %s is no matrix" % weight.name)
    rows, columns = weight.shape
    entries = [weight.data[4 * i:4 * i + 4] for i in range(rows * columns)]
    return [columns, rows], b"".join(entries[i * columns + j] for j in range(columns) for i in range(rows))


def convert(graph):
    layers, tensors = [], {}
    width = graph.size

    def linear(shape, data):
        name = "fc%d" % (1 + sum(layer["type"] == "linear" for layer in layers))
        layers.append({"name": name, "type": "linear"})
        if len(shape) != 2 or shape[1] != width:
            raise Unsupported("%s: a matrix %s for %d inputs" % (name, shape, width))
        tensors[name + ".weight"] = (shape, data)
        return shape[0]

    def bias(data):
        name = layers[-1]["name"] + ".bias" if layers else ""
        if not layers or layers[-1]["type"] != "linear" or name in tensors or len(data) != 4 * width:
            raise Unsupported("a sum that is no bias")
        tensors[name] = ([width], data)

    for node in graph.nodes:
        if node.op == "Flatten":
            if layers:
                raise Unsupported("a Flatten after the first layer")
        elif node.op == "Sub":
            mean = graph.operands(node, 1)[0].numbers()
            if len(mean) == 1:
                mean *= width
            if len(mean) != width:
                raise Unsupported("a Sub of %d numbers" % len(mean))
            if any(mean):  # a layer of its own, so that nothing is rounded
                identity = [float(i == j) for i in range(width) for j in range(width)]
                linear([width, width], struct.pack("<%df" % len(identity), *identity))
                bias(struct.pack("<%df" % width, *(-x for x in mean)))
        elif node.op == "MatMul":
            width = linear(*transposed(graph.operands(node, 1)[0]))
        elif node.op == "Add":
            bias(graph.operands(node, 1)[0].data)
        elif node.op == "Gemm":
            weight, constant = gemm_weight(graph, node)
            width = linear(*weight)
            bias(constant.data)
        elif node.op == "Relu":
            count = sum(layer["type"] == "relu" for layer in layers)
            layers.append({"name": "relu%d" % (count + 1), "type": "relu"})
        else:
            raise Unsupported("an operation %s" % node.op)
    return layers, tensors


def write(path, size, layers, tensors):
    header = {"__metadata__": {"network": json.dumps({"input": [size], "layers": layers})}}
    start = 0
    for name, (shape, data) in tensors.items():
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [start, start + len(data)]}
        start += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for _, data in tensors.values():
            file.write(data)


def evaluate(graph, x):
    """The nodes one by one, as ONNX defines them."""
    for node in graph.nodes:
        if node.op in ("Sub", "Add"):
            y = graph.operands(node, 1)[0].numbers()
            y = y * len(x) if len(y) == 1 else y
            x = [a - b if node.op == "Sub" else a + b for a, b in zip(x, y)]
        elif node.op == "MatMul":
            weight = graph.operands(node, 1)[0]
            rows, columns = weight.shape
            w = weight.numbers()
            x = [sum(x[i] * w[i * columns + j] for i in range(rows)) for j in range(columns)]
        elif node.op == "Gemm":
            weight, constant = graph.operands(node, 2)
            w, (rows, columns) = weight.numbers(), weight.shape
            if node.integer("transB"):
                x = [sum(x[j] * w[i * columns + j] for j in range(columns)) for i in range(rows)]
            else:
                x = [sum(x[i] * w[i * columns + j] for i in range(rows)) for j in range(columns)]
            x = [a + b for a, b in zip(x, constant.numbers())]
        elif node.op == "Relu":
            x = [max(a, 0.0) for a in x]
        elif node.op != "Flatten":
            raise Unsupported("an operation %s" % node.op)
    return x


def main(arguments):
    if len(arguments) not in (2, 3) or (len(arguments) == 3) != (arguments[1] == "--evaluate"):
        sys.exit("usage: onnx_to_network.py NET.onnx[.gz] (NET.safetensors | --evaluate X,X,...)")
    try:
        with (gzip.open if arguments[0].endswith(".gz") else open)(arguments[0], "rb") as file:
            graph = Graph(file.read())
        if len(arguments) == 3:
            print(*map(repr, evaluate(graph, [float(x) for x in arguments[2].split(",")])))
        else:
            write(arguments[1], graph.size, *convert(graph))
    except Unsupported as problem:
        sys.exit("%s: cannot be converted: %s" % (arguments[0], problem))
    except (AttributeError, IndexError, TypeError, UnicodeDecodeError, struct.error):
        sys.exit("%s: no ONNX file" % arguments[0])


if __name__ == "__main__":
    main(sys.argv[1:])
