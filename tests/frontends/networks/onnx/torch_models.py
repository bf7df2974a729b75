#!/usr/bin/env python3
"""Networks that torch exports to ONNX, with their outputs by torch.

    torch_models.py OUT

Writes OUT/NAME-EXPORTER.onnx and OUT/NAME-EXPORTER.txt: pairs of lines, an input and the outputs for
it.
"""

import importlib.util
import inspect
import os
import sys
import warnings

import torch
from torch import nn


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(2, 4, 3, padding=1)
        self.norm = nn.BatchNorm2d(4)
        self.second = nn.Conv2d(4, 4, 3, padding=1, groups=2, bias=False)
        self.last = nn.Linear(4, 3)

    def forward(self, x):
        x = torch.relu(self.norm(self.first(x)))
        x = x + self.second(x)
        return self.last(x.mean(dim=(2, 3)))


MODELS = {
    "perceptron": (nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 4), nn.LeakyReLU(0.25), nn.Dropout(0.3),
                                 nn.Linear(4, 4, bias=False), nn.Hardtanh(-0.5, 0.25), nn.PReLU(4)), [3]),
    "convolutions": (nn.Sequential(nn.Conv2d(2, 4, 3, stride=(2, 1), padding=1, groups=2), nn.BatchNorm2d(4),
                                   nn.ReLU6(), nn.MaxPool2d(2, stride=1, padding=1),
                                   nn.AvgPool2d((2, 2), padding=1, count_include_pad=False), nn.Hardsigmoid(),
                                   nn.Flatten(), nn.Linear(48, 2)), [2, 7, 6]),
    "smooth": (nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 4), nn.GELU(), nn.Linear(4, 4), nn.Sigmoid(),
                             nn.Linear(4, 2), nn.Hardswish()), [3]),
    "softplus": (nn.Sequential(nn.Linear(3, 4), nn.Softplus()), [3]),
    "rows": (nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)), [5, 3]),
    "signal": (nn.Sequential(nn.Conv1d(2, 3, 3, dilation=2), nn.ReLU(), nn.MaxPool1d(2), nn.Flatten(),
                             nn.Linear(9, 2)), [2, 10]),
    "residual": (Residual(), [2, 5, 5]),
}


def exporters():
    """The options of torch.onnx.export: the exporter of torch 2 needs onnxscript, the older one does not."""
    if "dynamo" not in inspect.signature(torch.onnx.export).parameters:
        return {"script": {}}
    result = {"script": {"dynamo": False}}
    if importlib.util.find_spec("onnxscript"):
        result["dynamo"] = {"dynamo": True, "external_data": False}
    return result


def main(folder):
    warnings.simplefilter("ignore")
    torch.manual_seed(1)
    for name, (model, shape) in MODELS.items():
        for module in model.modules():
            if isinstance(module, nn.BatchNorm2d):
                module.running_mean.uniform_(-1, 1)
                module.running_var.uniform_(0.5, 2)
        model.eval()
        for exporter, options in exporters().items():
            if name == "softplus" and exporter == "dynamo":  # written with Greater and Where
                continue
            path = os.path.join(folder, name + "-" + exporter)
            torch.onnx.export(model, torch.zeros([1] + shape), path + ".onnx", **options)
            with open(path + ".txt", "w") as out:
                for _ in range(3):
                    x = torch.randint(-24, 25, [1] + shape) / 8
                    print(*(repr(number) for number in x.flatten().tolist()), file=out)
                    print(*(repr(number) for number in model(x).flatten().tolist()), file=out)


if __name__ == "__main__":
    main(sys.argv[1])
