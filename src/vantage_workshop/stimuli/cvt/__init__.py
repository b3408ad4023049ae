"""CVT-Synthetic-Open: CLEVR-like scenes, and questions about them in the printed composition."""
