import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

np.random.seed(5)


class LSTM(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.weight_ih = nn.Parameter(torch.empty(4 * hidden, inputs))
        self.weight_hh = nn.Parameter(torch.empty(4 * hidden, hidden))
        self.bias_ih = nn.Parameter(torch.empty(4 * hidden))
        self.bias_hh = nn.Parameter(torch.empty(4 * hidden))

    def forward(self, x):
        h = c = x.new_zeros(x.shape[0], self.weight_hh.shape[1])
        outputs = []
        for t in range(x.shape[1]):
            gates = F.linear(x[:, t], self.weight_ih, self.bias_ih)
            gates = gates + F.linear(h, self.weight_hh, self.bias_hh)
            i, f, g, o = gates.chunk(4, 1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
            outputs.append(h)
        return torch.stack(outputs, 1)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(12, 6)
        self.drop = nn.Dropout(0.2)
        self.lstm = LSTM(6, 8)
        self.gru = nn.GRU(8, 8, batch_first=True)
        self.decode = nn.Linear(8, 12)

    def forward(self, x):
        hidden, _ = self.gru(self.lstm(self.drop(self.embed(x))))
        scores = hidden @ hidden.transpose(1, 2) / math.sqrt(8)
        return self.decode(torch.softmax(scores, -1) @ hidden)


net = Model()
tokens = torch.tensor(np.random.randint(0, 12, (20, 6)))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01, betas=(0.9, 0.999), eps=1e-8)
net.train()
for step in range(5):
    batch = tokens[step * 4 : step * 4 + 4]
    scores = net(batch[:, :5])
    loss = F.cross_entropy(scores.transpose(1, 2), batch[:, 1:], reduction="none").mean(1)
    optimizer.zero_grad()
    (loss.sum() / 4).backward()
    optimizer.step()
    print("step %d loss %.5f" % (step, loss.mean().item()))
