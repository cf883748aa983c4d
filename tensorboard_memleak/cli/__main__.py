"""`python -m tensorboard_memleak.cli` is `memleak`."""

import sys

from tensorboard_memleak.cli.main import main

sys.exit(main())
