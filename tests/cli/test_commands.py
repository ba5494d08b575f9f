"""The command line apart from `run`: output, JSON, exit codes, errors."""

import json
import pathlib
import struct

import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file

from mxtorch._core import ndfile
from mxtorch._core.dtypes import BFLOAT16_NUMPY
from mxtorch._core.errors import MXNetError
from mxtorch._core.ndentry import Entry
from mxtorch.convert.params import params_to_safetensors
from mxtorch.version import __version__
from tests.child import python

FOLDER = pathlib.Path(__file__).parent.parent / "golden" / "files"
GRAPH = pathlib.Path(__file__).parents[1] / "golden" / "convert" / "words-symbol.json"


def save(path, **arrays):
    ndfile.write(path, [Entry.dense(name, array) for name, array in arrays.items()])
    return path


def test_command_starts_as_a_module():
    result = python("-m", "mxtorch", "--version")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith(f"mxtorch {__version__} ")


@pytest.mark.parametrize("command", [[], ["run"], ["inspect"], ["convert"], ["doctor"]])
def test_help_has_an_example(command, mxtorch):
    status, output, error = mxtorch(*command, "--help")
    assert (status, error) == (0, "")
    assert "Example: mxtorch" in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["foo"], "No such command 'foo'. See mxtorch --help"),
        (["inspect", "nothing.params"], "'nothing.params' does not exist"),
        (["inspect", FOLDER / "v2-list.params", "--foo"], "No such option '--foo'"),
        (["convert", FOLDER / "v2-list.params"], "Missing option '-o'"),
        (["convert", FOLDER / "v2-list.params", "-o", "x.bin"], "must end in .safetensors"),
        (["run", "--foo", "x.py"], "No such option '--foo'. See mxtorch run --help"),
        (
            ["convert", FOLDER / "v2-list.params", "-o", "x.safetensors", "--dtype", "float32"],
            "--dtype is for a model",
        ),
        (
            ["convert", FOLDER / "v2-list.params", "-o", "x.safetensors", "--mean", "1"],
            "--mean is for an image that --input names",
        ),
        (
            ["convert", FOLDER / "v2-list.params", "-o", "x.py", "--strip-prefix"],
            "--strip-prefix is for the weights of a .params alone",
        ),
        (["convert", GRAPH, "-o", "x.py", "--block", "resnet18_v1"], "--block is for a Gluon"),
        (
            ["convert", GRAPH, "-o", "x.py", "--like", FOLDER / "v2-list.params"],
            "--like is for weights that become .params again",
        ),
        (["run", "-m"], "'-m' requires an argument"),
        (["run", "--"], "nothing to run"),
        (["run", "--quiet-era", "--no-era", "x"], "exclude each other. See mxtorch run --help"),
        (["launch", "-n", "0", "x.py"], "'0' is neither a number from 1 on nor auto, cpu or gpu"),
        (["launch", "--nnodes", "a", "x.py"], "'a' is neither a number from 1 on nor two with"),
        (["launch", "-n", "1", "--max-restarts", "-1", "x.py"], "-1 is not in the range"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(arguments, message, mxtorch):
    status, output, error = mxtorch(*arguments)
    assert (status, output) == (2, "")
    assert error.startswith("mxtorch: error: ")
    assert message in error
    assert error.count("\n") == 1


class TestInspect:
    def test_table(self, mxtorch):
        status, output, error = mxtorch("inspect", FOLDER / "v2-mixed.params")
        assert (status, error) == (0, "")
        rows = [line.split() for line in output.splitlines()]
        assert ["d", "(3,)", "uint8", "default", "3"] in rows
        assert ["c", "(3,", "4)", "float32", "csr", "68"] in rows
        assert output.endswith("4 arrays, 29 elements, 111 bytes, format version 2\n")

    def test_long_and_markup_names_are_whole_in_a_pipe(self, mxtorch, tmp_path):
        name = "[red]" + "stage1_" * 40 + "weight"
        path = save(tmp_path / "x.params", **{name: np.ones(1, "f4")})
        assert name in mxtorch("inspect", path)[1]

    def test_unnamed_arrays_have_their_position(self, mxtorch):
        assert "[2]" in mxtorch("inspect", FOLDER / "v2-list.params")[1]

    def test_statistics(self, mxtorch, tmp_path):
        bfloat16 = np.array([0x3F80, 0xC000, 0x7FC0], np.uint16).view(BFLOAT16_NUMPY)
        path = save(
            tmp_path / "x.params",
            f=np.array([1.5, -2, np.nan, np.inf], np.float32),
            i=np.array([3, -7], np.int64),
            b=bfloat16,
            n=np.full(2, np.nan, np.float16),
            e=np.zeros((0, 3), np.float32),
            t=np.array([True, False]),
        )
        status, output, error = mxtorch("inspect", path, "--stats", "--json")
        assert (status, error) == (0, "")
        found = {
            row["name"]: [row["min"], row["max"], row["nan"], row["inf"]]
            for row in json.loads(output)["arrays"]
        }
        assert found == {
            "f": [-2, 1.5, 1, 1],
            "i": [-7, 3, 0, 0],
            "b": [-2, 1, 1, 0],
            "n": [None, None, 2, 0],
            "e": [None, None, 0, 0],
            "t": [False, True, 0, 0],
        }
        assert mxtorch("inspect", path, "--stats")[0] == 0

    def test_json(self, mxtorch):
        output = json.loads(mxtorch("inspect", FOLDER / "v3-dict.params", "--json")[1])
        assert output["format"] == "mxnet.params"
        assert output["arrays"][1] == {
            "name": "b",
            "shape": [],
            "dtype": "bool",
            "stype": "default",
            "bytes": 1,
            "version": 3,
            "offset": 76,
        }

    def test_damage_is_exit_code_1(self, mxtorch, tmp_path):
        path = tmp_path / "cut.params"
        path.write_bytes((FOLDER / "v2-dict.params").read_bytes()[:-9])
        status, output, error = mxtorch("inspect", path)
        assert (status, output) == (1, "")
        assert error.startswith(f"mxtorch: error: {path}: damaged at byte ")
        assert error.count("\n") == 1
        status, output, _ = mxtorch("inspect", path, "--json")
        assert status == 1
        assert json.loads(output)["error"].startswith(f"{path}: damaged at byte")


DTYPES = ["float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool", "bfloat16"]


class TestConvert:
    @pytest.mark.parametrize("dtype", DTYPES)
    def test_every_dtype_arrives(self, dtype, tmp_path):
        target = tmp_path / "x.safetensors"
        source = FOLDER / f"v2-{dtype}.params"
        params_to_safetensors(source, target)
        (entry,) = ndfile.read(source)
        tensor = load_file(target)["0"]
        assert tensor.dtype == getattr(torch, dtype)
        assert tuple(tensor.shape) == entry.shape
        assert tensor.flatten().view(torch.uint8).numpy().tobytes() == entry.data.tobytes()

    def test_names_and_metadata(self, mxtorch, tmp_path):
        target = tmp_path / "x.safetensors"
        status, output, error = mxtorch("convert", FOLDER / "v2-dict.params", "-o", target)
        assert (status, error) == (0, "")
        assert output == f"{target}: 3 tensors, 44 bytes\n"
        with safe_open(target, "pt") as file:
            assert set(file.keys()) == {"arg:fc_weight", "aux:bn_var", ""}
            metadata = file.metadata()
        assert metadata["format"] == "pt"
        assert metadata["source"] == "v2-dict.params"
        assert metadata["source_format"] == "mxnet.params"
        assert json.loads(metadata["source_versions"]) == [2]
        assert json.loads(metadata["auxiliary"]) == ["aux:bn_var"]

    def test_prefixes_can_go(self, mxtorch, tmp_path):
        target = tmp_path / "x.safetensors"
        arguments = ["convert", FOLDER / "v2-dict.params", "-o", target]
        result = json.loads(mxtorch(*arguments, "--strip-prefix", "--json")[1])
        assert result["names"] == ["fc_weight", "bn_var", ""]
        assert result["auxiliary"] == ["bn_var"]
        assert load_file(target)["bn_var"].tolist() == [1, 2, 3, 4]

    def test_sparse_arrays_become_dense_with_a_notice(self, mxtorch, tmp_path):
        target = tmp_path / "x.safetensors"
        status, _, error = mxtorch("convert", FOLDER / "v2-mixed.params", "-o", target)
        assert status == 0
        assert error.splitlines() == [
            "mxtorch: note: 'r' is row_sparse; it is written dense",
            "mxtorch: note: 'c' is csr; it is written dense",
        ]
        assert load_file(target)["c"].tolist() == [[1, 0, 2, 0], [0, 0, 0, 0], [0, 3, 0, 0]]

    def test_arrays_without_names_are_numbered_with_a_notice(self, mxtorch, tmp_path):
        target = tmp_path / "x.safetensors"
        status, _, error = mxtorch("convert", FOLDER / "v0-scalar.params", "-o", target)
        assert status == 0
        assert "have no names" in error
        assert {name: tuple(x.shape) for name, x in load_file(target).items()} == {
            "0": (),
            "1": (0, 2),
        }

    def test_values_are_aligned_whatever_the_order(self, tmp_path):
        source = save(
            tmp_path / "x.params",
            a=np.arange(3, dtype=np.uint8),
            b=np.arange(5, dtype=np.float64),
            c=np.arange(3, dtype=np.float16),
        )
        params_to_safetensors(source, tmp_path / "x.safetensors")
        data = (tmp_path / "x.safetensors").read_bytes()
        (length,) = struct.unpack("<Q", data[:8])
        header = json.loads(data[8 : 8 + length])
        assert length % 8 == 0
        assert header["b"]["data_offsets"][0] % 8 == 0
        assert header["c"]["data_offsets"][0] % 2 == 0

    def test_name_collisions_are_refused(self, mxtorch, tmp_path):
        source = save(
            tmp_path / "x.params", **{"arg:w": np.ones(1, "f4"), "aux:w": np.ones(1, "f4")}
        )
        arguments = ["convert", source, "-o", tmp_path / "x.safetensors"]
        assert mxtorch(*arguments)[0] == 0
        (tmp_path / "x.safetensors").unlink()
        status, _, error = mxtorch(*arguments, "--strip-prefix")
        assert status == 1
        assert "1 names would stand for several arrays: 'w'" in error
        assert not (tmp_path / "x.safetensors").exists()

    def test_repeated_and_reserved_names_are_refused(self, tmp_path):
        entries = [Entry.dense("w", np.ones(1, "f4"))] * 2
        ndfile.write(tmp_path / "x.params", entries)
        with pytest.raises(MXNetError, match="several arrays: 'w'"):
            params_to_safetensors(tmp_path / "x.params", tmp_path / "x.safetensors")
        save(tmp_path / "y.params", __metadata__=np.ones(1, "f4"))
        with pytest.raises(MXNetError, match="__metadata__"):
            params_to_safetensors(tmp_path / "y.params", tmp_path / "x.safetensors")
        assert sorted(path.name for path in tmp_path.iterdir()) == ["x.params", "y.params"]

    def test_source_cannot_be_the_target(self, tmp_path):
        source = save(tmp_path / "x.safetensors", w=np.ones(1, "f4"))
        with pytest.raises(MXNetError, match="is the file that is read"):
            params_to_safetensors(source, tmp_path / "." / "x.safetensors")

    def test_unwritable_target_and_damaged_source(self, mxtorch, tmp_path):
        target = tmp_path / "no" / "x.safetensors"
        status, _, error = mxtorch("convert", FOLDER / "v2-dict.params", "-o", target)
        assert (status, error) == (
            1,
            f"mxtorch: error: {target}: cannot be written: No such file or directory\n",
        )
        (tmp_path / "bad.params").write_bytes(bytes(range(200, 208)))
        status, _, error = mxtorch(
            "convert", tmp_path / "bad.params", "-o", tmp_path / "x.safetensors"
        )
        assert status == 1
        assert "bad.params: damaged at byte 0" in error

    def test_progress(self, tmp_path):
        seen = []
        source = save(tmp_path / "x.params", a=np.ones(3, "f4"), b=np.ones(2, "f4"))
        params_to_safetensors(
            source, tmp_path / "x.safetensors", progress=lambda *pair: seen.append(pair)
        )
        assert seen == [(12, 20), (20, 20)]
