"""Responders for FrameEvidence-Open, and what each must show."""
