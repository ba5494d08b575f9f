"""Graphs with their weights, as what is deployed: for prediction, in torch's forms."""
