from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tensorboard_memleak.catalog import Catalog, scan_roots
from tensorboard_memleak.errors import BadRequest, NotFound
from tensorboard_memleak.roots import Root
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.module import MOST_BUFFERS, MOST_POINTS, module
from tensorboard_memleak.service.module_buffers import module_buffer
from tensorboard_memleak.service.opening import open_path
from tensorboard_memleak.service.programs import module_lists, modules
from tensorboard_memleak.service.report import session_report
from tensorboard_memleak.settings import Settings
from tests.hlo_builder import Hlo, f32
from tests.xspace_builder import XSpace, hlo_plane

KIB = 1024


def step(module_id: int = 8, name: str = "jit_step") -> Hlo:
    """A step with a weight of 64 KiB that could be donated, and a temporary of 16 KiB."""
    hlo = Hlo(name, module_id)
    frame = hlo.frame("train.py", 9, "step")
    main = hlo.computation("main")
    weight = main.parameter(0, "w.1", f32(128, 128), op_name="w")
    batch = main.parameter(1, "x.1", f32(8, 128), op_name="x")
    product = main.add(
        "dot", "product", f32(8, 512), [batch, weight], op_name="jit(step)/dot", frame=frame
    )
    new = main.add(
        "subtract", "new", f32(128, 128), [weight, product], op_name="jit(step)/sub", frame=frame
    )
    w, x, p, n = (
        hlo.buffer(i, s * KIB) for i, s in ((weight, 64), (batch, 4), (product, 16), (new, 64))
    )
    hlo.allocation(64 * KIB, [(w, 0)], parameter=0)
    hlo.allocation(4 * KIB, [(x, 0)], parameter=1)
    hlo.allocation(64 * KIB, [(n, 0)], live_out=True)
    hlo.allocation(20 * KIB, [(p, 4 * KIB)])
    hlo.trace(("alloc", p), ("free", p))
    return hlo


def write(logdir: Path, modules: dict[str, bytes], **files: bytes) -> LeakFinder:
    """Write a session with programs in its trace, and files beside it."""
    folder = logdir / "run/plugins/profile/s1"
    folder.mkdir(parents=True)
    space = XSpace()
    space.plane().line("python").event("train", at_ps=0, lasts_ps=1000, step_num=0, _r=1)
    hlo_plane(space, modules)
    (folder / "host.xplane.pb").write_bytes(space.encode())
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return LeakFinder(Settings((Root(str(logdir)),)), Catalog((Root(str(logdir)),), scan_roots))


@pytest.fixture
def finder(tmp_path: Path) -> LeakFinder:
    return write(tmp_path, {"jit_step(8)": step().encode()})


WHERE = ("run/s1", "host")


def test_programs_are_listed_with_their_bytes(finder: LeakFinder) -> None:
    table = modules(finder, *WHERE)
    assert table["total"] == 1
    columns = table["columns"]
    assert {key: values[0] for key, values in columns.items()} == {
        "name": "jit_step",
        "program_id": 8,
        "peak_bytes": 148 * KIB,
        "total_bytes": 152 * KIB,
        "parameter_bytes": 68 * KIB,
        "output_bytes": 64 * KIB,
        "aliased_bytes": 0,
        "donatable_bytes": 64 * KIB,
        "constant_bytes": 0,
        "temporary_bytes": 20 * KIB,
        "generated_code_bytes": None,
        "instructions": 4,
        "buffers": 4,
        "compilations": 1,
        "runs": None,
        "alive_outputs": 0,
        "alive_output_bytes": 0,
        "warnings": 0,
        "findings": 1,
    }


def test_the_report_lists_programs_and_their_findings(finder: LeakFinder) -> None:
    (host,) = session_report(finder, "run/s1")["sessions"][0]["hosts"]
    (entry,) = host["modules"]
    assert (entry["name"], entry["program_id"], entry["peak_bytes"]) == ("jit_step", 8, 148 * KIB)
    (finding,) = entry["findings"]
    assert (finding["id"], finding["kind"], finding["bytes"]) == (
        "p8-1",
        "missing_donation",
        64 * KIB,
    )


def test_one_program_in_full(finder: LeakFinder) -> None:
    found = module(finder, *WHERE, program_id=8)
    assert (found["name"], found["xprof_name"]) == ("jit_step", "jit_step(8)")
    assert found["peak"] == {"point": 0, "bytes": 148 * KIB, "unpadded_bytes": 148 * KIB}
    assert found["allocated"]["fragmentation_bytes"] == 4 * KIB
    strings = found["strings"]
    points = found["points"]
    assert (points["total"], points["merged"]) == (2, False)
    assert points["columns"]["heap_bytes"] == [148 * KIB, 132 * KIB]
    assert [strings[i] for i in points["columns"]["instruction"]] == ["product", "product"]
    allocations = found["allocations"]["columns"]
    assert allocations["kind"] == ["parameter", "parameter", "output", "temporary"]
    assert allocations["base_bytes"] == [0, 64 * KIB, 68 * KIB, 132 * KIB]
    assert allocations["lives_whole_program"] == [True, True, True, False]


