package dev.runnerset.controller.features.runnerversion;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.crds.RunnerVersionStatus;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.RunnerSetReason;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * Whether GitHub serves the version of a set's runners, now and in the next days (RN21). {@code
 * Ready} does not change by it: the service has refused a good version before, and a date is not a
 * refusal.
 */
@Pure
final class VersionConditions {
  /** How long before the date it is reported. */
  static final Duration NEAR = Duration.ofDays(14);

  private static final String ADVICE =
      "use an image with a newer version of the runner (docs/operate/runner-versions.md)";

  private VersionConditions() {}

  static List<ConditionRule<RunnerSetFacts>> all() {
    return List.of(
        new ConditionRule<>(ConditionType.RUNNER_VERSION_EXPIRING, VersionConditions::expiring),
        new ConditionRule<>(ConditionType.RUNNER_VERSION_EXPIRED, VersionConditions::expired));
  }

  private static Optional<Verdict> expiring(RunnerSetFacts facts) {
    var version = facts.status().runnerVersion();
    var until = version == null ? null : version.servedUntil();
    if (version == null
        || until == null
        || facts.now().hasReached(until)
        || !facts.now().hasReached(until.minus(NEAR))) {
      return Optional.empty();
    }
    return Optional.of(
        Verdict.yes(
            RunnerSetReason.DATE_NEAR,
            "%s %s from %s on: %s"
                .formatted(subject(version), loss(version, until), date(until), ADVICE)));
  }

  private static Optional<Verdict> expired(RunnerSetFacts facts) {
    var version = facts.status().runnerVersion();
    var until = version == null ? null : version.servedUntil();
    if (version == null || until == null || !facts.now().hasReached(until)) {
      return Optional.empty();
    }
    boolean stranded = facts.runners().of(ConditionType.JOBS_STRANDED).isPresent();
    return Optional.of(
        Verdict.yes(
            RunnerSetReason.DATE_PASSED,
            "%s %s since %s%s: %s"
                .formatted(
                    subject(version),
                    loss(version, until),
                    date(until),
                    stranded ? ", and jobs wait beside its idle runners" : "",
                    ADVICE)));
  }

  private static String subject(RunnerVersionStatus version) {
    var source =
        switch (version.from()) {
          case RUNNER -> "as a runner reported it";
          case REST_API -> "as GitHub lists it";
          case IMAGE_TAG, UNKNOWN -> "by the tag of its image";
        };
    return "GitHub's date for runner version %s (%s):".formatted(version.version(), source);
  }

  private static String loss(RunnerVersionStatus version, Instant until) {
    return until.equals(version.receivesJobsUntil()) ? "it gets no jobs" : "it cannot register";
  }

  private static LocalDate date(Instant at) {
    return at.atOffset(ZoneOffset.UTC).toLocalDate();
  }
}
