package dev.runnerset.cli.why;

import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import io.fabric8.kubernetes.api.model.Event;
import java.util.List;
import java.util.Optional;

/**
 * What was read about a set.
 *
 * @param listener empty if there is none, or it may not be read
 * @param events about the set alone
 * @param example a runner that shows the problem; empty if none does
 */
public record SetMaterial(
    AutoScalingRunnerSet set,
    Optional<AutoScalingListener> listener,
    List<Event> events,
    Optional<RunnerMaterial> example) {}
