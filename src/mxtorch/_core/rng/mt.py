"""MT19937: one engine, and a bank of engines that advance together.

Both give the raw 32-bit numbers of `numpy.random.RandomState(seed)`, with look-ahead: a
sampler looks at numbers first and then says how many it has used.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mxtorch._core.rng.arrays import I64, U32, Array, I64Array, U32Array
from mxtorch._core.rng.scratch import scratch

N = 624  # words of state; also the numbers that one twist yields
_M = 397
GROUP = 64  # rows twisted together: their state and work arrays stay in the cache
_NEWEST, _END = 2 * N, 3 * N  # columns of a bank's buffer: the newest block, its end
_MASK32 = 0xFFFFFFFF


def _u32(value: int) -> Array:
    return np.array(value, U32)


_UPPER, _LOWER, _MATRIX = _u32(0x80000000), _u32(0x7FFFFFFF), _u32(0x9908B0DF)
_B, _C = _u32(0x9D2C5680), _u32(0xEFC60000)
_1, _7, _11, _15, _18 = (_u32(v) for v in (1, 7, 11, 15, 18))


def twist(state: U32Array) -> None:
    """Advance states, shape (rows, 624) and contiguous, by one block, in place."""
    mix = scratch("twist.mix", state.shape, U32)
    odd = scratch("twist.odd", state.shape, U32)
    words, flat, tmp = state.reshape(-1), mix.reshape(-1), odd.reshape(-1)
    # Over all rows at once; the last word of each row is wrong here and done apart below.
    np.bitwise_and(words, _UPPER, out=flat)
    np.bitwise_and(words[1:], _LOWER, out=tmp[:-1])
    tmp[-1] = 0
    np.bitwise_or(flat, tmp, out=flat)
    np.bitwise_and(flat, _1, out=tmp)
    np.multiply(tmp, _MATRIX, out=tmp)
    np.right_shift(flat, _1, out=flat)
    np.bitwise_xor(flat, tmp, out=flat)
    step = N - _M
    np.bitwise_xor(state[:, _M:], mix[:, :step], out=state[:, :step])
    np.bitwise_xor(state[:, :step], mix[:, step : 2 * step], out=state[:, step : 2 * step])
    np.bitwise_xor(
        state[:, step : _M - 1], mix[:, 2 * step : N - 1], out=state[:, 2 * step : N - 1]
    )
    y = (state[:, -1] & _UPPER) | (state[:, 0] & _LOWER)
    state[:, -1] = state[:, _M - 1] ^ (y >> _1) ^ ((y & _1) * _MATRIX)


def temper(state: U32Array, out: U32Array) -> None:
    """The 624 outputs of each state, written to `out`."""
    y = scratch("temper.y", state.shape, U32)
    t = scratch("temper.t", state.shape, U32)
    np.right_shift(state, _11, out=t)
    np.bitwise_xor(state, t, out=y)
    np.left_shift(y, _7, out=t)
    np.bitwise_and(t, _B, out=t)
    np.bitwise_xor(y, t, out=y)
    np.left_shift(y, _15, out=t)
    np.bitwise_and(t, _C, out=t)
    np.bitwise_xor(y, t, out=y)
    np.right_shift(y, _18, out=t)
    np.bitwise_xor(y, t, out=out)


def untemper(outputs: U32Array) -> U32Array:
    """The state words that give these outputs."""
    y = outputs ^ (outputs >> _18)
    y ^= (y << _15) & _C
    t: U32Array = y
    for _ in range(4):  # each time seven more of the lowest bits are right
        t = y ^ ((t << _7) & _B)
    y = t
    for _ in range(2):  # and here eleven of the highest
        t = y ^ (t >> _11)
    return t


class Seeder:
    """NumPy's own engine, seeded as `std::mt19937` is."""

    def __init__(self) -> None:
        self._bits = np.random.MT19937(0)
        self._random = np.random.RandomState(self._bits)

    def seed(self, value: int) -> None:
        """Start again from a seed, taken modulo 2**32."""
        self._random.seed(value & _MASK32)

    def raw(self, n: int) -> U32Array:
        """The next n raw numbers."""
        raw: U32Array = np.asarray(self._bits.random_raw(n)).astype(U32)
        return raw

    def get_state(self) -> tuple[U32Array, int]:
        """The state's words, and how many of their outputs are used."""
        inner: Any = self._bits.state["state"]
        return np.array(inner["key"], U32), int(inner["pos"])

    def set_state(self, key: U32Array, pos: int) -> None:
        """Go on from what `get_state` returned."""
        state: Any = {"bit_generator": "MT19937", "state": {"key": key, "pos": pos}}
        self._bits.state = state


