from __future__ import annotations

import pytest

from tensorboard_memleak.errors import UnreadableFile
from tensorboard_memleak.model.expectations import NO_EXPECTATIONS, Expectations, ExpectedSite
from tensorboard_memleak.readers.expectations import read_expectations

WHOLE = b"""
[thresholds]
bytes_per_step = "1.5 KiB"

[[expected]]
site = "*Buffer*"
reason = "fills for an hour"
memory = "GPU_*"
bytes_per_step = 4096

[[expected]]
site = "Adam"
"""


def test_a_whole_configuration() -> None:
    assert read_expectations(WHOLE, "/a/.memleak.toml") == Expectations(
        sites=(
            ExpectedSite("*Buffer*", "fills for an hour", "GPU_*", 4096),
            ExpectedSite("Adam"),
        ),
        least_bytes_per_step=1536,
        source="/a/.memleak.toml",
    )


def test_an_empty_file_expects_nothing() -> None:
    assert read_expectations(b"", "").sites == NO_EXPECTATIONS.sites


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[[expected]]", "no site"),
        ("[expected]\nsite = 'a'", "two brackets"),
        ("[[expected]]\nsite = 1", "site is 1"),
        ("[[expected]]\nsite = 'a'\nreasn = 'b'", "unknown key 'reasn'"),
        ("[threshold]", "unknown key 'threshold'"),
        ("[thresholds]\nbytes_per_step = '4 KB'", "'4 KB', not a size"),
        ("[thresholds]\nbytes_per_step = -1", "-1, not a size"),
        ("[thresholds]\nbytes_per_step = true", "True, not a size"),
        ("thresholds = 3", "thresholds is 3"),
        ("x = ", "Invalid value"),
        ("\xff", "decode"),
    ],
)
def test_a_wrong_configuration_is_named_with_what_is_wrong(text: str, what: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        read_expectations(text.encode("latin-1"), "/a/.memleak.toml")

    assert caught.value.message.startswith("/a/.memleak.toml is not")
    assert what in caught.value.message
