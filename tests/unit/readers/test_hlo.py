from __future__ import annotations

import gzip
import lzma

import pytest

from tensorboard_memleak.errors import UnreadableFile
from tensorboard_memleak.model.program import NO_ROW, Alias, AllocationKind, Program
from tensorboard_memleak.readers.hlo import read_program
from tests.hlo_builder import Hlo, array, f32, tuple_of


def update_step() -> Hlo:
    """A step that returns its first argument updated, with one temporary."""
    hlo = Hlo("jit_step", module_id=7)
    outer = hlo.frame("train.py", 90, "main")
    inner = hlo.frame("model.py", 12, "Model.step", parent=outer)
    main = hlo.computation("main.5")
    w = main.parameter(0, "w.1", f32(8, 16), op_name="state['w']")
    x = main.parameter(1, "x.1", array(16, 4, 8), op_name="x")
    h = main.add("dot", "h", f32(4, 16), [x, w], op_name="jit(step)/dot_general", frame=inner)
    new = main.add(
        "subtract", "new", f32(8, 16), [w, h], op_name="jit(step)/sub", file="a.py", line=3
    )
    main.add("tuple", "out", tuple_of(f32(8, 16)), [new])
    buffers = [hlo.buffer(i, size) for i, size in ((w, 512), (x, 64), (h, 256), (new, 512))]
    hlo.allocation(512, [(buffers[0], 0)], parameter=0)
    hlo.allocation(64, [(buffers[1], 0)], parameter=1)
    hlo.allocation(512, [(buffers[3], 0)], live_out=True)
    hlo.allocation(256, [(buffers[2], 0)])
    hlo.trace(("alloc", buffers[2]), ("free", buffers[2]))
    return hlo


def names(program: Program, column: str) -> list[str]:
    return [program.strings[index] for index in getattr(program.instructions, column).tolist()]


def codes(program: Program) -> list[str]:
    return [notice.code for notice in program.notices]


def said(program: Program) -> str:
    return " ".join(notice.message for notice in program.notices)


def test_instructions_are_columns_with_references_as_rows() -> None:
    program = read_program(update_step().encode())
    rows = program.instructions
    assert (program.name, program.program_id) == ("jit_step", 7)
    assert names(program, "name") == ["w.1", "x.1", "h", "new", "out"]
    assert names(program, "opcode") == ["parameter", "parameter", "dot", "subtract", "tuple"]
    assert names(program, "op_name")[:3] == ["state['w']", "x", "jit(step)/dot_general"]
    assert rows.id[2] == (1 << 32) | 3
    assert rows.operands_of(2) == [1, 0]
    assert rows.parameter_number.tolist() == [0, 1, -1, -1, -1]
    assert rows.position.tolist() == [0, 1, 2, 3, 4]
    assert program.computations.root.tolist() == [4]
    assert program.entry == 0
    assert program.notices == ()


def test_names_of_the_profile_win_over_those_of_the_proto() -> None:
    program = read_program(
        update_step().encode(), name="jit_step", program_id=2**63 - 5, path="a/b"
    )
    assert (program.program_id, program.path) == (2**63 - 5, "a/b")


def test_source_stacks_are_innermost_first_and_fill_in_the_file() -> None:
    program = read_program(update_step().encode())
    rows = program.instructions
    stack = program.stacks.path(int(rows.stack[2]))
    assert [program.strings[frame] for frame in stack] == [
        "model.py:12 Model.step",
        "train.py:90 main",
    ]
    assert names(program, "source_file")[2:4] == ["model.py", "a.py"]
    assert rows.source_line.tolist()[2:4] == [12, 3]


def test_buffers_know_their_instruction_shape_allocation_and_padding() -> None:
    program = read_program(update_step().encode())
    buffers = program.buffers
    assert buffers.id.tolist() == [100, 101, 102, 103]
    assert buffers.instruction.tolist() == [0, 1, 2, 3]
    assert buffers.allocation.tolist() == [0, 1, 3, 2]
    assert buffers.size_bytes.tolist() == [512, 64, 256, 512]
    assert buffers.unpadded_bytes.tolist() == [512, 64, 256, 512]
    assert program.shapes[buffers.shape[1]].text == "bf16[4,8]{1,0}"


def test_an_allocation_is_the_first_kind_that_holds() -> None:
    hlo = update_step()
    hlo.allocation(8, parameter=2, live_out=True)
    hlo.allocation(8, thread_local=True, constant=True)
    hlo.allocation(8, constant=True)
    allocations = read_program(hlo.encode()).allocations
    kinds = AllocationKind
    assert allocations.kind.tolist() == [
        *(kinds.PARAMETER, kinds.PARAMETER, kinds.OUTPUT, kinds.TEMPORARY),
        *(kinds.PARAMETER, kinds.THREAD_LOCAL, kinds.CONSTANT),
    ]
    assert allocations.is_aliased.tolist() == [False] * 4 + [True, False, False]


