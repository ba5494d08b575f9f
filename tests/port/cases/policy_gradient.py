"""Learning by trying: a policy on a line of places, with its values as the baseline."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

PLACES, GOAL, LIMIT, GAMMA = 7, 5, 12, 0.9
dice = np.random.RandomState(30)


class Line:
    """Steps to the left or to the right; the goal pays, each step costs."""

    def reset(self):
        self.place, self.steps = 2, 0
        return self.place

    def step(self, action):
        self.place = min(max(self.place + (1 if action else -1), 0), PLACES - 1)
        self.steps += 1
        done = self.place == GOAL or self.steps == LIMIT
        return self.place, (1.0 if self.place == GOAL else -0.05), done


class Policy(gluon.Block):
    def __init__(self, actions, **kwargs):
        super(Policy, self).__init__(**kwargs)
        with self.name_scope():
            self.dense = nn.Dense(16, in_units=PLACES, activation='relu')
            self.action_pred = nn.Dense(actions, in_units=16)
            self.value_pred = nn.Dense(1, in_units=16)

    def forward(self, x):
        x = self.dense(x)
        probs = self.action_pred(x)
        values = self.value_pred(x)
        return nd.softmax(probs), values


net = Policy(2)
net.initialize(mx.init.Uniform(0.02))
weights = np.random.RandomState(2)
for param in net.collect_params().values():
    param.set_data(nd.array(weights.normal(0, 0.3, size=param.shape)))
trainer = gluon.Trainer(net.collect_params(), 'adam', {'learning_rate': 3e-2})
huber = gluon.loss.HuberLoss()
line = Line()
history = []
for episode in range(24):
    place, done = line.reset(), False
    rewards, values, chosen, entropies = [], [], [], []
    with autograd.record():
        while not done:
            state = nd.one_hot(nd.array([place]), PLACES)
            probs, value = net(state)
            # the dice are NumPy's
            with autograd.pause():
                action = int(dice.rand() < probs[0, 1].asscalar())
            logp = nd.log(probs + 1e-9)
            chosen.append(nd.pick(logp, nd.array([action]), axis=1))
            entropies.append(-nd.sum(probs * logp, axis=1))
            values.append(value)
            place, reward, done = line.step(action)
            rewards.append(reward)
        # what each step was worth in the end
        returns, R = [], 0.0
        for r in rewards[::-1]:
            R = r + GAMMA * R
            returns.insert(0, R)
        L = 0
        for logp, value, entropy, R in zip(chosen, values, entropies, returns):
            advantage = R - value.detach().reshape((-1,))
            L = L - logp * advantage - 0.01 * entropy
            L = L + huber(value, nd.array([[R]]))
        final = L / len(rewards)
    final.backward()
    trainer.step(batch_size=1)
    history.append((sum(rewards), len(rewards)))
    if (episode + 1) % 6 == 0:
        mean = np.mean([h[0] for h in history[-6:]])
        print('episodes to %d: reward %.4f, steps %.2f, loss %.4f' % (
            episode + 1, mean, np.mean([h[1] for h in history[-6:]]), final.asscalar()))

probs, values = net(nd.eye(PLACES))
print('to the right', ' '.join('%.3f' % p for p in probs.slice_axis(axis=1, begin=1, end=2).reshape(-1).asnumpy()))
print('values', ' '.join('%.3f' % v for v in values.flatten()[:, 0].asnumpy()))
print('greedy', probs.argmax(axis=1).asnumpy().astype(int).tolist())
baseline = nd.mean(values).asscalar()
print('mean value %.4f, best place %d' % (baseline, int(values.argmax(axis=0).asscalar())))
