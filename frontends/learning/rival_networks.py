"""The methods of rivals.py that need torch: ensembles and approximate posteriors of a perceptron.

All have one hidden layer of 50 units, of a regression two outputs (a mean and the logarithm of a
variance), and start from weights found by Adam with early stopping on a tenth of the rows.
"""

import copy
import math

import numpy
import torch

torch.set_num_threads(1)

HIDDEN = 50
LEAST_VARIANCE = 1e-6
PRIOR_PRECISION = 1.0  # of every weight, for the methods that have a prior
SAMPLES = 30  # that a posterior is averaged over


def warm_up():
    """A step of descent, before which torch loads more of itself."""
    net = perceptron(1, 1)
    steps = torch.optim.Adam(net.parameters())
    net(torch.zeros(1, 1)).sum().backward()
    steps.step()


# Networks and their likelihood.


def perceptron(inputs, outputs):
    return torch.nn.Sequential(
        torch.nn.Linear(inputs, HIDDEN), torch.nn.ReLU(), torch.nn.Linear(HIDDEN, outputs)
    )


def outputs_of(task):
    return 2 if task.regression else task.classes


def tensors(task):
    kind = torch.float32 if task.regression else torch.long
    return torch.tensor(task.X, dtype=torch.float32), torch.tensor(task.y, dtype=kind)


def variance_of(found):
    return torch.nn.functional.softplus(found[:, 1]) + LEAST_VARIANCE


def normal_loss(found, targets):
    variance = variance_of(found)
    return (0.5 * (torch.log(variance) + (targets - found[:, 0]) ** 2 / variance)).mean()


def loss_of(task):
    """The mean negative log likelihood, without constants."""
    return normal_loss if task.regression else torch.nn.functional.cross_entropy


