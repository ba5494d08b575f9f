"""Pixels: reading, decoding, resizing, bordering images with OpenCV, as NumPy arrays (H, W, C)."""
