"""Names what the profile leaves without an op by the HLO buffer that it is.

A site or finding is named so where all of its blocks are the same buffer of one program. Where they
are several, or where nothing joins, it keeps the name that the stack gives it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tensorboard_memleak.analysis.grouping import rows_of_groups
from tensorboard_memleak.analysis.program.join import join
from tensorboard_memleak.analysis.program.origin_site import origin_site
from tensorboard_memleak.analysis.wording import site_text
from tensorboard_memleak.model.analysis import HostDiagnosis, MemoryAnalysis
from tensorboard_memleak.model.findings import Finding, Site
from tensorboard_memleak.model.join import Joined
from tensorboard_memleak.model.program import Program
from tensorboard_memleak.model.trace import UNKNOWN, HostTrace, Int64


def has_unnamed_sites(host: HostDiagnosis) -> bool:
    """Tell whether anything would gain by the programs being read."""
    return any(site.source != "op" for memory in host.memories for site in memory.sites.sites)


def name_by_buffers(
    trace: HostTrace, host: HostDiagnosis, programs: Sequence[Program]
) -> HostDiagnosis:
    """Return the diagnosis with sites and findings named by their buffers where that is sure."""
    if not programs or not has_unnamed_sites(host):
        return host
    return replace(
        host, memories=tuple(_Naming(trace, one, programs).named() for one in host.memories)
    )


class _Naming:
    """The naming of one memory."""

    def __init__(
        self, trace: HostTrace, analysis: MemoryAnalysis, programs: Sequence[Program]
    ) -> None:
        self._analysis = analysis
        self._joined: Joined = join(trace, analysis.memory, programs)

    def named(self) -> MemoryAnalysis:
        sites = self._analysis.sites
        rows = rows_of_groups(sites.of_block.astype(np.int64), len(sites.sites))
        renamed = tuple(self._site(site, own) for site, own in zip(sites.sites, rows, strict=True))
        diagnosis = self._analysis.diagnosis
        findings = tuple(self._finding(one) for one in diagnosis.findings)
        reason = diagnosis.reason
        for old, new in zip(diagnosis.findings, findings, strict=True):
            reason = reason.replace(site_text(old.site), site_text(new.site))
        return replace(
            self._analysis,
            sites=replace(sites, sites=renamed),
            diagnosis=replace(diagnosis, findings=findings, reason=reason),
        )

    def _finding(self, finding: Finding) -> Finding:
        parts = tuple(self._finding(part) for part in finding.parts)
        site = parts[0].site if parts else self._site(finding.site, finding.evidence.blocks)
        title = finding.title.replace(site_text(finding.site), site_text(site))
        return replace(finding, site=site, title=title, parts=parts)

    def _site(self, site: Site, rows: Int64) -> Site:
        """Return the site of the one buffer that all these blocks are, else the site as it is."""
        birth = self._analysis.blocks.birth_event[rows]
        if site.source == "op" or not len(birth) or (birth == UNKNOWN).any():
            return site
        origins = np.unique(self._joined.of_event[birth])
        if len(origins) != 1 or origins[0] == UNKNOWN:
            return site
        return origin_site(self._joined.origins[origins[0]], site.thread, site.stack) or site
