"""RecordIO files: reading and writing them, data sets and iterators over their images."""

from __future__ import annotations

import ast

from mxtorch.port.codes import Code
from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule
from mxtorch.port.rules._common import call_in_order, same

_HOME = "mx.recordio"
_METHODS = {
    "MXRecordIO": ("open", "close", "reset", "read", "write"),
    "MXIndexedRecordIO": ("seek", "tell", "read_idx", "write_idx"),
}
_ATTRIBUTES = {"MXRecordIO": ("uri",), "MXIndexedRecordIO": ("keys", "idx", "idx_path", "key_type")}
# Arguments of ImageRecordIter that RecordIter has, and those that change nothing in what comes out.
_KEPT = (
    "path_imgrec", "data_shape", "batch_size", "shuffle", "scale", "resize", "rand_crop",
    "rand_mirror", "label_width", "round_batch", "data_name", "label_name",
)  # fmt: skip
_SPEED = (
    "path_imgidx", "preprocess_threads", "prefetch_buffer", "verbose", "ctx", "seed", "seed_aug",
    "device_id",
)  # fmt: skip
_COLORS = {"mean": ("mean_r", "mean_g", "mean_b"), "std": ("std_r", "std_g", "std_b")}
_PARTS = ("part_index", "num_parts")
_ARGUMENTS = (*_KEPT, *_SPEED, *_COLORS["mean"], *_COLORS["std"], *_PARTS)


def _record_iter(match: Match, goes_on: bool = True) -> str | None:
    if not match.only(*_ARGUMENTS) or not _reads_file(match):
        return None
    texts = [f"{name}={match.text(name)}" for name in _KEPT if match.has(name)]
    for name, channels in _COLORS.items():
        if match.has(*channels):
            default = "0.0" if name == "mean" else "1.0"
            texts.append(f"{name}=({', '.join(match.text(c, default) for c in channels)})")
    if match.has(*_PARTS):
        index, count = match.text("part_index", "0"), match.text("num_parts", "1")
        texts.append(f"part=({index}, {count})")
    if not goes_on:
        texts.append("goes_on=False")
    if any(match.has(name) and not _is_off(match, name) for name in ("shuffle", "rand_crop")):
        match.note(Code.DIFFERS, "the order of images and their crops are drawn by torch")
    if match.has("resize"):
        match.note(Code.DIFFERS, "what is resized is rounded otherwise than by OpenCV")
    return f"{match.helper('RecordIter')}({', '.join(texts)})"


def _reads_file(match: Match) -> bool:
    node = match.given.get("path_imgrec")
    return node is not None and not (isinstance(node, ast.Constant) and node.value is None)


def _image_iter(match: Match) -> str | None:
    """One that crops and mirrors; its other augmenters resize as OpenCV does."""
    kept = [name for name in _KEPT if name not in ("scale", "resize", "round_batch")]
    if not match.only(*kept, "path_imgidx") or not _reads_file(match):
        return None
    return _record_iter(match, goes_on=False)


def _is_off(match: Match, name: str) -> bool:
    node = match.given[name]
    return isinstance(node, ast.Constant) and not node.value


