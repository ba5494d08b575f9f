"""NumPy's interface: a line and a small classifier fitted by hand, then with Gluon."""

from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn

npx.set_np()
npx.random.seed(11)

slope, height = np.array([1.5, -2.0, 0.5]), 0.75
points = np.random.normal(0, 1, (96, 3))
targets = np.dot(points, slope) + height + np.random.normal(0, 0.05, (96,))
print("points", points.shape, points.dtype, points[0])

weight = np.zeros(3)
bias = np.zeros(())
for array in (weight, bias):
    array.attach_grad()
for epoch in range(4):
    for start in range(0, 96, 16):
        x, y = points[start : start + 16], targets[start : start + 16]
        with autograd.record():
            loss = ((np.dot(x, weight) + bias - y) ** 2 / 2).mean()
        loss.backward()
        for array in (weight, bias):
            array[()] = array - 0.3 * array.grad
    error = np.abs(np.dot(points, weight) + bias - targets).mean()
    print("epoch %d: mean error %.5f" % (epoch, float(error)))
print("weight", ["%.4f" % w for w in weight.tolist()], "bias %.4f" % bias.item())

# classes: three clusters in the plane
centers = np.array([[0, 2], [2, -1], [-2, -1]])
labels = np.arange(90) % 3
cloud = centers[labels.astype("int32")] + 0.6 * np.random.uniform(-1, 1, (90, 2))
mask = cloud[:, 0] > 1
print("right of 1:", int(mask.sum()), cloud[mask].shape, ["%.4f" % m for m in cloud[mask].mean(axis=0)])


def log_probabilities(scores):
    """The logarithm of the softmax of each row."""
    top = scores.max(axis=1, keepdims=True)
    return scores - top - np.log(np.exp(scores - top).sum(axis=1, keepdims=True))


layers = [np.random.normal(0, 0.3, shape) for shape in ((2, 8), (8,), (8, 3), (3,))]
for array in layers:
    array.attach_grad()
rows = np.arange(90)
for step in range(6):
    with autograd.record():
        hidden = npx.relu(np.dot(cloud, layers[0]) + layers[1])
        chances = log_probabilities(np.dot(hidden, layers[2]) + layers[3])
        loss = -chances[rows, labels].mean()
    loss.backward()
    for array in layers:
        array -= 0.5 * array.grad
    right = (chances.argmax(axis=1).astype("float32") == labels).mean()
    print("step %d: loss %.5f, right %.3f" % (step, loss.item(), float(right)))

net = nn.HybridSequential()
net.add(nn.Dense(8, activation="tanh"), nn.BatchNorm(), nn.Dropout(0.2), nn.Dense(3))
net.initialize(init.Xavier())
net.hybridize()
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.05})
measure = gluon.loss.SoftmaxCrossEntropyLoss()
batches = gluon.data.DataLoader(gluon.data.ArrayDataset(cloud, labels), batch_size=30)
for epoch in range(4):
    total = 0.0
    for x, y in batches:
        with autograd.record():
            loss = measure(net(x), y)
        loss.backward()
        trainer.step(x.shape[0])
        total += float(loss.sum())
    print("epoch %d: %.4f" % (epoch, total / 90))
print(type(net[0].weight.data()).__name__, net[0].weight.shape, "%.3f" % net[3].bias.data().max())