def divided(task, number):
    """Rows to train on, rows to stop by."""
    torch.manual_seed(1000 * task.seed + number)
    order = torch.randperm(len(task.X))
    held = max(1, len(task.X) // 10)
    return order[held:], order[:held]


def trained(task, number, outputs, loss):
    """A perceptron by Adam with early stopping on a tenth of the rows."""
    rest, kept = divided(task, number)
    inputs, targets = tensors(task)
    net = perceptron(inputs.shape[1], outputs)
    steps = torch.optim.Adam(net.parameters(), lr=0.01, weight_decay=1e-4)
    best, best_state, since = math.inf, copy.deepcopy(net.state_dict()), 0
    for _ in range(1000):
        for batch in rest[torch.randperm(len(rest))].split(64):
            steps.zero_grad()
            loss(net(inputs[batch]), targets[batch]).backward()
            steps.step()
        with torch.no_grad():
            found = float(loss(net(inputs[kept]), targets[kept]))
        since += 1
        if found < best:
            best, best_state, since = found, copy.deepcopy(net.state_dict()), 0
        if since == 30:
            break
    net.load_state_dict(best_state)
    return net


def flat(net):
    return torch.nn.utils.parameters_to_vector(net.parameters()).detach().double()


def set_flat(net, vector):
    torch.nn.utils.vector_to_parameters(vector.float(), net.parameters())


def outputs_at(net, vector, inputs):
    """The network's outputs with these weights, as a function that torch can differentiate."""
    values, start = {}, 0
    for name, parameter in net.named_parameters():
        count = parameter.numel()
        values[name] = vector[start : start + count].view_as(parameter)
        start += count
    return torch.func.functional_call(net, values, (inputs,))


def mixture(task, found):
    """Forecasts from the outputs of several networks: a mixture of normal laws, or mean shares."""
    if not task.regression:
        return torch.stack([torch.softmax(each.double(), 1) for each in found]).mean(0).numpy()
    parts = []
    for each in found:
        parts += [each[:, 0].double(), variance_of(each.double()).sqrt()]
    return torch.stack(parts, 1).numpy()


def forecasts_at(task, net, vectors):
    tests = torch.tensor(task.T, dtype=torch.float32)
    found = []
    with torch.no_grad():
        for vector in vectors:
            set_flat(net, vector)
            found.append(net(tests))
    return mixture(task, found)


# Ensembles (Lakshminarayanan, Pritzel and Blundell 2017), as mixtures.


def deep_ensemble(task):
    nets = [trained(task, number, outputs_of(task), loss_of(task)) for number in range(5)]
    tests = torch.tensor(task.T, dtype=torch.float32)
    with torch.no_grad():
        return mixture(task, [net(tests) for net in nets])


# SWAG (Maddox et al. 2019): a Gaussian fitted to the iterates of stochastic gradient descent.


def iterates(task, net, rate, epochs, rows):
    """The weights after each epoch of descent at a constant rate."""
    inputs, targets = tensors(task)
    loss = loss_of(task)
    steps = torch.optim.SGD(net.parameters(), lr=rate, momentum=0.9, weight_decay=1e-4)
    result = []
    for _ in range(epochs):
        for batch in rows[torch.randperm(len(rows))].split(64):
            steps.zero_grad()
            loss(net(inputs[batch]), targets[batch]).backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            steps.step()
        result.append(flat(net))
    return torch.stack(result)


def swag_draws(found, count, rank=20):
    """Draws from the Gaussian whose covariance is half diagonal, half of low rank."""
    mean = found.mean(0)
    diagonal = (found.var(0, unbiased=False)).clamp_min(0)
    last = (found - mean)[-rank:]
    draws = []
    for _ in range(count):
        low = last.T @ torch.randn(len(last), dtype=torch.double) / math.sqrt(2 * (len(last) - 1))
        noise = diagonal.sqrt() * torch.randn(len(mean), dtype=torch.double) / math.sqrt(2)
        draws.append(mean + noise + low)
    return draws


def held_score(task, net, vectors, kept):
    """The log likelihood of rows that were kept back, by the mixture of these weights."""
    from scipy.special import logsumexp

    inputs, targets = tensors(task)
    logs = []
    with torch.no_grad():
        for vector in vectors:
            set_flat(net, vector)
            found = net(inputs[kept]).double()
            if task.regression:
                variance = variance_of(found)
                error = targets[kept].double() - found[:, 0]
                logs.append(-0.5 * (torch.log(variance) + error**2 / variance).numpy())
            else:
                logs.append(
                    -torch.nn.functional.cross_entropy(
                        found, targets[kept], reduction="none"
                    ).numpy()
                )
    score = float(numpy.mean(logsumexp(numpy.array(logs), axis=0)))
    return score if math.isfinite(score) else -math.inf


def best_iterates(task):
    """A trained network, and the iterates at that rate whose draws are best for rows kept back."""
    net = trained(task, 0, outputs_of(task), loss_of(task))
    rest, kept = divided(task, 0)
    start, best, chosen = flat(net), -math.inf, None
    for rate in (1e-4, 1e-3, 1e-2):
        set_flat(net, start)
        found = iterates(task, net, rate, 40, rest)
        if not torch.isfinite(found).all():
            continue
        score = held_score(task, net, swag_draws(found, 10), kept)
        if chosen is None or score > best:
            best, chosen = score, found
    return net, chosen


def swag(task):
    net, found = best_iterates(task)
    return forecasts_at(task, net, swag_draws(found, SAMPLES))


# Laplace's method (Daxberger et al. 2021), by the package laplace-torch.


def laplace(task, net, weights, hessian):
    """The posterior of a network of one output (the mean), or of logits; noise by its residuals."""
    from laplace import Laplace

    inputs, targets = tensors(task)
    kind = "regression" if task.regression else "classification"
    data = torch.utils.data.TensorDataset(inputs, targets[:, None] if task.regression else targets)
    model = Laplace(net, kind, subset_of_weights=weights, hessian_structure=hessian)
    if task.regression:
        with torch.no_grad():
            errors = (net(inputs)[:, 0] - targets) ** 2
        model.sigma_noise = float(errors.mean().sqrt())
    model.fit(torch.utils.data.DataLoader(data, batch_size=256))
    model.optimize_prior_precision()
    return model


def squared_loss(found, targets):
    return ((found[:, 0] - targets) ** 2).mean()


def laplace_forecasts(task, model):
    tests = torch.tensor(task.T, dtype=torch.float32)
    if not task.regression:
        return model(tests).detach().double().numpy()
    mean, variance = model(tests)
    mean, variance = mean.detach().double()[:, 0], variance.detach().double()[:, 0, 0]
    return torch.stack([mean, (variance + float(model.sigma_noise) ** 2).sqrt()], 1).numpy()


def laplace_of(task, weights, hessian):
    loss = squared_loss if task.regression else loss_of(task)
    net = trained(task, 0, 1 if task.regression else task.classes, loss)
    return laplace_forecasts(task, laplace(task, net, weights, hessian))


def last_layer_laplace(task):
    return laplace_of(task, "last_layer", "full")


def kfac_laplace(task):
    return laplace_of(task, "all", "kron")


# Neural linear (Snoek et al. 2015): Bayesian linear regression on what enters the last layer.


def neural_linear(task):
    from sklearn.linear_model import BayesianRidge

    if not task.regression:
        raise ImportError("is for numbers")
    net = trained(task, 0, 1, squared_loss)
    with torch.no_grad():
        features = net[:2](torch.tensor(task.X, dtype=torch.float32)).double().numpy()
        tests = net[:2](torch.tensor(task.T, dtype=torch.float32)).double().numpy()
    mean, deviation = BayesianRidge().fit(features, task.y).predict(tests, return_std=True)
    return numpy.column_stack([mean, deviation])


# Variational inference (Graves 2011; Blundell et al. 2015).


def mean_field(log_joint, start, steps, rate=0.01, deviation=0.01, draws=1):
    """The independent normal laws nearest to exp(log_joint): Adam on the evidence lower bound.
    Returns means and deviations, averaged over the last quarter of the steps."""
    mean = start.detach().clone().requires_grad_(True)
    raw = torch.full_like(mean, math.log(deviation)).detach().requires_grad_(True)
    optimizer = torch.optim.Adam([mean, raw], lr=rate)
    kept_mean, kept_raw, kept = torch.zeros_like(start), torch.zeros_like(start), 0
    for step in range(steps):
        optimizer.zero_grad()
        bound = raw.sum()
        for _ in range(draws):
            noise = torch.randn_like(start)
            bound = bound + log_joint(mean + raw.exp() * noise) / draws
        (-bound).backward()
        optimizer.step()
        if 4 * step >= 3 * steps:
            kept_mean += mean.detach()
            kept_raw += raw.detach()
            kept += 1
    return kept_mean / kept, (kept_raw / kept).exp()


def log_joint_of(task, net, rows_per_step=256):
    """An unbiased estimate of the log of likelihood times prior, as a function of all weights."""
    inputs, targets = tensors(task)
    loss = loss_of(task)
    count = len(inputs)

    def log_joint(vector):
        batch = torch.randint(count, (min(rows_per_step, count),))
        found = outputs_at(net, vector.float(), inputs[batch])
        prior = 0.5 * PRIOR_PRECISION * (vector**2).sum()
        return -count * loss(found, targets[batch]) - prior

    return log_joint


def mean_field_vi(task):
    net = trained(task, 0, outputs_of(task), loss_of(task))
    mean, deviation = mean_field(log_joint_of(task, net), flat(net), 4000, 0.003)
    vectors = [mean + deviation * torch.randn_like(mean) for _ in range(SAMPLES)]
    return forecasts_at(task, net, vectors)


# Subspace inference (Izmailov et al. 2019): the posterior in the plane of the iterates' largest
# principal components, at a temperature, by elliptical slice sampling or a variational law.

DIMENSIONS = 5


def subspace(found, dimensions):
    """The mean of the iterates and their principal directions, scaled by their deviations."""
    mean = found.mean(0)
    _, scales, rows = torch.linalg.svd(found - mean, full_matrices=False)
    count = min(dimensions, len(scales))
    return mean, rows[:count].T * scales[:count] / math.sqrt(max(1, len(found) - 1))


def elliptical_slice(log_likelihood, start, steps, generator):
    """Draws from exp(log_likelihood) times a standard normal prior (Murray, Adams, MacKay 2010)."""
    state, level, result = start.clone(), float(log_likelihood(start)), []
    for _ in range(steps):
        other = torch.randn(state.shape, dtype=state.dtype, generator=generator)
        uniforms = torch.rand(2, dtype=torch.double, generator=generator)
        threshold = level + math.log(max(float(uniforms[0]), 1e-300))
        angle = 2 * math.pi * float(uniforms[1])
        low, high = angle - 2 * math.pi, angle
        while True:
            tried = state * math.cos(angle) + other * math.sin(angle)
            found = float(log_likelihood(tried))
            if found > threshold or high - low < 1e-12:
                break
            low, high = (angle, high) if angle < 0 else (low, angle)
            angle = low + (high - low) * float(torch.rand(1, generator=generator))
        state, level = tried, found
        result.append(state)
    return torch.stack(result)


def subspace_posterior(task):
    """The network, the subspace, and the tempered log likelihood there. The temperature is the
    number of rows for each dimension, so that few dimensions are not determined by many rows."""
    net, found = best_iterates(task)
    mean, directions = subspace(found, DIMENSIONS)
    inputs, targets = tensors(task)
    loss = loss_of(task)
    temperature = max(1.0, len(inputs) / directions.shape[1] / 10)

    def log_likelihood(z):
        vector = mean + directions @ z
        return -len(inputs) * loss(outputs_at(net, vector.float(), inputs), targets) / temperature

    return net, mean, directions, log_likelihood


def subspace_ess(task):
    net, mean, directions, log_likelihood = subspace_posterior(task)
    generator = torch.Generator().manual_seed(task.seed)
    start = torch.zeros(directions.shape[1], dtype=torch.double)
    with torch.no_grad():
        draws = elliptical_slice(log_likelihood, start, 20 + 10 * SAMPLES, generator)[20::10]
    return forecasts_at(task, net, [mean + directions @ z for z in draws])


def subspace_vi(task):
    net, mean, directions, log_likelihood = subspace_posterior(task)
    start = torch.zeros(directions.shape[1], dtype=torch.double)
    middle, deviation = mean_field(
        lambda z: log_likelihood(z) - 0.5 * (z**2).sum(), start, 1000, 0.03, 0.3
    )
    draws = [middle + deviation * torch.randn_like(middle) for _ in range(SAMPLES)]
    return forecasts_at(task, net, [mean + directions @ z for z in draws])
