"""Vantage: recompute, inspect and extend two papers on perspective-taking in multimodal models."""
