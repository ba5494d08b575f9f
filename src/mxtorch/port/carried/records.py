"""RecordIO files: records of bytes one after another, with an index of their places beside them."""

from __future__ import annotations

import io
import os
import struct
from typing import NamedTuple

import numpy as np
import torch
from torch.utils.data import Dataset

from mxtorch.port.carried.images import fixed_crop, imdecode, resize_short
from mxtorch.port.carried.iterators import DataIter

try:
    from PIL import Image
except ImportError:  # needed by the ported program that packs images, not to port it
    Image = None


class RecordFile:
    """A file of records, to be read ('r') or written ('w') one after another."""

    magic = b"\x0a\x23\xd7\xce"

    def __init__(self, uri, flag):
        self.uri, self.flag = uri, flag
        self.open()

    def open(self):
        self.file = open(self.uri, f"{self.flag}b")  # noqa: SIM115 - `close` does

    def close(self):
        self.file.close()

    def reset(self):
        """Go back to the first record."""
        self.close()
        self.open()

    def tell(self):
        return self.file.tell()

    def write(self, record):
        """Magic numbers within a record cut it into parts, since readers look for them."""
        cuts = [i for i in range(0, len(record) - 3, 4) if record[i : i + 4] == self.magic]
        starts, ends = [0, *(i + 4 for i in cuts)], [*cuts, len(record)]
        for i, (start, end) in enumerate(zip(starts, ends, strict=True)):
            kind = 0 if not cuts else 1 if i == 0 else 3 if i == len(cuts) else 2
            part = record[start:end]
            self.file.write(self.magic + struct.pack("<I", kind << 29 | len(part)))
            self.file.write(part + b"\0" * (-len(part) % 4))

    def read(self):
        """The next record, None at the end."""
        parts = []
        while head := self.file.read(8):
            if len(head) < 8 or head[:4] != self.magic:
                raise OSError(f"{self.uri}: no record begins at byte {self.tell() - len(head)}")
            kind, length = divmod(struct.unpack("<I", head[4:])[0], 1 << 29)
            part = self.file.read(length)
            if len(part) < length:
                break
            self.file.seek(-length % 4, os.SEEK_CUR)
            parts.append(part)
            if kind in (0, 3):
                return self.magic.join(parts)
        if parts or head:
            raise OSError(f"{self.uri} ends within a record")
        return None


class IndexedRecordFile(RecordFile):
    """A file of records that have keys; a second file has the keys and the records' places."""

    def __init__(self, idx_path, uri, flag, key_type=int):
        self.idx_path, self.key_type = idx_path, key_type
        super().__init__(uri, flag)

    def open(self):
        super().open()
        self.idx, self.index = {}, None
        if self.flag == "w":
            self.index = open(self.idx_path, "w")  # noqa: SIM115 - `close` does
            return
        with open(self.idx_path) as file:
            for line in file:
                key, place = line.rstrip("\n").split("\t")[:2]
                self.idx[self.key_type(key)] = int(place)

    @property
    def keys(self):
        return list(self.idx)

    def close(self):
        super().close()
        if self.index is not None:
            self.index.close()

    def seek(self, key):
        self.file.seek(self.idx[key])

    def read_idx(self, key):
        self.seek(key)
        return self.read()

    def write_idx(self, key, record):
        key = self.key_type(key)
        self.idx[key] = self.tell()
        self.index.write(f"{key}\t{self.idx[key]}\n")
        self.write(record)


class Header(NamedTuple):
    """What stands before an image: `flag` counts the labels where there are several."""

    flag: int
    label: object
    id: int
    id2: int


def pack(header, s):
    """A record of a header and bytes."""
    labels, label = b"", header[1]
    if not isinstance(label, (int, float)):
        labels, label = np.asarray(label, dtype="float32").tobytes(), 0.0
    flag = len(labels) // 4 if labels else header[0]
    return struct.pack("<IfQQ", flag, label, header[2], header[3]) + labels + s


def unpack(s):
    """The header and the bytes of a record."""
    header, data = Header(*struct.unpack_from("<IfQQ", s)), s[24:]
    if header.flag > 0:
        labels = np.frombuffer(data, "float32", header.flag)
        header, data = header._replace(label=labels), data[4 * header.flag :]
    return header, data


def pack_img(header, img, quality=95, img_fmt=".jpg"):
    """A record of a header and an image, bytes (height, width, 3) of BGR."""
    content = io.BytesIO()
    pixels = np.asarray(img)
    pixels = np.ascontiguousarray(pixels[..., ::-1]) if pixels.ndim == 3 else pixels
    if img_fmt.lower() == ".png":
        Image.fromarray(pixels).save(content, "PNG", compress_level=min(quality, 9))
    else:
        Image.fromarray(pixels).save(content, "JPEG", quality=quality)
    return pack(header, content.getvalue())