def test_a_part_of_a_tuple_has_its_own_shape() -> None:
    hlo = Hlo("jit_f")
    main = hlo.computation("main")
    both = main.add("custom-call", "both", tuple_of(f32(2), tuple_of(f32(3), array(6, 100))))
    hlo.buffer(both, 128, index=(1, 1))
    hlo.buffer(both, 16, index=())
    hlo.buffer(both, 16, index=(1, 5))
    program = read_program(hlo.encode())
    assert [program.shapes[row].text for row in program.buffers.shape[:2].tolist()] == [
        "u8[100]{0}",
        "(f32[2]{0}, (f32[3]{0}, u8[100]{0}))",
    ]
    assert program.buffers.unpadded_bytes.tolist() == [100, 16, -1]
    assert "buffers defined at a part that their shape does not have: 1" in said(program)


def test_aliases_and_donors() -> None:
    hlo = update_step()
    hlo.alias(output=(0,), parameter=0)
    hlo.donor(parameter=1, index=(2,))
    program = read_program(hlo.encode())
    assert program.aliases == (Alias((0,), 0, ()),)
    assert program.donors == ((1, (2,)),)


def test_called_computations_stand_before_their_caller_in_program_order() -> None:
    hlo = Hlo("jit_loop")
    main, body, condition = (hlo.computation(name) for name in ("main", "body", "condition"))
    start = main.parameter(0, "p", f32(1))
    main.add("while", "loop", f32(1), [start], calls=[body, condition])
    main.add("while", "again", f32(1), [start], calls=[body])
    body.parameter(0, "b", f32(1))
    condition.parameter(0, "c", f32(1))
    program = read_program(hlo.encode())
    order = sorted(zip(program.instructions.position.tolist(), names(program, "name"), strict=True))
    assert [name for _, name in order] == ["p", "b", "c", "loop", "again"]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
def test_dumps_may_be_packed(pack: object) -> None:
    assert callable(pack)
    assert read_program(pack(update_step().encode())).name == "jit_step"


def test_a_bare_module_is_read_and_says_what_it_lacks() -> None:
    program = read_program(update_step().encode_module())
    assert len(program.instructions) == 5
    assert codes(program) == ["no_buffer_assignment"]


def test_a_module_without_schedule_is_read_and_says_so() -> None:
    hlo = update_step()
    hlo.scheduled = False
    program = read_program(hlo.encode())
    assert codes(program) == ["no_schedule"]
    assert program.instructions.position.tolist() == [NO_ROW] * 5


@pytest.mark.parametrize(
    "data", [b"", b"\x00", b"not a proto", gzip.compress(b"x" * 9)[:-3], b"\xfd7zXZ\x00junk"]
)
def test_other_bytes_are_unreadable(data: bytes) -> None:
    with pytest.raises(UnreadableFile, match=r"bad\.pb"):
        read_program(data, path="bad.pb")


def test_broken_references_are_told_and_left_out() -> None:
    hlo = Hlo("jit_broken")
    main = hlo.computation("main")
    ghost = Hlo("other").computation("ghost").add("add", "ghost", f32(1))
    ghost.id = 99
    one = main.add("negate", "one", f32(4), operand_ids=(12345,), frame=50)
    buffers = [hlo.buffer(one, 16), hlo.buffer(ghost, 16), hlo.buffer(one, -5)]
    hlo.allocation(16, [(buffers[0], 8), (77, 0)], sizes={buffers[0]: 16})
    hlo.allocation(-1, [(buffers[0], 0)])
    hlo.trace(("alloc", buffers[0]), ("free", 4242), ("shrink", buffers[0]))
    program = read_program(hlo.encode())
    text = said(program)
    for what in (
        "operands that do not exist: 1",
        "instructions whose stack frame does not exist: 1",
        "buffers defined by an instruction that does not exist: 1",
        "buffers of an impossible size, counted as 0 bytes: 1",
        "allocations of an impossible size, counted as 0 bytes: 1",
        "buffers that reach outside their allocation: 2",
        "assigned buffers that do not exist: 1",
        "buffers assigned more than once: 1",
        "heap events of a buffer that does not exist: 1",
        "heap events of an unknown kind: 1",
    ):
        assert f"jit_broken: {what}." in text
    assert program.buffers.size_bytes.tolist() == [16, 16, 0]
    assert program.instructions.operands_of(0) == []


def test_stack_frames_that_are_their_own_ancestor_end() -> None:
    hlo = update_step()
    hlo.frame("ring.py", 1, "a", parent=4)
    hlo.frame("ring.py", 2, "b", parent=3)
    program = read_program(hlo.encode())
    assert "stack frames that are their own ancestor: 1" in said(program)
    assert (program.stacks.parent[1:] < range(1, len(program.stacks.parent))).all()


def test_equal_traces_of_a_split_heap_count_once() -> None:
    hlo = update_step()
    hlo.traces.append(hlo.traces[0])
    assert len(read_program(hlo.encode()).traces) == 1


def test_names_that_are_not_utf8_keep_what_can_be_read() -> None:
    data = update_step().encode().replace(b"jit(step)/sub", b"jit(step)/\xff\xfeb")
    assert names(read_program(data), "op_name")[3] == "jit(step)/\ufffd\ufffdb"
