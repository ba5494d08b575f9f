"""Deep Q-learning on a little corridor, with a replay memory and a target network."""
import random
from collections import deque, namedtuple

import mxnet as mx
import mxnet.ndarray as nd
import numpy as np
from mxnet import autograd, gluon, init
from mxnet.gluon import nn

Transition = namedtuple('Transition', ('state', 'action', 'reward', 'next_state', 'done'))
GAMMA, BATCH, TARGET_UPDATE = 0.9, 8, 10
ctx = mx.cpu()


class Corridor:
    """Six fields; the right end pays."""

    def __init__(self):
        self.at = 2

    def reset(self):
        self.at = 2
        return self.observe()

    def observe(self):
        x = np.zeros(6, dtype='float32')
        x[self.at] = 1
        return x

    def step(self, action):
        self.at = max(0, min(5, self.at + (1 if action == 1 else -1)))
        done = self.at in (0, 5)
        return self.observe(), float(self.at == 5) - 0.01, done


class ReplayMemory(object):
    def __init__(self, capacity):
        self.memory = deque(maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, n, rng):
        return rng.sample(list(self.memory), n)

    def __len__(self):
        return len(self.memory)


class DuelingNet(gluon.HybridBlock):
    def __init__(self, actions, **kwargs):
        super(DuelingNet, self).__init__(**kwargs)
        with self.name_scope():
            self.body = nn.HybridSequential(prefix='body_')
            self.body.add(nn.Dense(16, activation='relu', in_units=6))
            self.value = nn.Dense(1, in_units=16)
            self.advantage = nn.Dense(actions, in_units=16)

    def hybrid_forward(self, F, x):
        h = self.body(x)
        v, a = self.value(h), self.advantage(h)
        return F.broadcast_add(v, F.broadcast_sub(a, F.mean(a, axis=1, keepdims=True)))


def set_weights(net, seed):
    for i, p in enumerate(net.collect_params().values()):
        p.set_data(nd.array(np.random.RandomState(seed + i).uniform(-.4, .4, p.shape), ctx=ctx))


def copy_params(source, target):
    for s, t in zip(source.collect_params().values(), target.collect_params().values()):
        t.set_data(s.data())


def choose(net, state, epsilon, rng):
    if rng.random() < epsilon:
        return rng.randrange(2)
    q = net(nd.array(state.reshape([1, -1]), ctx=ctx))
    return int(nd.argmax(q, axis=1).asscalar())


policy, target = DuelingNet(2, prefix='policy_'), DuelingNet(2, prefix='target_')
for net in (policy, target):
    net.collect_params().initialize(init.Xavier(), ctx=ctx)
    net.hybridize()
set_weights(policy, 0)
copy_params(policy, target)
huber = gluon.loss.HuberLoss(rho=1)
trainer = gluon.Trainer(policy.collect_params(), 'rmsprop',
                        {'learning_rate': 0.005, 'gamma1': 0.95, 'epsilon': 0.01,
                         'clip_gradient': 1.0})
memory, rng, env = ReplayMemory(200), random.Random(0), Corridor()
steps, losses = 0, []
for episode in range(12):
    state, done, total, length = env.reset(), False, 0.0, 0
    epsilon = max(0.1, 1.0 - episode / 8)
    while not done and length < 20:
        action = choose(policy, state, epsilon, rng)
        next_state, reward, done = env.step(action)
        memory.push(state, action, reward, next_state, done)
        state, total, length, steps = next_state, total + reward, length + 1, steps + 1
        if len(memory) < BATCH:
            continue
        batch = Transition(*zip(*memory.sample(BATCH, rng)))
        s = nd.array(np.stack(batch.state), ctx=ctx)
        s2 = nd.array(np.stack(batch.next_state), ctx=ctx)
        a = nd.array(batch.action, ctx=ctx)
        r = nd.array(batch.reward, ctx=ctx)
        alive = 1 - nd.array(batch.done, ctx=ctx)
        # double DQN: the policy chooses, the target judges
        best = nd.argmax(policy(s2), axis=1)
        y = r + GAMMA * nd.pick(target(s2), best, axis=1) * alive
        with autograd.record():
            q = nd.pick(policy(s), a, axis=1)
            loss = nd.mean(huber(q, y))
        loss.backward()
        trainer.step(1)
        losses.append(loss.asscalar())
        if steps % TARGET_UPDATE == 0:
            copy_params(policy, target)
    print('episode %2d reward %.2f steps %d' % (episode, total, length))
print('loss %.5f %.5f' % (losses[0], losses[-1]))
print(nd.argmax(policy(nd.array(np.eye(6))), axis=1).astype('int32').asnumpy().tolist())
policy.save_parameters('policy.params')
again = DuelingNet(2)
again.load_parameters('policy.params', ctx=ctx)
print(nd.abs(again(nd.array(np.eye(6))) - policy(nd.array(np.eye(6)))).max().asscalar() < 1e-6)
