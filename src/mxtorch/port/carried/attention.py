"""gluonnlp's Transformer encoder, of torch's layers."""

from __future__ import annotations

import torch
from torch import nn


class TransformerEncoder(nn.Module):
    """Inputs (batch, length, units), scaled, with positions, normalized; then torch's encoder.

    Attention has no biases; outputs past `valid_length` are 0. Gives (outputs, []).
    """

    def __init__(
        self, num_layers=2, units=512, hidden_size=2048, max_length=50, num_heads=4,
        scale_embed=True, norm_inputs=True, dropout=0.0,
    ):  # fmt: skip
        super().__init__()
        self.scale = units**0.5 if scale_embed else 1.0
        channel = torch.arange(units)
        angle = torch.arange(max_length).unsqueeze(1) / 10000.0 ** (2.0 / units * channel)
        position = torch.where(channel % 2 == 0, angle.sin(), angle.cos())
        self.register_buffer("position", position)
        self.norm = nn.LayerNorm(units) if norm_inputs else nn.Identity()
        self.dropout = nn.Dropout(dropout)
        layer = nn.TransformerEncoderLayer(
            units, num_heads, hidden_size, dropout=dropout, batch_first=True
        )
        layer.self_attn = nn.MultiheadAttention(
            units, num_heads, dropout=dropout, bias=False, batch_first=True
        )
        self.encoder = nn.TransformerEncoder(layer, num_layers, enable_nested_tensor=False)

    def forward(self, inputs, states=None, valid_length=None):
        length = inputs.shape[1]
        x = self.dropout(self.norm(inputs * self.scale + self.position[:length]))
        if valid_length is None:
            return self.encoder(x), []
        steps = torch.arange(length, device=x.device)
        padding = steps >= valid_length.reshape(-1, 1)
        x = self.encoder(x, src_key_padding_mask=padding)
        return x.masked_fill(padding.unsqueeze(-1), 0.0), []
