"""Responders for CVT items, and what each must show."""
