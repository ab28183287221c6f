package dev.runnerset.controller.runnerset;

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
    ScaleSetFarewell farewell,
    LiveRunners runners,
    Clock clock) {}
