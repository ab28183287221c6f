package dev.runnerset.simulator.service;

/** How many jobs there are, and where they stand; {@code lost} ones are completed too. */
public record JobCounts(
    int submitted, int queued, int assigned, int running, int completed, int lost) {}
