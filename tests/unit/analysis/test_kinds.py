"""Every kind of survivor, told apart on windows written down by hand."""

from __future__ import annotations

import pytest

from tensorboard_memleak.analysis.confidence import EXPLAINED, SUSPICION, succession
from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.model.findings import Finding
from tests.unit.analysis.steady import KIB, busy, diagnosed
from tests.window_builder import Window


def first(window: Window) -> Finding:
    return diagnosed(window).findings[0]


def test_one_block_a_step_is_a_leak() -> None:
    window = busy(12)
    for step in range(12):
        window.block("Relu", 128 * KIB, born=step + 0.3, shape="[128,256]", dtype="float32")
    diagnosis = diagnosed(window)
    (finding,) = diagnosis.findings
    assert (diagnosis.verdict, diagnosis.confidence) == ("leak", succession(12))
    assert diagnosis.reason == "Relu [128,256] float32 leaks 128 KiB every step."
    assert finding.title == "Relu [128,256] float32 leaks 128 KiB every step"
    assert (finding.kind, finding.pattern, finding.severity) == ("growth", "every step", "high")
    assert (finding.bytes_per_step, finding.rate_low, finding.rate_high) == (131072,) * 3
    assert (finding.blocks, finding.bytes, finding.requested_bytes) == (12, 1572864, 1572864)
    assert (finding.first_step, finding.last_step, finding.steps_with_survivors) == (0, 11, 12)
    assert finding.evidence.survivors_by_step.tolist() == [1] * 12
    assert finding.evidence.survivor_bytes_by_step.tolist() == [131072] * 12


def test_a_scalar_a_step_is_a_leak_of_the_chunk_it_takes() -> None:
    window = busy(12)
    for step in range(12):
        window.block("Mean", 4, born=step + 0.3, size=256)
    assert (first(window).bytes_per_step, first(window).requested_bytes) == (256, 48)


def test_one_in_a_crowd_of_its_own_site_is_a_leak() -> None:
    window = busy(12)
    for step in range(12):
        for place in range(9):
            window.block("Relu", KIB, born=step + 0.3 + place / 50, freed=step + 0.7)
        window.block("Relu", KIB, born=step + 0.35)
    assert (first(window).kind, first(window).blocks) == ("growth", 12)


def test_a_healthy_crowd_of_one_shape_does_not_hide_a_leak_of_another() -> None:
    window = busy(12)
    for step in range(12):
        window.block("Relu", KIB, born=step + 0.3, freed=step + 6.2 if step < 5 else None)
        window.block("Relu", 7 * KIB, born=step + 0.4, shape="[7]")
    finding = first(window)
    assert (finding.kind, finding.site.shape, finding.bytes_per_step) == ("growth", "[7]", 7 * KIB)


def test_shapes_that_vary_are_one_leak_at_the_median_rate() -> None:
    window = busy(15)
    for step in range(15):
        window.block("Relu", (1 + step % 5) * KIB, born=step + 0.3, shape=f"[{step % 5}]")
    finding = first(window)
    assert (finding.kind, finding.site.shape, finding.blocks) == ("growth", "", 15)
    assert finding.bytes_per_step == 3 * KIB


def test_every_fifth_step() -> None:
    window = busy(60)
    for step in range(0, 60, 5):
        window.block("Relu", 5 * KIB, born=step + 0.3)
    finding = first(window)
    assert (finding.pattern, finding.bytes_per_step) == ("every 5th step", KIB)
    assert finding.title == "Relu leaks 1 KiB a step, every 5th step"
    assert finding.confidence == succession(12)


def test_three_in_twelve_steps_are_too_few_to_be_sure() -> None:
    window = busy(12)
    for step in (0, 5, 10):
        window.block("Relu", KIB, born=step + 0.3)
    diagnosis = diagnosed(window)
    assert (diagnosis.verdict, diagnosis.confidence) == ("inconclusive", None)
    assert diagnosis.findings[0].title == "Relu may leak 205 B a step, every 5th step"
    assert diagnosis.forecast is None
    assert diagnosis.totals.growth_bytes_per_step is None


