"""The parts of `mx.test_utils`, by subject."""
