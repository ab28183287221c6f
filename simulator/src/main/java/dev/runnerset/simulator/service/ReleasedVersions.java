package dev.runnerset.simulator.service;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The versions of the runner that were released, and until when each is served (protocol 3.16).
 * Guarded by the {@link ServiceState} it belongs to.
 */
final class ReleasedVersions {
  /** The one that simulated runners have if nobody names another one. */
  static final String USUAL = "2.338.1";

  /** Until when; null while no date is set. */
  record Dates(@Nullable Instant jobs, @Nullable Instant registration) {
    static final Dates NONE = new Dates(null, null);
  }

  private final Map<String, Dates> released = new HashMap<>(Map.of(USUAL, Dates.NONE));

  void release(String version, Dates dates) {
    released.put(version, dates);
  }

  /** Empty for a version that was never released. */
  Optional<Dates> of(String version) {
    return Optional.ofNullable(released.get(version));
  }

  /** Whether a runner of that version gets jobs now; own builds do. */
  boolean getsJobs(@Nullable String version, Instant now) {
    var until = version == null ? null : of(version).map(Dates::jobs).orElse(null);
    return until == null || now.isBefore(until);
  }
}
