package dev.runnerset.simulator.service;

import java.time.Instant;
import java.util.List;

/**
 * A rerun that was granted. The service finds nothing wrong with it; a test may.
 *
 * @param by {@code person}, or who called the REST API: {@code token}, {@code app} and its issuer
 * @param attempt the one that it began
 * @param ofCancelledRun a person had cancelled the attempt before
 * @param jobs the jobs that run again, as they ended before: one that failed by itself is not lost
 */
public record RerunView(
    Instant at, String by, long run, int attempt, boolean ofCancelledRun, List<RunJobView> jobs) {}
