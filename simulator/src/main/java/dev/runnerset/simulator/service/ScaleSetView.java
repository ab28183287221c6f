package dev.runnerset.simulator.service;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scale set as it stands.
 *
 * @param capacity as last advertised in the present session; null before its first poll
 * @param sessionId of the live session; null without one
 * @param backlog messages and events not yet deleted
 */
public record ScaleSetView(
    int id,
    String scope,
    String name,
    int runnerGroupId,
    List<String> labels,
    @Nullable Integer capacity,
    @Nullable String sessionId,
    int backlog,
    Statistics statistics) {}
