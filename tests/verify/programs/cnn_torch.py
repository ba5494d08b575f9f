import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

np.random.seed(3)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(2, 4, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(4, eps=1e-3, momentum=0.1)
        self.pool = nn.MaxPool2d(2)
        self.conv2 = nn.Conv2d(4, 4, 3, padding=1)
        self.bn2 = nn.BatchNorm2d(4, eps=1e-5, momentum=0.1)
        self.conv3 = nn.Conv2d(4, 4, 3, padding=1)
        self.act = nn.LeakyReLU(0.1)
        self.output = nn.Linear(64, 3)

    def forward(self, x):
        x = x.permute(0, 3, 1, 2)
        x = self.pool(F.relu(self.bn1(self.conv1(x))))
        x = F.relu(self.bn2(self.conv2(x)))
        return self.output(self.act(self.conv3(x)).flatten(1))


net = Net()
X = torch.tensor(np.random.rand(24, 8, 8, 2), dtype=torch.float32)
y = torch.tensor(np.random.randint(0, 3, 24))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, nesterov=True)
for step in range(4):
    net.train()
    data, label = X[step * 6 : step * 6 + 6], y[step * 6 : step * 6 + 6]
    loss = F.cross_entropy(net(data), label, reduction="none")
    optimizer.zero_grad()
    loss.mean().backward()
    optimizer.step()
    print("step %d loss %.5f" % (step, loss.mean().item()))
net.eval()
print("predicts", net(X).argmax(dim=1).numpy().astype(int).tolist())
