package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.references.EmbeddedStatus;
import java.time.Clock;

/** What the two passes over a set are made of. */
record SetParts(
    ScaleSetRegistrar registrar,
    TemplateCheck templates,
    ChildWriter children,
    PermissionWriter permissions,
    CredentialsInUse credentials,
    StatusWriter statuses,
    HistoryWriter history,
    ScaleSetCleanup farewell,
    LiveRunners runners,
    WithoutService withoutService,
    AgeCollectionStep ages,
    SetSeries series,
    EmbeddedStatus embedded,
    Events events,
    Clock clock) {}
