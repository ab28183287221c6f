package dev.runnerset.controller.features.capacity;

import java.time.Instant;

/**
 * What a part of the cluster reported about a pod.
 *
 * @param component who reported it, as {@code cluster-autoscaler}
 * @param at when last; the cluster counts whole seconds
 */
public record PodEvent(String component, String reason, String message, Instant at) {}
