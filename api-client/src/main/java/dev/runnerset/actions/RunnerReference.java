package dev.runnerset.actions;

import org.jspecify.annotations.Nullable;

/**
 * A registration: its id, its name, and the scale set it belongs to (protocol 3.9).
 *
 * @param version of the runner as it reported it when it connected; null if the service names none
 */
public record RunnerReference(
    RunnerId id, String name, ScaleSetId scaleSetId, @Nullable RunnerVersion version) {}
