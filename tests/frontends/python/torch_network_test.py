"""Modules of torch become networks, which put out what torch does."""

import math
import random

import pytest

torch = pytest.importorskip("torch", reason="no torch")

import ciber  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402, N812

SEED = 20261


def small(module):
    """The module with weights of few digits, so that torch is nearly exact too."""
    generator = torch.Generator().manual_seed(SEED)
    with torch.no_grad():
        for one in module.parameters():
            one.copy_(torch.randint(-8, 9, one.shape, generator=generator) / 8)
        for name, one in module.named_buffers():
            if name.endswith("running_var"):
                one.copy_(torch.randint(1, 9, one.shape, generator=generator) / 4)
            elif name.endswith("running_mean"):
                one.copy_(torch.randint(-4, 5, one.shape, generator=generator) / 4)
    return module


def agrees(module, shape, points=4, tolerance=2e-5):
    """The outputs of both at random points, which must agree within float32 and the bounds."""
    network = ciber.Network.from_torch(module, shape)
    module.eval()
    draw = random.Random(SEED)
    for _ in range(points):
        x = [draw.randint(-24, 24) / 8 for _ in range(math.prod(shape))]
        with torch.no_grad():
            expected = module(torch.tensor(x).reshape(1, *shape))
        flat = (
            expected
            if isinstance(expected, torch.Tensor)
            else torch.cat([one.reshape(1, -1) for one in expected], 1)
        )
        bounds = network.bounds(x)
        assert len(bounds) == flat.numel()
        for (lower, upper), number in zip(bounds, flat.reshape(-1).tolist(), strict=True):
            slack = tolerance * (1 + abs(number))
            assert float(lower) - slack <= number <= float(upper) + slack
    return network


MODULES = {
    "Linear": (nn.Linear(3, 2), (3,)),
    "Linear without bias": (nn.Linear(3, 2, bias=False), (3,)),
    "Linear of rows": (nn.Linear(3, 2), (4, 3)),
    "Conv1d": (nn.Conv1d(2, 4, 3, stride=2, padding=1, dilation=1, groups=2), (2, 7)),
    "Conv1d same": (nn.Conv1d(2, 3, 4, padding="same"), (2, 6)),
    "Conv2d": (nn.Conv2d(2, 4, (3, 2), stride=(1, 2), padding=(1, 0), groups=2), (2, 5, 4)),
    "Conv2d same": (nn.Conv2d(1, 2, (2, 4), padding="same", dilation=(1, 2)), (1, 5, 6)),
    "Conv2d valid": (nn.Conv2d(1, 2, 2, padding="valid", bias=False), (1, 3, 3)),
    "BatchNorm1d": (nn.BatchNorm1d(3), (3,)),
    "BatchNorm1d of lines": (nn.BatchNorm1d(3), (3, 4)),
    "BatchNorm2d": (nn.BatchNorm2d(2, affine=False), (2, 3, 3)),
    "ReLU": (nn.ReLU(), (3,)),
    "LeakyReLU": (nn.LeakyReLU(0.125), (3,)),
    "PReLU": (nn.PReLU(), (3,)),
    "PReLU of channels": (nn.PReLU(2), (2, 2, 2)),
    "ReLU6": (nn.ReLU6(), (3,)),
    "Hardtanh": (nn.Hardtanh(-2, 1.5), (3,)),
    "Hardsigmoid": (nn.Hardsigmoid(), (3,)),
    "Hardswish": (nn.Hardswish(), (3,)),
    "Tanh": (nn.Tanh(), (3,)),
    "Sigmoid": (nn.Sigmoid(), (3,)),
    "GELU": (nn.GELU(), (3,)),
    "Softplus": (nn.Softplus(), (3,)),
    "Softplus with beta": (nn.Softplus(beta=2), (3,)),
    "MaxPool1d": (nn.MaxPool1d(2), (2, 5)),
    "MaxPool2d": (nn.MaxPool2d(3, 2, padding=1, ceil_mode=True), (2, 5, 6)),
    "AvgPool1d": (nn.AvgPool1d(3, 2, padding=1), (2, 6)),
    "AvgPool2d": (nn.AvgPool2d((2, 3), (1, 2), (1, 1), count_include_pad=False), (1, 5, 6)),
    "AdaptiveAvgPool1d": (nn.AdaptiveAvgPool1d(1), (2, 5)),
    "AdaptiveAvgPool2d": (nn.AdaptiveAvgPool2d((None, 2)), (2, 3, 4)),
    "AdaptiveMaxPool2d": (nn.AdaptiveMaxPool2d(1), (2, 3, 4)),
    "Flatten": (nn.Flatten(), (2, 3)),
    "Unflatten": (nn.Unflatten(1, (2, 2)), (4,)),
    "PixelShuffle": (nn.PixelShuffle(2), (4, 2, 2)),
    "ZeroPad2d": (nn.ZeroPad2d((1, 0, 2, 1)), (1, 2, 2)),
    "ConstantPad1d": (nn.ConstantPad1d((1, 2), 0.5), (2, 3)),
    "Dropout": (nn.Sequential(nn.Dropout(0.25), nn.Linear(2, 2)), (2,)),
    "Identity": (nn.Sequential(nn.Identity(), nn.Linear(2, 2)), (2,)),
}


