package dev.runnerset.controller.features.retention;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.ephemeralrunner.outcome.RetentionRules;
import dev.runnerset.controller.ephemeralrunner.outcome.RunnerOutcome;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Retention;
import dev.runnerset.crds.Timestamps;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which finished runners exceed the limits of their set (RT9). */
@Pure
final class LimitPolicy {
  /** Oldest first by creation time, in whole seconds; then by name. */
  static final Comparator<EphemeralRunner> FIRST_TO_GO =
      Comparator.comparing(LimitPolicy::createdAt)
          .thenComparing(runner -> runner.getMetadata().getName());

  private LimitPolicy() {}

  /**
   * The runners beyond the limit of their outcome, in the order of their deletion. Runners without
   * an outcome, with a deletion under way, or annotated to be kept are not deleted and do not
   * count.
   *
   * @param runners of this set
   * @param deleted uids of runners that are deleted and may still be in the cache
   */
  static List<EphemeralRunner> surplus(
      List<EphemeralRunner> runners, @Nullable Retention limits, Set<String> deleted) {
    return Arrays.stream(RunnerOutcome.values())
        .flatMap(outcome -> surplusOf(outcome, runners, limits, deleted))
        .sorted(FIRST_TO_GO)
        .toList();
  }

  private static Stream<EphemeralRunner> surplusOf(
      RunnerOutcome outcome,
      List<EphemeralRunner> runners,
      @Nullable Retention limits,
      Set<String> deleted) {
    var limit = RetentionRules.limit(limits, outcome);
    var bucket =
        runners.stream()
            .filter(runner -> RunnerOutcome.of(runner).filter(outcome::equals).isPresent())
            .filter(runner -> counts(runner, deleted))
            .filter(runner -> limit.isPresent() || RetentionRules.isKeptByDefault(runner, outcome))
            .sorted(FIRST_TO_GO)
            .toList();
    int most = limit.orElse(RetentionRules.FAILED_BY_DEFAULT);
    return bucket.stream().limit(Math.max(0, bucket.size() - most));
  }

  private static boolean counts(EphemeralRunner runner, Set<String> deleted) {
    return !runner.isMarkedForDeletion()
        && !RetentionRules.isRetained(runner)
        && !deleted.contains(runner.getMetadata().getUid());
  }

  /** A runner with an unreadable time counts as the newest. */
  private static Instant createdAt(EphemeralRunner runner) {
    var created = Timestamps.parse(runner.getMetadata().getCreationTimestamp());
    return created == null ? Instant.MAX : created;
  }
}
