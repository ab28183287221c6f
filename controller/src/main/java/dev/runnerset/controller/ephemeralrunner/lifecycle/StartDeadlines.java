package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.crds.Deadlines;
import dev.runnerset.crds.GoDuration;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a runner may take for each step of its start (RN16). A value that is absent or makes no
 * sense is the default.
 *
 * @param scheduling from the first attempt to make its pod until a node takes the pod
 * @param startup from then until its container runs: volumes, images, init containers
 * @param registration from then until the service knows it
 */
public record StartDeadlines(Duration scheduling, Duration startup, Duration registration) {
  /** Those of a runner's set as it is now; those of its own where it has none. */
  static StartDeadlines of(ObservedRunner observed) {
    var set = observed.set();
    return set == null || observed.isStandalone()
        ? of(observed.runner().getSpec().deadlines())
        : of(set.getSpec().deadlines());
  }

  /**
   * The deadlines of a spec. A change in the spec of a set takes effect at once for its runners.
   */
  public static StartDeadlines of(@Nullable Deadlines wanted) {
    var given = wanted == null ? new Deadlines(null, null, null) : wanted;
    return new StartDeadlines(
        duration(given.scheduling(), Deadlines.SCHEDULING),
        duration(given.startup(), Deadlines.STARTUP),
        duration(given.registration(), Deadlines.REGISTRATION));
  }

  private static Duration duration(@Nullable String text, String otherwise) {
    return GoDuration.parse(text)
        .filter(Duration::isPositive)
        .or(() -> GoDuration.parse(otherwise))
        .orElseThrow();
  }
}