def test_two_far_apart_are_not_yet_kept_once() -> None:
    window = busy(12)
    for step in (0, 6):
        window.block("Relu", KIB, born=step + 0.3)
    finding = first(window)
    assert (diagnosed(window).verdict, finding.kind) == ("inconclusive", "retained")
    assert finding.pattern == "too recent to tell"
    assert finding.title == (
        "Relu was kept too recently to tell whether more will follow: 2 blocks, 2 KiB"
    )


def test_what_cannot_be_told_stands_before_what_is_told() -> None:
    window = busy(12)
    for step in range(12):
        window.block("Next", 64 * KIB, born=step + 0.3, freed=step + 4.31 if step < 8 else None)
    window.block("Late", KIB, born=11.2)
    window.block("Late", KIB, born=10.2)
    kinds = [(one.site.op, one.pattern) for one in diagnosed(window).findings]
    assert kinds == [("Late", "too recent to tell"), ("Next", "levels off")]


def test_a_late_start_is_a_leak_since_then() -> None:
    window = busy(24)
    for step in range(24):
        window.block("Relu", KIB, born=step + 0.3, freed=step + 0.5 if step < 12 else None)
    finding = first(window)
    assert (finding.kind, finding.bytes_per_step) == ("growth", KIB)
    assert finding.pattern == "every step, since step 13 of the capture"


def test_by_chance_in_two_steps_of_three() -> None:
    window = busy(30)
    for step in range(30):
        kept = step % 7 not in (1, 4, 5)
        window.block("Relu", KIB, born=step + 0.3, freed=None if kept else step + 0.5)
    finding = first(window)
    assert (finding.kind, diagnosed(window).verdict) == ("growth", "leak")
    assert finding.bytes_per_step == pytest.approx(KIB * 17 / 30, rel=0.1)