@pytest.mark.parametrize("name", MODULES)
def test_a_module_puts_out_what_torch_does(name):
    module, shape = MODULES[name]
    agrees(small(module), shape)


class Applied(nn.Module):
    """A module that applies a function."""

    def __init__(self, function):
        super().__init__()
        self.function = function
        self.register_buffer("row", torch.tensor([0.5, -1.0, 2.0]))
        self.matrix = nn.Parameter(torch.tensor([[1.0, 0.5], [0.25, -1.0], [2.0, 0.0]]))

    def forward(self, x):
        return self.function(self, x)


FUNCTIONS = {
    "a residual sum": (lambda m, x: F.relu(x) + x, (3,)),
    "a sum in place": (lambda m, x: torch.relu(x).add_(x), (3,)),
    "a scaled sum": (lambda m, x: torch.add(x, x.abs(), alpha=2), (3,)),
    "a difference": (lambda m, x: x.relu() - 0.5 * x, (3,)),
    "constants": (lambda m, x: (1 - x) / 4 + m.row * x - m.row, (3,)),
    "a negative": (lambda m, x: -torch.relu(-x), (3,)),
    "a broadcast sum": (lambda m, x: x[:, :1] + x, (3,)),
    "a broadcast constant": (lambda m, x: x.unsqueeze(2) + m.row, (2,)),
    "a concatenation": (lambda m, x: torch.cat([x, torch.relu(x)], dim=-1), (2, 3)),
    "a stack": (lambda m, x: torch.stack([x, -x], dim=1), (3,)),
    "extremes": (lambda m, x: torch.maximum(x, -x) + torch.minimum(x, 2 * x), (3,)),
    "clamps": (lambda m, x: x.clamp(min=-1) + x.clamp(max=0.5) + x.clamp(-1, 1), (3,)),
    "a product with a matrix": (lambda m, x: x @ m.matrix, (3,)),
    "linear": (lambda m, x: F.linear(x, m.matrix.T, m.row[:2]), (3,)),
    "a view of a size": (lambda m, x: x.view(x.size(0), -1), (2, 3)),
    "permuted": (lambda m, x: x.permute(0, 2, 1).reshape(-1, 6), (2, 3)),
    "transposed": (lambda m, x: x.transpose(1, 2).contiguous().flatten(1), (2, 3)),
    "slices": (lambda m, x: x[:, 1:, ::2] + x[:, :-1, :2], (3, 3)),
    "chunks": (lambda m, x: x.chunk(2, 1)[0] + torch.chunk(x, 2, dim=1)[1], (4,)),
    "split and squeezed": (lambda m, x: x.split(1, dim=1)[1].squeeze(1), (2, 3)),
    "padded": (lambda m, x: F.pad(x, (1, 1), value=0.25), (2, 2)),
    "mean": (lambda m, x: x.mean(dim=(2, 3)), (2, 2, 3)),
    "mean kept": (lambda m, x: x - x.mean(dim=1, keepdim=True), (4,)),
    "sum": (lambda m, x: torch.sum(x, dim=-1), (2, 3)),
    "largest": (lambda m, x: x.amax(dim=1), (3, 2)),
    "max_pool2d": (lambda m, x: F.max_pool2d(x, 2), (1, 4, 4)),
    "avg_pool1d": (lambda m, x: F.avg_pool1d(x, 2), (1, 4)),
    "pooled to one": (lambda m, x: F.adaptive_avg_pool2d(x, 1).flatten(1), (2, 2, 2)),
    "leaky": (lambda m, x: F.leaky_relu(x, 0.25), (3,)),
    "dropped out": (lambda m, x: F.dropout(x, 0.5, m.training) + 1, (3,)),
    "smooth": (lambda m, x: torch.tanh(x) - torch.sigmoid(x) + F.gelu(x) + F.softplus(x), (2,)),
    "two outputs": (lambda m, x: (x.relu(), x.abs()), (2,)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_puts_out_what_torch_does(name):
    function, shape = FUNCTIONS[name]
    agrees(Applied(function), shape)


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, padding=1)
        self.norm = nn.BatchNorm2d(2)
        self.inner = nn.Sequential(nn.Conv2d(2, 2, 1), nn.ReLU())
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.head = nn.Linear(2, 3)

    def forward(self, x):
        x = F.relu(self.norm(self.conv(x)))
        x = self.inner(x) + x
        return self.head(torch.flatten(self.pool(x), 1))


def test_a_residual_network_keeps_the_names_of_its_tensors():
    module = small(Residual())
    module.train()
    network = agrees(module, (1, 4, 4))
    assert {"conv.weight", "inner.0.bias", "head.weight"} <= set(network.parameters)
    assert network.parameters["inner.0.weight"] == (2, 2, 1, 1)


def test_the_module_is_not_changed():
    module = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5))
    module.train()
    before = [one.clone() for one in module.parameters()]
    ciber.Network.from_torch(module, 2)
    assert module.training
    assert module[1].training
    assert all(torch.equal(a, b) for a, b in zip(before, module.parameters(), strict=True))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
