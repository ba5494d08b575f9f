"""gluonnlp's encoder: what gluonnlp 0.10 on MXNet 1.9.1 printed, torch alone prints."""

import contextlib
import io
import pathlib
import runpy

from mxtorch.port import port_text

HERE = pathlib.Path(__file__).parent


def test_the_encoder(tmp_path):
    ported = port_text((HERE / "gluonnlp_encoder.py").read_text())
    assert "mxtorch" not in ported.text
    assert "gluonnlp" not in ported.text.partition('"""\n')[2]
    assert [f.code for f in ported.findings] == ["MXT001"]
    path = tmp_path / "ported.py"
    path.write_text(ported.text)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        runpy.run_path(str(path))
    printed = out.getvalue().replace("torch.Size([2, 5, 8])", "(2, 5, 8)")
    assert printed == (HERE / "gluonnlp_encoder.expected").read_text()


def test_what_has_no_rule_is_said():
    text = "import mxnet as mx\nimport gluonnlp as nlp\nvocab = nlp.Vocab({})\nvocab.to_json()\n"
    ported = port_text(text)
    assert "import gluonnlp as nlp" in ported.text
    assert [f.line for f in ported.findings if f.act] == [3, 4]
