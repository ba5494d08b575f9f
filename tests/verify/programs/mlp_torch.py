import numpy as np
import torch
from torch import nn

np.random.seed(7)
net = nn.Sequential(
    nn.Linear(5, 16),
    nn.ReLU(),
    nn.Dropout(0.3),
    nn.Linear(16, 8),
    nn.Tanh(),
    nn.LayerNorm(8, eps=1e-5),
    nn.Linear(8, 1),
)
X = torch.tensor(np.random.randn(48, 5), dtype=torch.float32)
y = torch.tensor(np.random.randn(48), dtype=torch.float32)
kept = [p for n, p in net.named_parameters() if p.ndim > 1]
free = [p for n, p in net.named_parameters() if p.ndim == 1]
groups = [{"params": kept}, {"params": free, "weight_decay": 0.0}]
optimizer = torch.optim.SGD(groups, lr=0.05, momentum=0.9, weight_decay=0.01)
net.train()
for step in range(6):
    data, label = X[step * 8 : step * 8 + 8], y[step * 8 : step * 8 + 8]
    loss = 0.5 * (net(data).reshape(-1) - label).square()
    optimizer.zero_grad()
    (loss.sum() / 8).backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    print("step %d loss %.5f" % (step, loss.mean().item()))
