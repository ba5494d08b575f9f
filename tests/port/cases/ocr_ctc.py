"""Reading digit strips with convolutions, a bidirectional LSTM and CTC."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn, rnn

SEQ, CLASSES = 8, 5


class EncoderLayer(gluon.Block):
    def __init__(self, hidden_states=8, lstm_layers=1, input_size=12, **kwargs):
        super(EncoderLayer, self).__init__(**kwargs)
        with self.name_scope():
            self.lstm = rnn.LSTM(hidden_states, lstm_layers, bidirectional=True,
                                 input_size=input_size)

    def forward(self, x):
        x = x.transpose((0, 3, 1, 2))
        x = x.flatten()
        x = x.reshape((-1, SEQ, 12))
        x = nd.swapaxes(x, 0, 1)
        x = self.lstm(x)
        return x.swapaxes(0, 1)


class CNNBiLSTM(gluon.Block):
    def __init__(self, **kwargs):
        super(CNNBiLSTM, self).__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential()
            with self.features.name_scope():
                self.features.add(nn.Conv2D(6, kernel_size=3, padding=1, in_channels=1))
                self.features.add(nn.InstanceNorm(in_channels=6))
                self.features.add(nn.LeakyReLU(0.1))
                self.features.add(nn.MaxPool2D((4, 2), strides=(4, 2)))
            self.encoder = EncoderLayer()
            self.decoder = nn.Dense(CLASSES + 1, in_units=16, flatten=False)

    def forward(self, x):
        return self.decoder(self.encoder(self.features(x)))


def strips(n, seed):
    r = np.random.RandomState(seed)
    labels = -np.ones((n, 4), dtype='float32')
    images = r.uniform(0, 0.2, (n, 1, 8, 16)).astype('float32')
    for i in range(n):
        k = r.randint(2, 5)
        for j, d in enumerate(r.randint(0, CLASSES, k)):
            labels[i, j] = d
            images[i, 0, d:d + 3, 4 * j:4 * j + 3] += 0.8
    return images, labels


images, labels = strips(24, 0)
data = gluon.data.DataLoader(gluon.data.ArrayDataset(images, labels), 6, shuffle=False)
net = CNNBiLSTM()
net.collect_params().initialize(mx.init.Xavier(), ctx=mx.cpu())
for i, p in enumerate(net.collect_params().values()):
    if p.grad_req != 'null':
        p.set_data(nd.array(np.random.RandomState(p.shape[0]).uniform(-0.4, 0.4, p.shape)))
ctc_loss = gluon.loss.CTCLoss(weight=0.5)
schedule = mx.lr_scheduler.FactorScheduler(step=4, factor=0.7)
trainer = gluon.Trainer(net.collect_params(), 'adam', {'learning_rate': 0.02, 'wd': 1e-5,
                                                       'clip_gradient': 2})
best = float('inf')
for epoch in range(3):
    losses = nd.zeros((1,))
    for i, (x, y) in enumerate(data):
        x, y = x.as_in_context(mx.cpu()), y.as_in_context(mx.cpu())
        with autograd.record():
            output = net(x)
            loss = ctc_loss(output, y)
        loss.backward()
        losses += loss.mean()
        trainer.step(x.shape[0])
    mean = float(losses.asscalar() / len(data))
    if mean < best:
        best = mean
        net.save_parameters('ocr.params')
    print('Epoch {0}, ctc loss {1:.5f}, lr {2}'.format(epoch, mean, trainer.learning_rate))
output = net(nd.array(images[:4]))
print(output.shape, nd.softmax(output).argmax(axis=2)[0].astype('int32').asnumpy().tolist())
