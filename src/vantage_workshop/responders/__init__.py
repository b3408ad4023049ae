"""Responders whose mechanism is known: what they answer is really run on the items and frozen as `reference` sets."""
