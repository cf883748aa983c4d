from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_memleak.errors import NotFound
from tensorboard_memleak.service.opening import open_path
from tensorboard_memleak.service.origins import origins
from tests.shared_data import needs_shared_data, shared

CONV = "third_party/tracelens_mi300/conv_legacy/plugins/profile/conv_legacy"
HOST = "chi-mi300x-013.ord.vultr.cpe.ice.amd.com"


@needs_shared_data
def test_blocks_of_a_real_gpu_capture_are_buffers_of_its_program() -> None:
    finder = open_path(str(shared(CONV)))
    sites = finder.memory("conv_legacy", HOST, "GPU_3_bfc").sites.sites
    told = set()
    for index in range(len(sites)):
        found = origins(finder, "conv_legacy", HOST, "GPU_3_bfc", site_index=index)
        assert found["programs"] == 8
        assert found["joined"] == found["blocks"] > 0
        for origin in found["origins"]:
            (candidate,) = origin["candidates"]
            told.add(
                (origin["module"], origin["basis"], candidate["kind"], candidate["size_bytes"])
            )
    assert told == {
        ("jit_forward_3d_conv", "run", "output", 572_026_880),
        ("jit_forward_3d_conv", "run", "temporary", 579_072_128),
        ("jit_forward_3d_conv", "function", "parameter", 655_360),
    }
    with pytest.raises(NotFound, match="no site 99"):
        origins(finder, "conv_legacy", HOST, "GPU_3_bfc", site_index=99)


def test_without_programs_nothing_is_joined(tmp_path: Path) -> None:
    from tests.histories import leaking_capture

    (tmp_path / "host.xplane.pb").write_bytes(leaking_capture())
    finder = open_path(str(tmp_path / "host.xplane.pb"))
    (session,) = finder.listing.sessions.values()
    memory = finder.host(session.id, "host").diagnosis.memories[0].memory.memory_id
    found = origins(finder, session.id, "host", memory, site_index=0)
    assert (found["programs"], found["joined"], found["origins"]) == (0, 0, [])
    assert found["blocks"] > 0
