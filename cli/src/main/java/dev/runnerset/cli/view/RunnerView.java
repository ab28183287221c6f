package dev.runnerset.cli.view;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.RunnerTimeline;
import dev.runnerset.crds.Timestamps;
import dev.runnerset.crds.condition.StatusConditions;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One runner.
 *
 * @param set the set that it belongs to; its name is empty for a standalone runner
 * @param node empty while no node has its pod
 * @param job null while it has none
 * @param why why it failed, or what it waits for; empty if neither
 */
@Pure
public record RunnerView(
    SetName set,
    String name,
    RunnerState state,
    String node,
    @Nullable JobView job,
    RunnerTimeline timeline,
    String why) {
  private static final RunnerTimeline NO_TIMES =
      new RunnerTimeline(null, null, null, null, null, null);

  /** By set, then by state, then the oldest first. */
  public static final Comparator<RunnerView> BY_SET =
      Comparator.comparing(RunnerView::set)
          .thenComparing(RunnerView::state)
          .thenComparing(RunnerView::created, Comparator.nullsLast(Comparator.naturalOrder()))
          .thenComparing(RunnerView::name);

  /** The view of a runner, from its spec and status alone. */
  public static RunnerView of(EphemeralRunner runner) {
    var meta = runner.getMetadata();
    var labels = meta.getLabels();
    var status = runner.statusOrNone();
    var known = Objects.requireNonNullElse(status.timeline(), NO_TIMES);
    var created = known.created();
    return new RunnerView(
        new SetName(meta.getNamespace(), labels == null ? "" : labels.getOrDefault(Labels.SET, "")),
        meta.getName(),
        RunnerState.of(runner),
        Texts.line(status.nodeName()),
        JobView.of(runner).orElse(null),
        new RunnerTimeline(
            created == null ? Timestamps.parse(meta.getCreationTimestamp()) : created,
            known.scheduled(),
            known.imagesPulled(),
            known.started(),
            known.jobStarted(),
            known.finished() == null ? status.completionTime() : known.finished()),
        why(runner));
  }

  /** When it was made. */
  public @Nullable Instant created() {
    return timeline.created();
  }

  private static String why(EphemeralRunner runner) {
    var failure = runner.statusOrNone().failure();
    if (failure != null && (failure.reason() != null || failure.message() != null)) {
      return Texts.reasoned(failure.reason(), failure.message());
    }
    return runner.statusOrNone().conditions().stream()
        .filter(c -> StatusConditions.has(c, StatusConditions.Value.FALSE))
        .findFirst()
        .map(c -> Texts.reasoned(c.getReason(), c.getMessage()))
        .orElse("");
  }
}
