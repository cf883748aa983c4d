"""What all tests share."""

from __future__ import annotations

from hypothesis import settings

# A busy machine is no failure: time is measured by `make bench`, not by property tests.
settings.register_profile("steady", deadline=None)
settings.load_profile("steady")
