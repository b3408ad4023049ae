"""The one exception a user of Vantage should ever meet."""


class InputError(ValueError):
    """Something handed to Vantage is not what it must be.

    The message is one line: what was expected, what was found, where (file and row), and what to do. The command line
    prints it and exits with status 2; no traceback is shown and nothing is written.
    """
