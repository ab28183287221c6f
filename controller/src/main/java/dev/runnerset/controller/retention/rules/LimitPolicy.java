package dev.runnerset.controller.retention.rules;

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
public final class LimitPolicy {
  /** Oldest first by creation time, in whole seconds; then by name. */
  public static final Comparator<EphemeralRunner> FIRST_TO_GO =
      Comparator.comparing(LimitPolicy::createdAt)
          .thenComparing(runner -> runner.getMetadata().getName());

  private LimitPolicy() {}

  /** A runner beyond a limit. */
  public record Surplus(EphemeralRunner runner, RunnerOutcome outcome) {}

  /**
   * The runners beyond the limit of their outcome, in the order of their deletion. Runners without
   * an outcome, with a deletion under way, or annotated to be kept are not deleted and do not
   * count.
   *
   * @param runners of this set
   * @param pending uids whose deletion was requested and may not be in the cache yet
   */
  public static List<Surplus> surplus(
      List<EphemeralRunner> runners, @Nullable Retention limits, Set<String> pending) {
    return Arrays.stream(RunnerOutcome.values())
        .flatMap(outcome -> surplusOf(outcome, runners, limits, pending))
        .sorted(Comparator.comparing(Surplus::runner, FIRST_TO_GO))
        .toList();
  }

  private static Stream<Surplus> surplusOf(
      RunnerOutcome outcome,
      List<EphemeralRunner> runners,
      @Nullable Retention limits,
      Set<String> pending) {
    var limit = RetentionRules.limit(limits, outcome);
    var bucket =
        runners.stream()
            .filter(runner -> RunnerOutcome.of(runner).filter(outcome::equals).isPresent())
            .filter(runner -> counts(runner, pending))
            .filter(runner -> limit.isPresent() || RetentionRules.isKeptByDefault(runner, outcome))
            .sorted(FIRST_TO_GO)
            .toList();
    int most = limit.orElse(RetentionRules.FAILED_BY_DEFAULT);
    return bucket.stream()
        .limit(Math.max(0, bucket.size() - most))
        .map(runner -> new Surplus(runner, outcome));
  }

  private static boolean counts(EphemeralRunner runner, Set<String> pending) {
    return runner.getMetadata().getDeletionTimestamp() == null
        && !RetentionRules.isRetained(runner)
        && !pending.contains(runner.getMetadata().getUid());
  }

  /** A runner with an unreadable time counts as the newest. */
  private static Instant createdAt(EphemeralRunner runner) {
    var created = Timestamps.parse(runner.getMetadata().getCreationTimestamp());
    return created == null ? Instant.MAX : created;
  }
}
