package dev.runnerset.listener.session;

import java.time.Clock;
import java.util.random.RandomGenerator;

/** Everything a loop touches; shared by all loops but for {@code inbox} and {@code polls}. */
public record LoopContext(
    SetWriter writer,
    AccessReader access,
    ServiceConnector connector,
    HolderLease lease,
    Inbox inbox,
    Polls polls,
    Parallel parallel,
    Clock clock,
    RandomGenerator random,
    LoopSettings settings,
    ListenerCounters counters) {}