def test_weights_are_the_exact_numbers_of_the_floats(dtype):
    module = nn.Linear(1, 1, bias=False).to(dtype)
    with torch.no_grad():
        module.weight.fill_(0.1)
    network = ciber.Network.from_torch(nn.Sequential(module), 1)
    assert network.parameter("0.weight") == [ciber.numbers.exact(module.weight.item())]
    assert network([3]) == (3 * ciber.numbers.exact(module.weight.item()),)


def test_a_weight_may_be_random(wmi, tmp_path):
    module = small(nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 2)))
    network = ciber.Network.from_torch(module, 2)
    network.save(tmp_path / "net.safetensors")
    answer = network.probability(
        lambda out: out[0] < out[1], inputs=[1, "1/2"], weights={"0.weight[0,1]": (-1, 1)}
    )
    printed = wmi.run(
        "ciber",
        *("query", tmp_path / "net.safetensors", "--input", "1,1/2"),
        *("--unknown", "0.weight[0,1]=[-1,1]", "--probability", "out[0] < out[1]"),
    )
    assert printed.stdout.strip() == str(answer)


def test_a_final_softmax_is_left_out_with_a_note():
    network = ciber.Network.from_torch(nn.Sequential(nn.Linear(2, 2), nn.Softmax(dim=1)), 2)
    assert [layer.type for layer in network.layers] == ["linear"]
    assert "the final Softmax '1' is left out" in network.notes[0]
    answer = network.largest(0, inputs=ciber.uniform(0, 1))
    assert any("logits" in one for one in answer.assumptions)


