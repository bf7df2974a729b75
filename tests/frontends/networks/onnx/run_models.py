#!/usr/bin/env python3
"""Runs ONNX models by onnxruntime at random points.

    run_models.py OUT FILE...

Writes OUT/0.txt for the first FILE (.onnx or .onnx.gz), and so on: pairs of lines, an input and the
outputs for it. Inputs are multiples of 1/64 between -1 and 1.
"""

import gzip
import os
import random
import sys

import numpy as np
import onnxruntime

POINTS = 2


def main(folder, files):
    draw = random.Random(5)
    for number, path in enumerate(files):
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
            session = onnxruntime.InferenceSession(file.read(), providers=["CPUExecutionProvider"])
        given = session.get_inputs()[-1]  # older files list their weights before it
        shape = [length if isinstance(length, int) and length > 0 else 1 for length in given.shape]
        with open(os.path.join(folder, "%d.txt" % number), "w") as out:
            for _ in range(POINTS):
                x = np.array([draw.randint(-64, 64) / 64 for _ in range(int(np.prod(shape)))], dtype=np.float32)
                found = session.run(None, {given.name: x.reshape(shape)})
                print(*(repr(float(number)) for number in x), file=out)
                print(*(repr(float(y)) for part in found for y in np.asarray(part).flatten()), file=out)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
