import mxnet as mx
from mxnet import nd, autograd, gluon
from mxnet.gluon import nn
mx.random.seed(1)
net = nn.Sequential()
net.add(nn.Dense(8, activation='relu'), nn.Dropout(0.5), nn.BatchNorm(), nn.Dense(1))
net.initialize(mx.init.Xavier())
X = nd.random.normal(shape=(32, 4))
y = X.sum(axis=1)
data = gluon.data.DataLoader(gluon.data.ArrayDataset(X, y), batch_size=8, shuffle=True)
loss_fn = gluon.loss.L2Loss()
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1, 'momentum': 0.9, 'wd': 0.001})
for epoch in range(3):
    total = 0
    for a, b in data:
        with autograd.record():
            loss = loss_fn(net(a), b)
        loss.backward()
        trainer.step(8)
        total += loss.mean().asscalar()
    print(epoch, total)
print(net(X).sum().asscalar())
