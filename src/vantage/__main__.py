"""`python -m vantage` is the command `vantage`."""

import sys

from vantage.cli import main

sys.exit(main())
