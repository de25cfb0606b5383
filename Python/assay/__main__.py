"""`python -m assay` is the command `assay`."""
import sys

from ._launcher import main

sys.exit(main())