def unpack_img(s, iscolor=-1):
    """The header of a record and its image, bytes (height, width, 3) of BGR."""
    header, data = unpack(s)
    image = Image.open(io.BytesIO(data))
    grey = iscolor == 0 or (iscolor < 0 and image.mode in ("1", "L"))
    pixels = np.array(image.convert("L" if grey else "RGB"))
    return header, pixels if grey else pixels[..., ::-1]


def places_of(path):
    """Where the records of a file begin."""
    places, size = [], os.path.getsize(path)
    with open(path, "rb") as file:
        while file.tell() < size:
            place, head = file.tell(), file.read(8)
            if head[:4] != RecordFile.magic:
                raise OSError(f"{path}: no record begins at byte {place}")
            kind, length = divmod(struct.unpack("<I", head[4:])[0], 1 << 29)
            if kind in (0, 1):
                places.append(place)
            file.seek(length + -length % 4, os.SEEK_CUR)
    return places


class Records(Dataset):
    """The records of a file as a data set."""

    def __init__(self, filename):
        self.filename, self.places = filename, places_of(filename)

    def __len__(self):
        return len(self.places)

    def __getitem__(self, index):
        record = RecordFile(self.filename, "r")
        record.file.seek(self.places[index])
        try:
            return record.read()
        finally:
            record.close()


class ImageRecords(Records):
    """The images of a file of records, (height, width, channels), and their labels."""

    def __init__(self, filename, flag=1, transform=None):
        super().__init__(filename)
        self.flag, self.transform = flag, transform

    def __getitem__(self, index):
        header, data = unpack(super().__getitem__(index))
        image, label = imdecode(data, self.flag), header.label
        return (image, label) if self.transform is None else self.transform(image, label)


class RecordIter(DataIter):
    """Batches (N, C, H, W) of the images of a file of records, cropped and normalized."""

    def __init__(
        self,
        path_imgrec,
        data_shape,
        batch_size,
        shuffle=False,
        mean=(0.0, 0.0, 0.0),
        std=(1.0, 1.0, 1.0),
        scale=1.0,
        resize=-1,
        rand_crop=False,
        rand_mirror=False,
        label_width=1,
        round_batch=True,
        goes_on=True,
        part=(0, 1),
        data_name="data",
        label_name="softmax_label",
    ):
        super().__init__(batch_size)
        self.records, self.shape, self.label_width = Records(path_imgrec), data_shape, label_width
        self.shuffle, self.resize = shuffle, resize
        self.round_batch, self.goes_on = round_batch, round_batch and goes_on
        self.rand_crop, self.rand_mirror = rand_crop, rand_mirror
        self.mean = torch.tensor(mean[: data_shape[0]]).reshape(-1, 1, 1)
        self.factor = scale / torch.tensor(std[: data_shape[0]]).reshape(-1, 1, 1)
        index, count = part
        size = len(self.records)
        own = -(-size // count)
        self.own = torch.arange(size)[own * index : own * (index + 1)]
        self.provide_data = [(data_name, (batch_size, *data_shape))]
        labels = (batch_size, label_width) if label_width > 1 else (batch_size,)
        self.provide_label = [(label_name, labels)]
        self.position = len(self.own)
        self.reset()

    def reset(self):
        # where the last batch was filled up from the beginning, the next epoch goes on behind
        used = max(self.position - len(self.own), 0) if self.goes_on else 0
        self.order = self.own[torch.randperm(len(self.own))] if self.shuffle else self.own
        self.position = used

    def iter_next(self):
        if self.position >= len(self.order):
            return False
        rows = self.order[self.position : self.position + self.batch_size]
        self.pad = self.batch_size - len(rows)
        items = [self.item(int(row)) for row in rows]
        if self.pad and self.round_batch:
            items += [self.item(int(row)) for row in self.order[: self.pad]]
        images, labels = zip(*items, strict=True)
        self.data, self.label = torch.stack(images), torch.tensor(np.array(labels))
        if self.pad and not self.round_batch:
            self.data, self.label = (
                torch.cat([x, x.new_zeros(self.pad, *x.shape[1:])]) for x in (self.data, self.label)
            )
        self.position += self.batch_size
        return True

    def item(self, row):
        """An image and its label."""
        header, data = unpack(self.records[row])
        channels, height, width = self.shape
        image = imdecode(data, 0 if channels == 1 else 1)
        if self.resize > 0:
            image = resize_short(image, self.resize, 1)
        if image.shape[0] < height or image.shape[1] < width:
            image = resize_short(image, max(height, width), 1)
        free = image.shape[1] - width, image.shape[0] - height
        left, top = (int(torch.randint(n + 1, ())) if self.rand_crop else n // 2 for n in free)
        image = fixed_crop(image, left, top, width, height).permute(2, 0, 1)
        if self.rand_mirror and torch.rand(()) < 0.5:
            image = image.flip(2)
        label = np.asarray(header.label, dtype="float32").reshape(-1)[: self.label_width]
        return (image - self.mean) * self.factor, label if self.label_width > 1 else label[0]

    def getdata(self):
        return [self.data]

    def getlabel(self):
        return [self.label]

    def getpad(self):
        return self.pad
