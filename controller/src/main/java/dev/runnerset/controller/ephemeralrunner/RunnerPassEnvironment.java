package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.connection.ServiceCalls;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.controller.events.Events;
import java.time.Clock;

/**
 * How a pass acts and reports.
 *
 * @param evidence collected for each runner that fails
 * @param calls of the service, for runners
 * @param losses what is to be done about lost jobs
 */
public record RunnerPassEnvironment(
    RunnerObjects objects,
    FailureEvidence evidence,
    ServiceCalls calls,
    Events events,
    Meters meters,
    Clock clock,
    LossBook losses) {}
