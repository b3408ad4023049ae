"""Widgets that let a reader look at single items: they run in a static page, with no kernel and no network."""

from vantage.inspectors.scene import SceneInspector
from vantage.inspectors.triplet import TripletInspector

__all__ = ["SceneInspector", "TripletInspector"]
