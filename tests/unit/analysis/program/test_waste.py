from __future__ import annotations

from tensorboard_memleak.analysis.program.diagnose import diagnose_program
from tensorboard_memleak.readers.hlo import read_program
from tests.hlo_builder import Hlo, f32

MIB = 1 << 20


def test_padding_at_the_peak_is_told_with_the_buffers_that_have_most() -> None:
    hlo = Hlo("jit_f", module_id=3)
    main = hlo.computation("main")
    narrow = main.parameter(0, "narrow", f32(1024, 1024), op_name="x")
    full = main.parameter(1, "full", f32(2, 1024, 1024), op_name="y")
    hlo.allocation(40 * MIB, [(hlo.buffer(narrow, 40 * MIB), 0)], parameter=0)
    hlo.allocation(8 * MIB, [(hlo.buffer(full, 8 * MIB), 0)], parameter=1)
    (finding,) = diagnose_program(read_program(hlo.encode())).findings
    assert (finding.id, finding.kind, finding.severity) == ("p3-1", "program_long_buffer", "low")
    assert finding.title == "f: 36 MiB of the peak is padding"
    assert finding.bytes == 36 * MIB
    assert (finding.site.op, finding.blocks) == ("x", 1)


def test_large_constants_are_told() -> None:
    hlo = Hlo("jit_f")
    main = hlo.computation("main")
    frame = hlo.frame("model.py", 3, "f")
    table = main.add("constant", "constant.1", f32(1024, 1024), op_name="jit(f)/table", frame=frame)
    hlo.allocation(4 * MIB, [(hlo.buffer(table, 4 * MIB), 0)], constant=True)
    (finding,) = diagnose_program(read_program(hlo.encode())).findings
    assert finding.title == "f has 4 MiB of constants built in"
    assert finding.site.stack == ("model.py:3 f",)
    assert "arguments" in finding.advice


def test_little_waste_is_not_told() -> None:
    hlo = Hlo("jit_f")
    main = hlo.computation("main")
    scalar = main.parameter(0, "s", f32())
    hlo.allocation(512, [(hlo.buffer(scalar, 512), 0)], parameter=0)
    assert diagnose_program(read_program(hlo.encode())).findings == ()
