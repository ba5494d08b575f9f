"""Groups of points without labels: k-means, then a mixture of Gaussians by expectation maximization."""
import math

import mxnet as mx
import numpy as np
from mxnet import nd

rng = np.random.RandomState(10)
truth = np.array([[0, 0], [4, 1], [1, 5]])
points = nd.array(np.concatenate([c + rng.normal(scale=0.7, size=(60, 2)) for c in truth]))
n, d = points.shape
k = 3


def squared_distances(x, centers):
    """(points, centers)"""
    difference = nd.expand_dims(x, axis=1) - centers.expand_dims(axis=0)
    return nd.sum(difference ** 2, axis=2)


def farthest_first(x, k):
    """Centers far from each other to begin with."""
    chosen = [0]
    nearest = squared_distances(x, x[0:1]).reshape((-1,))
    while len(chosen) < k:
        at = int(nd.argmax(nearest, axis=0).asscalar())
        chosen.append(at)
        nearest = nd.minimum(nearest, squared_distances(x, x[at:at + 1])[:, 0])
    return nd.stack(*[x[i] for i in chosen]), chosen


centers, chosen = farthest_first(points, k)
print('begin with', chosen)
for iteration in range(20):
    distances = squared_distances(points, centers)
    group = distances.argmin(axis=1)
    member = nd.one_hot(group, k)                # (points, k)
    size = member.sum(axis=0)
    moved = nd.dot(member.T, points) / size.reshape((k, 1))
    change = nd.norm(moved - centers).asscalar()
    centers = moved
    if change < 1e-5:
        break
within = nd.pick(distances, group, axis=1)
print('after %d: sizes %s, within %.4f' % (
    iteration, size.asnumpy().astype(int).tolist(), within.mean().asscalar()))
order = nd.argsort(centers[:, 0])
print('centers', nd.take(centers, order).asnumpy().round(3).tolist())


def log_density(x, mean, cov):
    """Of a Gaussian, by the Cholesky factor."""
    low = mx.nd.linalg.potrf(cov)
    white = mx.nd.linalg.trsm(low, (x - mean.reshape((1, -1))).T)
    half_logdet = mx.nd.linalg.sumlogdiag(low)
    return -0.5 * nd.sum(white ** 2, axis=0) - half_logdet - 0.5 * d * math.log(2 * math.pi)


def log_sum_exp(a, axis):
    top = nd.max(a, axis=axis, keepdims=True)
    return top + nd.log(nd.sum(nd.exp(a - top), axis=axis, keepdims=True))


weight = nd.full((k,), 1.0 / k)
means = [centers[i] for i in range(k)]
covs = [nd.eye(d) for _ in range(k)]
previous = -float('inf')
for iteration in range(30):
    # what each group says of each point
    joint = nd.stack(*[log_density(points, means[i], covs[i]) + nd.log(weight[i])
                       for i in range(k)], axis=1)
    total = log_sum_exp(joint, axis=1)
    share = nd.exp(joint - total)
    likelihood = total.mean().asscalar()
    if iteration % 5 == 0:
        print('iteration %d: %.5f' % (iteration, likelihood))
    if likelihood - previous < 1e-6:
        break
    previous = likelihood
    mass = share.sum(axis=0)
    weight = mass / n
    for i in range(k):
        r = share.slice_axis(axis=1, begin=i, end=i + 1)
        means[i] = nd.sum(r * points, axis=0) / mass[i]
        away = points - means[i].expand_dims(0)
        covs[i] = nd.dot(away * r, away, transpose_a=True) / mass[i] + 1e-6 * nd.eye(d)

print('weights', ' '.join('%.3f' % w for w in nd.sort(weight, is_ascend=False).asnumpy()))
for i in np.argsort([m[0].asscalar() for m in means]):
    print(' mean', means[i].asnumpy().round(3).tolist(), 'det %.4f' % mx.nd.linalg.det(covs[i]).asscalar())
certain = (share.max(axis=1) > 0.99).mean().asscalar()
print('certain of %.3f' % certain)
agree = nd.broadcast_equal(share.argmax(axis=1), group).sum().asscalar()
print('agree with k-means on', int(agree), 'of', n)
first, second, third = nd.split(nd.where(share > 0.5, share, nd.zeros_like(share)), 3, axis=1)
print('%.3f' % (first + second + third).mean().asscalar())