def test_buffers_have_their_place_life_and_names(finder: LeakFinder) -> None:
    found = module(finder, *WHERE, program_id=8)
    columns, strings = found["buffers"]["columns"], found["strings"]
    last = {key: values[-1] for key, values in columns.items()}
    assert (last["buffer"], last["born"], last["freed"]) == (102, 0, 1)
    assert (last["offset_bytes"], last["place_bytes"]) == (4 * KIB, 136 * KIB)
    texts = {
        k: strings[last[k]] for k in ("instruction", "opcode", "op_name", "shape", "kind", "source")
    }
    assert texts == {
        "instruction": "product",
        "opcode": "dot",
        "op_name": "jit(step)/dot",
        "shape": "f32[8,512]{1,0}",
        "kind": "temporary",
        "source": "train.py:9",
    }
    assert columns["born"][:3] == [None, None, None]
    assert sorted(found["live"]["columns"]["size_bytes"]) == [4 * KIB, 16 * KIB, 64 * KIB, 64 * KIB]


def test_what_is_live_can_be_asked_for_any_point(finder: LeakFinder) -> None:
    live = module(finder, *WHERE, program_id=8, point=1)["live"]
    assert (live["point"], live["total"], live["bytes"]) == (1, 3, 132 * KIB)
    with pytest.raises(BadRequest, match="no point 2"):
        module(finder, *WHERE, program_id=8, point=2)


def test_one_buffer_in_full(finder: LeakFinder) -> None:
    found = module_buffer(finder, *WHERE, program_id=8, buffer_id=102)
    assert found["stack"] == ["train.py:9 step"]
    assert found["read_by"] == {"total": 1, "instructions": ["new"]}
    assert found["shared_with"] == {"total": 1, "instructions": ["product"]}
    with pytest.raises(NotFound, match="no buffer 7"):
        module_buffer(finder, *WHERE, program_id=8, buffer_id=7)


def test_a_broken_program_leaves_the_others(tmp_path: Path) -> None:
    finder = write(tmp_path, {"jit_bad(1)": b"\xff\xff", "jit_step(8)": step().encode()})
    table = modules(finder, *WHERE)
    assert table["columns"]["name"] == ["jit_step"]
    assert [w["code"] for w in table["warnings"]] == ["unreadable_file"]
    assert "jit_bad(1)" in table["warnings"][0]["message"]
    (host,) = session_report(finder, "run/s1")["sessions"][0]["hosts"]
    assert "unreadable_file" in [warning["code"] for warning in host["warnings"]]


def test_files_beside_the_trace_add_what_it_lacks(tmp_path: Path) -> None:
    finder = write(
        tmp_path,
        {"jit_step(8)": step().encode()},
        **{
            "jit_step(8).hlo_proto.pb": step().encode(),
            "jit_other(9).hlo_proto.pb": step(4, "jit_other").encode(),
            "NO_MODULE.hlo_proto.pb": b"",
        },
    )
    columns = modules(finder, *WHERE)["columns"]
    assert sorted(zip(columns["name"], columns["program_id"], strict=True)) == [
        ("jit_other", 9),
        ("jit_step", 8),
    ]


def test_ids_beyond_javascript_are_text_and_found(tmp_path: Path) -> None:
    huge = 12190760917235803885
    finder = write(tmp_path, {f"jit_step({huge})": step().encode()})
    assert modules(finder, *WHERE)["columns"]["program_id"] == [str(huge)]
    assert module(finder, *WHERE, program_id=huge)["program_id"] == str(huge)
    with pytest.raises(NotFound, match="no program 5"):
        module(finder, *WHERE, program_id=5)


def test_dumps_of_xla_are_opened_from_the_command_line(tmp_path: Path) -> None:
    dump = tmp_path / "module_0008.jit_step.after_optimizations.hlo.pb.gz"
    dump.write_bytes(gzip.compress(step().encode()))
    for path in (dump, tmp_path):
        (host,) = module_lists(open_path(str(path)))
        assert [row["name"] for row in host["modules"]] == ["jit_step"]
        assert host["modules"][0]["runs"] is None


def test_nothing_that_fits_is_an_error(tmp_path: Path) -> None:
    finder = write(tmp_path, {})
    with pytest.raises(NotFound):
        module_lists(finder, session="other")
    assert module_lists(finder)[0]["modules"] == []


def test_a_large_program_is_thinned_and_says_so(tmp_path: Path) -> None:
    hlo = Hlo("jit_large", 3)
    main = hlo.computation("main")
    count = MOST_BUFFERS + 1000
    made = [main.add("add", f"v{i}", f32(8 + i % 7), op_name=f"jit(f)/op{i}") for i in range(count)]
    buffers = [hlo.buffer(one, 32 + 4 * (i % 7)) for i, one in enumerate(made)]
    hlo.allocation(10**6, [(number, 0) for number in buffers])
    hlo.trace(*(("alloc", b) for b in buffers), *(("free", b) for b in buffers))
    finder = write(tmp_path, {"jit_large(3)": hlo.encode()})
    found = module(finder, *WHERE, program_id=3)
    assert found["buffers"]["total"] == count
    assert found["buffers"]["left_out"] == 1000
    assert len(found["buffers"]["columns"]["buffer"]) == MOST_BUFFERS
    points = found["points"]
    assert (points["total"], points["merged"]) == (2 * count, True)
    assert len(points["columns"]["point"]) <= MOST_POINTS
    assert found["peak"]["bytes"] in points["columns"]["heap_bytes"]
    assert len(json.dumps(found)) < 2_000_000
    live = found["live"]
    shown = sum(live["columns"]["size_bytes"])
    assert shown + live["left_out_bytes"] == live["bytes"] == found["peak"]["bytes"]
