"""Faults that people make in ports, one replacement each, and what verify must say of them."""

from typing import NamedTuple


class Fault(NamedTuple):
    program: str
    old: str
    new: str
    layers: str  # the layers that may be named, separated by |
    phase: str
    cause: str


FAULTS = [
    Fault("mlp", "0.5 * (net", "(net", "loss", "loss", "half-loss"),
    Fault("cnn", "loss.mean().backward()", "loss.sum().backward()", "loss|output", "gradient",
          "batch-size"),
    Fault("mlp", "nn.Dropout(0.3)", "nn.Dropout(0.5)", "0|1|2", "forward", "dropout"),
    Fault("mlp", "net.train()", "net.eval()", "0|1|2", "forward", "train-mode"),
    Fault("mlp", "nn.ReLU()", "nn.Sigmoid()", "0|0.act|2", "forward", "activation"),
    Fault("mlp", "nn.Tanh()", "nn.Identity()", "2|3|4", "forward", "activation"),
    Fault("mlp", "eps=1e-5", "eps=1e-2", "4", "forward", "eps"),
    Fault("mlp", "lr=0.05", "lr=0.06", "0|2|4|5", "update", "learning-rate"),
    Fault("mlp", "    optimizer.step()", "    optimizer.param_groups[0]['lr'] = 0.05 / (step + 1)\n"
          "    optimizer.step()", "0|2|4|5", "update", "learning-rate"),
    Fault("mlp", "momentum=0.9", "momentum=0.8", "0|2|4|5", "update", "momentum"),
    Fault("mlp", "groups, lr", "net.parameters(), lr", "0|2|4|5", "update", "bias-decay"),
    Fault("mlp", "weight_decay=0.01)", "weight_decay=0.0)", "0", "update", "weight-decay"),
    Fault("mlp", "    optimizer.zero_grad()\n", "", "5", "gradient", "gradients-add-up"),
    Fault("mlp", ".reshape(-1) - label", " - label", "loss", "loss", "reduction"),
    Fault("mlp", "net.parameters(), 1.0", "net.parameters(), 1e9", "5|loss", "gradient", "scale"),
    Fault("cnn", "eps=1e-3, momentum", "eps=1e-5, momentum", "bn1", "forward", "eps"),
    Fault("cnn", "eps=1e-5, momentum=0.1", "eps=1e-5, momentum=0.9", "bn2", "statistics",
          "momentum"),
    Fault("cnn", "nn.MaxPool2d(2)", "nn.AvgPool2d(2)", "bn1|pool|conv2", "forward", "pooling"),
    Fault("cnn", "x.permute(0, 3, 1, 2)", "x.reshape(-1, 2, 8, 8)", "conv1", "forward", "layout"),
    Fault("cnn", "self.bn2(self.conv2(x))", "self.bn2(self.conv3(x))", "conv2|bn2", "forward",
          "shared"),
    Fault("cnn", "nn.LeakyReLU(0.1)", "nn.LeakyReLU(0.01)", "act|conv3|output", "forward",
          "settings"),
    Fault("cnn", "F.cross_entropy(net(data)", "F.cross_entropy(F.softmax(net(data), 1)", "loss",
          "loss", "softmax"),
    Fault("cnn", "F.relu(self.bn2", "torch.tanh(self.bn2", "bn2|conv3", "forward", "activation"),
    Fault("cnn", "nesterov=True", "nesterov=False", "conv1", "update", "optimizer"),
    Fault("cnn", "self.conv3 = nn.Conv2d(4, 4, 3, padding=1)",
          "self.conv3 = nn.Conv2d(4, 4, 3, padding=1, padding_mode='replicate')", "conv3",
          "forward", "padding"),
    Fault("lstm", "i, f, g, o", "i, f, o, g", "lstm", "forward", "gates"),
    Fault("lstm", "scores.transpose(1, 2), batch[:, 1:]", "scores.transpose(1, 2), batch[:, :5]",
          "loss", "loss", "labels"),
    Fault("lstm", "eps=1e-8", "eps=1e-3", "decode|embed|lstm|gru", "update", "eps"),
    Fault("lstm", "betas=(0.9, 0.999)", "betas=(0.5, 0.999)", "decode|embed|lstm|gru", "update",
          "momentum"),
    Fault("lstm", "self.drop(self.embed(x))", "self.drop(self.embed(x).detach())", "embed",
          "gradient", "detach"),
    Fault("lstm", "self.decode(torch", "self.decode(2 * torch", "gru|decode", "forward", "scale"),
    Fault("lstm", "self.gru(self.lstm(", "self.gru(F.relu(self.lstm(", "lstm|gru", "forward",
          "activation"),
    Fault("lstm", "self.drop(self.embed(x))", "self.embed(x)", "embed|drop|lstm", "forward",
          "dropout"),
]  # fmt: skip
