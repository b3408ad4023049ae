"""How fast, against what a user would do instead, and that both agree."""