def test_a_module_that_is_used_twice_becomes_two_layers():
    class Twice(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(2, 2)

        def forward(self, x):
            return self.fc(self.fc(x))

    network = agrees(small(Twice()), (2,))
    assert [layer.name for layer in network.layers] == ["fc", "fc_1"]


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.LSTM(2, 2)

    def forward(self, x):
        return self.encoder(x)[0]


class Branching(nn.Module):
    def forward(self, x):
        return x if x.sum() > 0 else -x


REFUSED = {
    "layer 'encoder' (LSTM): not supported; supported are": (Encoder(), (2, 2)),
    "layer '1' (SiLU): not supported; ": (nn.Sequential(nn.Linear(2, 2), nn.SiLU()), (2,)),
    "layer '0' (Softmax): not supported: only a final softmax can be left out": (
        nn.Sequential(nn.Softmax(1), nn.ReLU()),
        (2,),
    ),
    "layer '0' (GELU): not supported: only the exact form": (
        nn.Sequential(nn.GELU(approximate="tanh")),
        (2,),
    ),
    "layer '0' (Conv2d): not supported: padding_mode='reflect'": (
        nn.Sequential(nn.Conv2d(1, 1, 3, padding=1, padding_mode="reflect")),
        (1, 4, 4),
    ),
    "Branching cannot be traced by torch.fx": (Branching(), (2,)),
    "step 'mul' (mul): not supported: a product of two values": (
        Applied(lambda m, x: x * x),
        (2,),
    ),
    "step 'exp' (exp): not supported": (Applied(lambda m, x: torch.exp(x)), (2,)),
    "step 'sum_1' (sum): not supported: it does not keep the batch": (
        Applied(lambda m, x: x.sum(0)),
        (2,),
    ),
    "step 'reshape' (reshape): not supported: it does not keep the batch": (
        Applied(lambda m, x: x.reshape(-1)),
        (2,),
    ),
    "the module cannot be run on an input of shape [3]": (nn.Sequential(nn.Linear(2, 2)), (3,)),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_has_no_layer_is_refused_by_name(message):
    module, shape = REFUSED[message]
    with pytest.raises(ciber.Error) as refused:
        ciber.Network.from_torch(module, shape)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_only_modules_and_shapes_are_accepted():
    with pytest.raises(ciber.Error, match=r"expected a torch\.nn\.Module, not str"):
        ciber.Network.from_torch("net.pt", 2)
    with pytest.raises(ciber.Error, match="expected the lengths of the axes"):
        ciber.Network.from_torch(nn.Linear(2, 2), (-1, 2))


def test_infinite_weights_are_refused_by_name():
    module = nn.Sequential(nn.Linear(1, 1))
    with torch.no_grad():
        module[0].bias.fill_(math.inf)
    with pytest.raises(ciber.Error, match=r"0\.bias"):
        ciber.Network.from_torch(module, 1)


class Wide(nn.Module):
    """Two linear layers, around a function of both."""

    def __init__(self, function):
        super().__init__()
        self.first, self.relu, self.last = nn.Linear(2, 4), nn.ReLU(inplace=True), nn.Linear(4, 4)
        self.function = function

    def forward(self, x):
        return self.function(self, x)


def residual(module, x):
    hidden = module.first(x)
    return module.last(module.relu(hidden)) + hidden  # which the ReLU has changed


def discarded(module, x):
    hidden = module.first(x)
    hidden[:, :2].relu_()
    return module.last(hidden)


def softmax_over_rows(module, x):
    return torch.softmax(module.first(x), dim=0)


DIFFERENT = {
    "a step in place on a value that is used again": residual,
    "a step in place whose result is not used": discarded,
    "a number taken out of a tensor": lambda m, x: m.last(m.first(x) * (1 + x[:, 0].item())),
    "a softmax over the batch": softmax_over_rows,
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_a_network_that_is_not_the_module_is_refused(name):
    torch.manual_seed(1)
    with pytest.raises(ciber.Error, match="does not put out what the module does"):
        ciber.Network.from_torch(Wide(DIFFERENT[name]), 2)


def test_hooks_are_refused():
    module = nn.Sequential(nn.Linear(2, 3), nn.Tanh())
    module[0].register_forward_hook(lambda layer, given, found: 2 * found)
    with pytest.raises(ciber.Error, match="hooks"):
        ciber.Network.from_torch(module, 2)


def test_a_random_module_is_refused():
    with pytest.raises(ciber.Error, match="the module is random"):
        ciber.Network.from_torch(Wide(lambda m, x: m.first(x) + torch.randn(4)), 2)


def test_a_softplus_with_a_low_threshold_is_refused():
    with pytest.raises(ciber.Error, match="threshold=1 is below 20"):
        ciber.Network.from_torch(nn.Sequential(nn.Linear(2, 3), nn.Softplus(1, 1)), 2)


def test_a_step_in_place_that_changes_nothing_else_is_fine():
    module = Wide(lambda m, x: m.last(m.relu(m.first(x))))
    assert ciber.Network.from_torch(module, 2).output_size == 4


def test_large_numbers_that_cancel_are_no_difference():
    module = nn.Sequential(nn.Linear(2, 2, bias=False), nn.Linear(2, 1, bias=False))
    with torch.no_grad():
        module[0].weight.copy_(torch.tensor([[1e7, 0.0], [1e7, 1.0]]))
        module[1].weight.copy_(torch.tensor([[1.0, -1.0]]))
    assert ciber.Network.from_torch(module, 2)([0, 1]) == (-1,)
