"""The guide's pictures and bytes of several devices are those that the tool counts now."""

import xml.etree.ElementTree as ET

import pytest

from tools import device_pictures


@pytest.fixture(scope="module")
def outputs():
    return device_pictures.outputs()


def test_page_and_pictures_are_current(outputs):
    assert len(outputs) == 4
    for path, text in outputs.items():
        assert path.read_text(encoding="utf-8") == text, (
            f"{path.name}: run tools/device_pictures.py"
        )


def test_pictures_are_svg(outputs):
    for path, text in outputs.items():
        if path.suffix == ".svg":
            root = ET.fromstring(text)
            texts = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
            assert {f"device {i}" for i in range(4)} <= set(texts)


def test_each_way_holds_the_whole_batch(outputs):
    x, y = device_pictures.batch()
    for way in device_pictures.WAYS:
        held = way.count()
        assert sum(each.label for each in held) == device_pictures.size(y)
        assert sum(each.output for each in held) == 128 * 10_000 * 4
        if way.file != "gathered":
            assert sum(each.data for each in held) == device_pictures.size(x)
            assert max(e.total for e in held) < 1.01 * min(e.total for e in held)