@pytest.mark.parametrize("every", [1, 2])
def test_one_block_replaced_by_a_larger_one(every: int) -> None:
    window = busy(16)
    for step in range(16):
        size = (10 + step // every) * KIB
        freed = step + 1.4 if step < 15 else None
        window.block("Concat", size, born=step + 0.3, freed=freed, size=size + 256 * (step % 3))
    finding = first(window)
    assert (finding.kind, finding.pattern, finding.blocks) == ("growth", "by size", 1)
    assert finding.bytes_per_step == KIB // every
    assert finding.rate_low is not None
    assert finding.rate_high is not None
    assert finding.rate_low <= KIB // every <= finding.rate_high


def test_a_block_that_grows_and_starts_again_does_not_leak() -> None:
    window = busy(24)
    for step in range(24):
        freed = step + 1.4 if step < 23 else None
        window.block("Concat", (1 + step % 8) * KIB, born=step + 0.3, freed=freed)
    assert diagnosed(window).verdict == "no_leak"


def test_more_kept_than_removed_is_a_leak() -> None:
    window = busy(40)
    for step in range(40):
        window.block("Node", KIB, born=step + 0.3)
        removed = step + 13.5 if step % 2 and step < 26 else None
        window.block("Node", KIB, born=step + 0.4, freed=removed)
    finding = first(window)
    assert (finding.kind, diagnosed(window).verdict) == ("growth", "leak")


def test_kept_at_the_start_is_kept_once() -> None:
    window = busy(12)
    for place in range(4):
        window.block("Fill", 64 * KIB, born=0.3 + place / 100)
    diagnosis = diagnosed(window)
    (finding,) = diagnosis.findings
    assert (diagnosis.verdict, finding.kind, finding.pattern) == (
        "no_leak",
        "retained",
        "kept once",
    )
    assert finding.title == "Fill is kept, and nothing more is added: 4 blocks, 256 KiB"
    assert finding.confidence == succession(11)


def test_sites_that_are_kept_stand_in_one_finding_with_parts() -> None:
    window = busy(12)
    window.block("Fill", 64 * KIB, born=0.3)
    window.block("Slot", 16 * KIB, born=0.4)
    (finding,) = diagnosed(window).findings
    assert (finding.blocks, finding.bytes) == (2, 80 * KIB)
    assert [part.site.op for part in finding.parts] == ["Fill", "Slot"]
    assert finding.title == "2 blocks, 80 KiB from 2 sites are kept, most of it Fill"


def test_a_queue_that_fills_in_the_window_levels_off() -> None:
    window = busy(20)
    for step in range(20):
        window.block("Next", KIB, born=step + 0.3, freed=step + 5.31 if step < 15 else None)
    (finding,) = diagnosed(window).findings
    assert (finding.kind, finding.pattern, finding.blocks) == ("bounded", "levels off", 5)


def test_a_queue_that_was_full_before_the_window_replaces() -> None:
    window = busy(12)
    for step in range(12):
        window.block("Next", KIB, born=step + 0.3)
        window.block("", KIB, born=None, freed=step + 0.31)
    diagnosis = diagnosed(window)
    assert (diagnosis.verdict, first(window).pattern) == ("no_leak", "replaced")
    assert diagnosis.totals.prewindow_deallocations == 12


def test_a_full_queue_of_ragged_batches_is_no_sure_leak() -> None:
    window = busy(12)
    for step in range(12):
        window.block("Next", KIB + 7 * step, born=step + 0.3)
        window.block("", KIB + 5 * step + 1, born=None, freed=step + 0.31)
    diagnosis = diagnosed(window)
    assert (diagnosis.verdict, first(window).confidence) == ("inconclusive", EXPLAINED)
    assert "from before the capture were freed meanwhile" in first(window).detail


def test_a_cache_whose_keys_come_up_more_and_more_rarely_levels_off() -> None:
    window = busy(60)
    for step in range(60):
        new = step in (0, 1, 2, 4, 5, 8, 12, 17, 26)
        window.block("Embed", KIB, born=step + 0.3, freed=None if new else step + 0.5)
    assert (diagnosed(window).verdict, first(window).kind) == ("no_leak", "bounded")


def test_gathered_and_dropped_every_sixth_step_is_freed_late() -> None:
    window = busy(22)
    for step in range(22):
        drop = 6 * (step // 6 + 1) + 0.05
        window.block("Grad", KIB, born=step + 0.3, freed=drop if drop < 22 else None)
    (finding,) = diagnosed(window).findings
    assert (finding.kind, finding.severity, finding.blocks) == ("delayed_free", "low", 4)
    assert finding.title == "Grad is freed late, up to 7 steps on: 4 blocks, 4 KiB at the end"


def test_what_a_collector_moves_to_its_older_generation_is_no_sure_leak() -> None:
    window = busy(48)
    for step in range(48):
        late = step % 6 == 5
        drop = 6 * (step // 6 + 1) - 0.5
        window.block("Node", KIB, born=step + 0.6, freed=None if late else drop)
    diagnosis = diagnosed(window)
    assert diagnosis.verdict == "inconclusive"
    assert "released in bursts" in first(window).detail


def test_still_in_use_by_the_last_step_is_in_flight() -> None:
    window = busy(12)
    for step in range(12):
        window.block("Next", KIB, born=step + 0.3, freed=step + 1.4 if step < 11 else None)
    (finding,) = diagnosed(window).findings
    assert (finding.kind, finding.pattern, finding.blocks) == ("in_flight", "in flight", 1)


def test_nothing_left_is_no_leak() -> None:
    diagnosis = diagnosed(busy(12))
    assert (diagnosis.verdict, diagnosis.findings) == ("no_leak", ())
    assert diagnosis.reason == "Everything that was allocated in the window was also freed in it."
    assert diagnosis.confidence == succession(12)


@pytest.mark.parametrize(
    ("steps", "why"),
    [(1, "holds only 1 step."), (2, "holds only 2 steps."), (3, "3 such steps are too few")],
)
def test_one_block_a_step_in_few_steps_cannot_be_told(steps: int, why: str) -> None:
    window = busy(steps)
    for step in range(steps):
        window.block("Relu", KIB, born=step + 0.3)
    diagnosis = diagnosed(window)
    assert (diagnosis.verdict, diagnosis.confidence) == ("inconclusive", None)
    assert why in diagnosis.reason
    assert diagnosis.reason.endswith("A capture of 10 steps can tell.")


def test_nothing_left_after_one_step_is_no_leak() -> None:
    assert diagnosed(busy(1)).verdict == "no_leak"


def test_something_kept_in_the_last_step_but_one_cannot_be_told() -> None:
    window = busy(12)
    for step in range(12):
        window.block("Relu", KIB, born=step + 0.3, freed=None if step == 10 else step + 0.5)
    assert diagnosed(window).verdict == "inconclusive"


def test_steps_that_are_inferred_convict_nobody() -> None:
    window = busy(20, marked=False)
    for step in range(20):
        window.block("Relu", KIB, born=step + 0.3)
    host = diagnose(window.trace())
    (memory,) = host.memories
    assert (memory.diagnosis.verdict, memory.diagnosis.findings[0].site.op) == (
        "inconclusive",
        "Relu",
    )
    assert memory.diagnosis.findings[0].confidence == SUSPICION
    assert "inferred from what recurs" in memory.diagnosis.reason
    assert [notice.code for notice in host.notices] == ["steps_inferred"]


def test_releases_that_the_capture_lost_are_no_sure_leak() -> None:
    window = busy(12)
    for step in range(12):
        window.block("Relu", KIB, born=step + 0.3, freed=step + 0.5)
        window.drop(len(window.events) - 1)
    diagnosis = diagnosed(window)
    assert diagnosis.verdict == "inconclusive"
    assert first(window).confidence == EXPLAINED
    assert "has lost the release" in first(window).detail
    assert [notice.code for notice in diagnosis.notices] == ["unaccounted_bytes"]


def test_births_before_the_first_marker_belong_to_no_step() -> None:
    window = Window(steps=12)
    for step in range(12):
        window.block("MatMul", KIB, born=step + 0.1, freed=step + 0.2)
    window.block("Early", KIB, born=-0.5)
    (finding,) = diagnosed(window).findings
    assert (finding.kind, finding.first_step, finding.steps_with_survivors) == ("retained", None, 0)


def test_two_leaks_at_different_rates_are_two_findings() -> None:
    window = busy(30)
    for step in range(30):
        window.block("Relu", KIB, born=step + 0.3)
        if step % 3 == 0:
            window.block("Sigmoid", 30 * KIB, born=step + 0.4)
    findings = diagnosed(window).findings
    assert [(one.site.op, one.bytes_per_step) for one in findings] == [
        ("Sigmoid", 10 * KIB),
        ("Relu", KIB),
    ]
    assert diagnosed(window).reason == "2 leaks take 11 KiB a step, most of it Sigmoid."


def test_sites_that_grow_in_the_same_steps_are_parts_of_one_finding() -> None:
    window = busy(12)
    for step in range(12):
        window.block("Fill", 64 * KIB, born=step + 0.3)
        window.block("VarHandleOp", 200, born=step + 0.31, size=256)
    (finding,) = diagnosed(window).findings
    assert finding.title == "Fill and 1 more site leak 64.3 KiB every step"
    assert (finding.blocks, finding.bytes_per_step) == (24, 64 * KIB + 256)
    assert [part.site.op for part in finding.parts] == ["Fill", "VarHandleOp"]
    assert "in the same steps" in finding.detail


def test_leaks_on_different_threads_stand_apart() -> None:
    window = busy(12)
    for step in range(12):
        window.block("Relu", KIB, born=step + 0.3)
        window.block("Decode", KIB, born=step + 0.4, thread=1)
    assert len(diagnosed(window).findings) == 2


def test_numbered_ops_of_a_rebuilt_model_are_one_leak() -> None:
    window = busy(12)
    for step in range(12):
        window.block(f"adam_{step}/dense_{2 * step}/kernel", KIB, born=step + 0.3)
    (finding,) = diagnosed(window).findings
    assert (finding.site.op, finding.blocks) == ("adam/dense/kernel", 12)


def test_hundreds_of_kept_sites_are_listed_by_the_largest_and_counted_whole() -> None:
    window = busy(6)
    for index in range(100):
        window.block(
            f"weights{chr(97 + index // 26)}{chr(97 + index % 26)}", 256 * (index + 1), born=0.3
        )
    (finding,) = diagnosed(window).findings
    assert (finding.blocks, len(finding.parts), len(finding.site_indices)) == (100, 20, 100)
    assert finding.bytes == 256 * 5050
    assert finding.detail.endswith("over all 100 sites. The 20 largest are listed.")
