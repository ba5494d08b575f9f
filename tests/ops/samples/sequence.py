"""Padded sequences: masks, last elements, reversal."""

from tests.cases import A, I, S, V

X = (4, 3, 2)  # time, batch, features
LENGTHS = V([1, 4, 2])

ROWS = [
    S("SequenceMask", X),
    S("SequenceMask", X, LENGTHS, use_sequence_length=True),
    S("SequenceMask", X, LENGTHS, use_sequence_length=True, value=-1.5),
    S("SequenceMask", (3, 4, 2), LENGTHS, use_sequence_length=True, axis=1),
    S("SequenceMask", (4, 3), LENGTHS, use_sequence_length=True, value=9.0),
    S("SequenceMask", (4, 3, 2, 2), V([0, 9, 2]), use_sequence_length=True),
    S("SequenceMask", A(X, "float64"), V([1, 4, 2], "float64"), use_sequence_length=True),
    S("SequenceMask", X, V([1, 4, 2], "int32"), use_sequence_length=True, value=0.5),
    S("SequenceMask", I(X, 0, 9), LENGTHS, use_sequence_length=True),
    S("SequenceLast", X, grad=False),
    S("SequenceLast", X, LENGTHS, use_sequence_length=True),
    S("SequenceLast", (3, 4, 2), LENGTHS, use_sequence_length=True, axis=1),
    S("SequenceLast", (3, 4, 2), axis=1, grad=False),
    S("SequenceLast", (4, 3), LENGTHS, use_sequence_length=True),
    S("SequenceLast", A(X, "float64"), V([1, 4, 2], "float64"), use_sequence_length=True),
    S("SequenceLast", X, V([1, 4, 2], "int32"), use_sequence_length=True),
    S("SequenceReverse", X),
    S("SequenceReverse", X, axis=1, raises="MXNetError"),
    S("SequenceReverse", X, LENGTHS, use_sequence_length=True),
    S("SequenceReverse", (4, 3, 2, 2), V([3, 1, 4]), use_sequence_length=True),
    S("SequenceReverse", A(X, "float64"), V([1, 4, 2], "float64"), use_sequence_length=True),
    S("SequenceReverse", X, V([1, 4, 2], "int32"), use_sequence_length=True),
    S("SequenceReverse", (4, 3)),
    S("SequenceReverse", (4, 3), LENGTHS, use_sequence_length=True),
    S("SequenceMask", X, axis=2, raises="MXNetError"),
    S("SequenceMask", X, axis=-1, raises="MXNetError"),
    S("SequenceMask", (4,), raises="MXNetError"),
    S("SequenceLast", X, axis=-1, raises="MXNetError"),
    S("SequenceLast", (4,), raises="MXNetError"),
    S("SequenceReverse", (4,), raises="MXNetError"),
]
