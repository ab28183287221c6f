package dev.runnerset.simulator.service;

/**
 * How many jobs there are, and where they stand; acquired ones count as {@code assigned}, and
 * {@code lost} ones are completed too.
 */
public record JobCounts(
    int submitted, int queued, int assigned, int running, int completed, int lost) {}
