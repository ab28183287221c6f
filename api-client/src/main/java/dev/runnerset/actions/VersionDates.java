package dev.runnerset.actions;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Until when github.com serves a version of the runner (protocol 3.16).
 *
 * @param receivesJobsUntil from then on its runners get no job; null while no date is set
 * @param registersUntil from then on it cannot register; null while no date is set
 */
public record VersionDates(@Nullable Instant receivesJobsUntil, @Nullable Instant registersUntil) {}
