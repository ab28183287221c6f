package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.controller.autoscalingrunnerset.children.ChildWriter;
import dev.runnerset.controller.autoscalingrunnerset.children.CredentialsInUse;
import dev.runnerset.controller.autoscalingrunnerset.children.LiveRunners;
import dev.runnerset.controller.autoscalingrunnerset.children.PermissionWriter;
import dev.runnerset.controller.autoscalingrunnerset.children.TemplateCheck;
import dev.runnerset.controller.autoscalingrunnerset.registration.ScaleSetCleanup;
import dev.runnerset.controller.autoscalingrunnerset.registration.ScaleSetRegistrar;
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
    ScaleSetCleanup cleanup,
    LiveRunners runners,
    WithoutService withoutService,
    AgeCollectionStep ages,
    RunnerSetSeries series,
    EmbeddedStatus embedded,
    Events events,
    Clock clock) {}
