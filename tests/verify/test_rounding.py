"""What the proof holds for rounding, and what a replay makes equal to MXNet."""

import torch
from torch import nn

from mxtorch.verify.align import Slot, align
from mxtorch.verify.lines import compare_lines, forgiven
from mxtorch.verify.record import Record
from mxtorch.verify.replay import Replay
from mxtorch.verify.rounding import Rounding
from mxtorch.verify.tape import Tape
from mxtorch.verify.watch_torch import Watch


def measured(*notes):
    found = Rounding(measuring=True)
    for step, phase, apart in notes:
        assert not found.exceeds(step, phase, apart, 1e-4)
    return found.measured()


def test_what_rounding_makes_is_allowed_in_its_phase_from_then_on():
    rounding = measured((3, "gradient", 1e-2))
    assert not rounding.exceeds(2, "gradient", 1e-4, 1e-4)
    assert rounding.exceeds(2, "gradient", 2e-4, 1e-4)
    assert rounding.since is None
    assert not rounding.exceeds(5, "gradient", 2e-2, 1e-4)
    assert rounding.since == 5
    assert rounding.exceeds(5, "gradient", 2e-1, 1e-4)
    assert rounding.exceeds(5, "forward", 2e-4, 1e-4)


def test_the_first_step_is_never_rounding():
    rounding = measured((1, "forward", 1.0))
    assert rounding.exceeds(1, "forward", 2e-4, 1e-4)


def test_numbers_that_a_run_does_not_print_twice_are_rounding():
    ours, theirs = ["loss 1.000", "loss 2.000"], ["loss 1.100", "loss 2.100"]
    found = forgiven(compare_lines(ours, theirs, False), theirs, ["loss 1.060", "loss 2.100"])
    assert [d.kind for d in found] == ["rounding", "number"]
    assert [d.is_fault for d in found] == [False, True]


def test_a_parameter_is_paired_within_its_layer():
    ours = [Slot("a.weight", (4, 2)), Slot("slope.weight", (1,)), Slot("odd.scale", (3,))]
    theirs = [Slot("odd.factor", (3,)), Slot("slope.alpha", (1,)), Slot("a.weight", (4, 2))]
    assert align(ours, theirs) == {
        "a.weight": "a.weight",
        "slope.weight": "slope.alpha",
        "odd.scale": "odd.factor",
    }


def watched(work, shake=0.0):
    """Work under a replay; what the replay says."""
    replay = Replay(Record({"side": "mxnet"}, {}, [], {}), shake=shake)
    watch = Watch(Tape(), replay)
    watch.start()
    try:
        work()
    finally:
        watch.stop()
    return replay


def test_batch_statistics_move_in_backward_last_first():
    layer = nn.BatchNorm1d(2, momentum=0.5)
    first, second = torch.tensor([[1.0, 2.0], [3.0, 6.0]]), torch.tensor([[0.0, 8.0], [8.0, 0.0]])
    seen = []

    def work():
        loss = (layer(first) + 2 * layer(second)).sum()
        seen.append(layer.running_mean.clone())
        loss.backward()

    replay = watched(work)
    assert seen[0].tolist() == [0.0, 0.0]
    # the second batch's, then the first's: 0.5 * (0.5 * 0 + 0.5 * 4) + 0.5 * 2
    torch.testing.assert_close(layer.running_mean, torch.tensor([2.0, 3.0]))
    # biased variances: 16 and 1, 16 and 4
    torch.testing.assert_close(layer.running_var, torch.tensor([4.75, 6.25]))
    assert any("backward" in note for note in replay.notes)


def test_adam_adds_eps_as_mxnet_does_and_has_its_own_afterwards():
    weight = nn.Parameter(torch.tensor([1.0]))
    adam = torch.optim.Adam([weight], lr=0.5, eps=0.1)

    def work():
        weight.grad = torch.tensor([1e-2])
        adam.step()

    watched(work)
    assert adam.param_groups[0]["eps"] == 0.1
    root = (1e-4 * 1e-3) ** 0.5
    moved = 0.5 * 1e-3**0.5 / 0.1 * 1e-3 / (root + 0.1)
    torch.testing.assert_close(weight.detach(), torch.tensor([1 - moved]))


def test_a_shaken_run_rounds_its_weights_otherwise():
    weight = nn.Parameter(torch.ones(30))

    def work():
        weight.grad = torch.zeros(30)
        torch.optim.SGD([weight], lr=0.5).step()

    watched(work, shake=0.25)
    assert sorted(set(weight.tolist())) == [0.75, 1.0, 1.25]
