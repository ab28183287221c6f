package dev.runnerset.cli.why;

import dev.runnerset.crds.EphemeralRunner;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;

/**
 * What was read about a runner.
 *
 * @param pod empty if it is gone, or may not be read
 * @param node of its pod; empty if there is none, or it may not be read
 * @param events about the runner and its pod
 */
public record RunnerMaterial(
    EphemeralRunner runner, Optional<Pod> pod, Optional<Node> node, List<Event> events) {}
