package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.controller.references.EmbeddedStatus;

/** Everything that tells of a runner set: its status, its history, its series. */
record Reporting(
    StatusWriter statuses,
    HistoryWriter history,
    AgeCollectionStep ages,
    RunnerSetSeries series,
    EmbeddedStatus embedded) {}