REGISTRY.add(
    Rule(
        "MXRecordIO",
        f"call {_HOME}.MXRecordIO",
        call_in_order("RecordFile", "uri", "flag"),
        "f = mx.recordio.MXRecordIO('a.rec', 'w')",
        "f = RecordFile('a.rec', 'w')",
        needs=(),
    ),
    Rule(
        "MXIndexedRecordIO",
        f"call {_HOME}.MXIndexedRecordIO",
        call_in_order("IndexedRecordFile", "idx_path", "uri", "flag", "key_type"),
        "f = mx.recordio.MXIndexedRecordIO('a.idx', 'a.rec', 'w')",
        "f = IndexedRecordFile('a.idx', 'a.rec', 'w')",
        needs=(),
    ),
    *(
        Rule(
            f"{cls}-{name}",
            f"method {_HOME}.{cls}.{name}",
            same,
            f"v = f.{name}({_given})",
            f"v = f.{name}({_given})",
            needs=(),
        )
        for cls, names in _METHODS.items()
        for name in names
        for _given in [{"write": "b'ab'", "write_idx": "1, b'ab'"}.get(name, "")]
    ),
    *(
        Rule(
            f"{cls}-{name}",
            f"attr {_HOME}.{cls}.{name}",
            same,
            f"v = f.{name}",
            f"v = f.{name}",
            needs=(),
        )
        for cls, names in _ATTRIBUTES.items()
        for name in names
    ),
    Rule(
        "IRHeader",
        f"call {_HOME}.IRHeader",
        call_in_order("Header", "flag", "label", "id", "id2"),
        "h = mx.recordio.IRHeader(0, 3.0, 1, 0)",
        "h = Header(0, 3.0, 1, 0)",
        needs=(),
    ),
    Rule(
        "record-pack",
        f"call {_HOME}.pack",
        call_in_order("pack", "header", "s"),
        "b = mx.recordio.pack(h, b'ab')",
        "b = pack(h, b'ab')",
        needs=(),
    ),
    Rule(
        "record-unpack",
        f"call {_HOME}.unpack",
        call_in_order("unpack", "s"),
        "u = mx.recordio.unpack(b)",
        "u = unpack(b)",
        needs=(),
    ),
    Rule(
        "pack_img",
        f"call {_HOME}.pack_img",
        call_in_order("pack_img", "header", "img", "quality", "img_fmt"),
        "b = mx.recordio.pack_img(h, image, img_fmt='.png')",
        "b = pack_img(h, image, img_fmt='.png')",
        needs=(),
    ),
    Rule(
        "unpack_img",
        f"call {_HOME}.unpack_img",
        call_in_order("unpack_img", "s", "iscolor"),
        "u = mx.recordio.unpack_img(b)",
        "u = unpack_img(b)",
        needs=(),
    ),
    Rule(
        "RecordFileDataset",
        "call mx.gluon.data.RecordFileDataset",
        call_in_order("Records", "filename"),
        "d = gluon.data.RecordFileDataset('a.rec')",
        "d = Records('a.rec')",
        needs=(),
    ),
    Rule(
        "ImageRecordDataset",
        "call mx.gluon.data.vision.ImageRecordDataset",
        call_in_order("ImageRecords", "filename", "flag", "transform"),
        "d = gluon.data.vision.ImageRecordDataset('a.rec')",
        "d = ImageRecords('a.rec')",
        needs=(),
    ),
    Rule(
        "ImageRecordIter",
        "call mx.io.ImageRecordIter",
        _record_iter,
        "i = mx.io.ImageRecordIter(path_imgrec='a.rec', data_shape=(3, 4, 4), batch_size=2,"
        " mean_r=10, preprocess_threads=2)",
        "i = RecordIter(path_imgrec='a.rec', data_shape=(3, 4, 4), batch_size=2,"
        " mean=(10, 0.0, 0.0))",
        needs=(),
        params=", ".join(f"{name}=None" for name in _ARGUMENTS),
    ),
    Rule(
        "ImageIter",
        "call mx.image.ImageIter",
        _image_iter,
        "i = mx.image.ImageIter(2, (3, 4, 4), path_imgrec='a.rec', rand_mirror=True)",
        "i = RecordIter(path_imgrec='a.rec', data_shape=(3, 4, 4), batch_size=2, rand_mirror=True,"
        " goes_on=False)",
        needs=(),
        params="batch_size=None, data_shape=None, label_width=None, path_imgrec=None,"
        " path_imglist=None, path_root=None, path_imgidx=None, shuffle=None, part_index=None,"
        " num_parts=None, aug_list=None, imglist=None, data_name=None, label_name=None,"
        " dtype=None, last_batch_handle=None, resize=None, rand_crop=None, rand_mirror=None,"
        " rand_resize=None, mean=None, std=None",
    ),
)
