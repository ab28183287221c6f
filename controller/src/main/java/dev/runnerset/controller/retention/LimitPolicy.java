package dev.runnerset.controller.retention;

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

/** Which finished runners of a set are too many (RT9). Pure. */
final class LimitPolicy {
  /** Oldest first by creation, which has seconds; then by name. */
  static final Comparator<EphemeralRunner> FIRST_TO_GO =
      Comparator.comparing(LimitPolicy::createdAt)
          .thenComparing(runner -> runner.getMetadata().getName());

  private LimitPolicy() {}

  /** One that is too many. */
  record Surplus(EphemeralRunner runner, Outcome outcome) {}

  /**
   * Those that are too many, in the order in which they go: of each outcome those beyond its limit.
   * Runners without an outcome, those on their way out and those somebody wants kept neither go nor
   * count.
   *
   * @param runners of this set
   * @param askedToGo uids whose deletion was asked for and may not be seen yet
   */
  static List<Surplus> surplus(
      List<EphemeralRunner> runners, @Nullable Retention limits, Set<String> askedToGo) {
    return Arrays.stream(Outcome.values())
        .flatMap(outcome -> surplusOf(outcome, runners, limits, askedToGo))
        .sorted(Comparator.comparing(Surplus::runner, FIRST_TO_GO))
        .toList();
  }

  private static Stream<Surplus> surplusOf(
      Outcome outcome,
      List<EphemeralRunner> runners,
      @Nullable Retention limits,
      Set<String> askedToGo) {
    var limit = RetentionRules.limit(limits, outcome);
    if (limit.isEmpty()) {
      return Stream.empty();
    }
    var bucket =
        runners.stream()
            .filter(runner -> Outcome.of(runner).filter(outcome::equals).isPresent())
            .filter(runner -> counts(runner, askedToGo))
            .sorted(FIRST_TO_GO)
            .toList();
    return bucket.stream()
        .limit(Math.max(0, bucket.size() - limit.getAsInt()))
        .map(runner -> new Surplus(runner, outcome));
  }

  private static boolean counts(EphemeralRunner runner, Set<String> askedToGo) {
    return runner.getMetadata().getDeletionTimestamp() == null
        && !RetentionRules.isRetained(runner)
        && !askedToGo.contains(runner.getMetadata().getUid());
  }

  /** One whose time cannot be read is never taken for an old one. */
  private static Instant createdAt(EphemeralRunner runner) {
    var created = Timestamps.parse(runner.getMetadata().getCreationTimestamp());
    return created == null ? Instant.MAX : created;
  }
}
