"""The functions of `mx.np` and `mx.npx` that have signatures of their own; found by themselves."""