class Engine:
    """One engine."""

    def __init__(self, seed: int) -> None:
        self._seeder = Seeder()
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Start again from a seed."""
        self._seeder.seed(seed)
        self._ahead = np.empty(0, U32)

    def peek(self, n: int) -> U32Array:
        """The next n raw numbers, not used yet."""
        missing = n - len(self._ahead)
        if missing > 0:
            more = self._seeder.raw(missing)
            self._ahead = np.concatenate([self._ahead, more]) if len(self._ahead) else more
        return self._ahead[:n]

    def advance(self, n: int) -> None:
        """Use up n of the numbers that `peek` has shown."""
        self._ahead = self._ahead[n:]

    def take(self, n: int) -> U32Array:
        """Use and return the next n raw numbers."""
        out = self.peek(n)
        self._ahead = self._ahead[n:]
        return out

    def get_state(self) -> dict[str, Array]:
        """Key and position of the engine behind, and the numbers already looked at."""
        key, pos = self._seeder.get_state()
        return {"key": key, "pos": np.array(pos, I64), "ahead": self._ahead.copy()}

    def set_state(self, state: dict[str, Array]) -> None:
        """Go on from what `get_state` returned."""
        self._seeder.set_state(state["key"], int(state["pos"]))
        self._ahead = state["ahead"].astype(U32)


class Bank:
    """Engines number 0, 1, … with seeds `seed`, `seed + 1`, …, seeded when first needed.

    A row of the buffer holds three blocks of 624 numbers, the last being the newest; `_pos`
    is the index of the first unused one. With three, rows that are used unevenly can still
    be refilled together.
    """

    def __init__(self, seed: int, limit: int) -> None:
        self.limit = limit
        self.uses = 0  # changes whenever the position of any engine does
        self._seeder: Seeder | None = None
        self._allocate(1)
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Start again from a seed."""
        self._seed, self._rows = seed & _MASK32, 0
        self.uses += 1

    def _allocate(self, rows: int) -> None:
        self._state = np.empty((rows, N), U32)
        self._buffer = np.empty((rows, _END), U32)
        self._pos = np.empty(rows, I64)
        self._row_starts = np.arange(0, rows * _END, _END)

    def grow(self, rows: int) -> None:
        """Have at least this many engines seeded; to be called before the methods below."""
        have = self._rows
        if rows <= have:
            return
        if rows > len(self._state):
            rows = min(self.limit, max(rows, 2 * have))
            state, buffer, pos = self._state, self._buffer, self._pos
            self._allocate(rows)
            self._state[:have], self._pos[:have] = state[:have], pos[:have]
            self._buffer[:have] = buffer[:have]
        if self._seeder is None:
            self._seeder = Seeder()
        for row in range(have, rows):
            self._seeder.seed(self._seed + row)
            self._buffer[row, _NEWEST:] = self._seeder.raw(N)
        for a in range(have, rows, GROUP):
            b = min(rows, a + GROUP)
            self._state[a:b] = untemper(self._buffer[a:b, _NEWEST:])
        self._pos[have:rows] = _NEWEST
        self._rows = rows

    def peek(self, a: int, b: int, n: int) -> U32Array:
        """The next n <= 624 numbers of engines a..b-1, shape (b - a, n), not used yet.

        May be a view of the buffer: it is valid until these rows are looked at again.
        """
        if b - a == 1:  # the common small request, without vectors
            p = int(self._pos[a])
            if p + n > _END:
                self._refill(a, b, p)
                p -= N
            return self._buffer[a:b, p : p + n]
        pos = self._pos[a:b]
        lowest, highest = int(np.minimum.reduce(pos)), int(np.maximum.reduce(pos))
        if highest + n > _END:
            if lowest >= N:
                self._refill(a, b, lowest)
            else:
                self._refill_some(np.flatnonzero(pos >= N) + a)
            lowest, highest = int(np.minimum.reduce(pos)), int(np.maximum.reduce(pos))
        if lowest == highest:
            return self._buffer[a:b, lowest : lowest + n]
        starts = pos + self._row_starts[a:b]
        # Every run of n numbers of the buffer, as an (overlapping) row of a view.
        size = self._buffer.size - n + 1
        runs: U32Array = np.ndarray((size, n), U32, self._buffer.data, 0, (4, 4))
        picked: U32Array = runs[starts]
        return picked

    def advance(self, a: int, b: int, used: int | I64Array) -> None:
        """Use up numbers that `peek` has shown: as many in each row, or one count a row."""
        self._pos[a:b] += used
        self.uses += 1

    def _refill(self, a: int, b: int, lowest: int) -> None:
        """Drop the oldest block of rows a..b-1, which must be used up, and add a new one."""
        for c in range(a, b, GROUP):
            rows = slice(c, min(b, c + GROUP))
            buffer = self._buffer[rows]
            for start in (N, _NEWEST):  # one after the other: the two targets overlap
                if lowest < start + N:  # whole blocks, for `get_state` needs them
                    buffer[:, start - N : start] = buffer[:, start : start + N]
            twist(self._state[rows])
            temper(self._state[rows], buffer[:, _NEWEST:])
        self._pos[a:b] -= N

    def _refill_some(self, rows: I64Array) -> None:
        """The same for any rows."""
        table = self._buffer.reshape(-1, N)
        for c in range(0, len(rows), GROUP):
            some = rows[c : c + GROUP]
            blocks = scratch("refill", (len(some), N), U32)
            for old in (1, 2):
                np.take(table, 3 * some + old, axis=0, out=blocks, mode="clip")
                table[3 * some + (old - 1)] = blocks
            np.take(self._state, some, axis=0, out=blocks, mode="clip")
            twist(blocks)
            self._state[some] = blocks
            temper(blocks, blocks)
            table[3 * some + 2] = blocks
        self._pos[rows] -= N

    def get_state(self) -> dict[str, Array]:
        """Seed, and for the engines seeded so far the words of their block and the position."""
        rows = self._rows
        key, pos = self._state[:rows].copy(), self._pos[:rows] - _NEWEST
        for start in (N, 0):  # rows that are still reading an older block
            older = np.flatnonzero(pos < 0)
            key[older] = untemper(self._buffer[older, start : start + N])
            pos[older] += N
        return {"seed": np.array(self._seed, I64), "key": key, "pos": pos}

    def set_state(self, state: dict[str, Array]) -> None:
        """Go on from what `get_state` returned."""
        rows = len(state["key"])
        self.reset(int(state["seed"]))
        self._allocate(max(1, rows))
        self._state[:rows] = state["key"]
        self._pos[:rows] = state["pos"] + _NEWEST
        for a in range(0, rows, GROUP):
            b = min(rows, a + GROUP)
            temper(self._state[a:b], self._buffer[a:b, _NEWEST:])
        self._rows = rows
