package dev.runnerset.cli.view;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.JobCounts;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.RunnerMode;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * A set at a glance.
 *
 * @param url what its runners serve
 * @param runners none while the controller has counted none
 * @param jobs none while the service has reported none
 */
@Pure
public record SetView(
    SetName name,
    String url,
    RunnerMode mode,
    RunnerCounts runners,
    JobCounts jobs,
    CapacityView capacity,
    SetHealth health) {
  private static final RunnerCounts NO_RUNNERS = new RunnerCounts(0, 0, 0, 0, 0, 0, 0);

  /** What hurts most first: by health, then by waiting jobs, then by name. */
  public static final Comparator<SetView> WORST_FIRST =
      Comparator.comparing(SetView::health, SetHealth.WORST_FIRST)
          .thenComparing(set -> -set.jobs().waiting())
          .thenComparing(SetView::name);

  /** The views of sets, what hurts most first. */
  public static List<SetView> worstFirst(List<AutoScalingRunnerSet> sets) {
    return sets.stream().map(SetView::of).sorted(WORST_FIRST).toList();
  }

  /** The view of a set, from its spec and status alone. */
  public static SetView of(AutoScalingRunnerSet set) {
    var status = set.statusOrNone();
    return new SetView(
        SetName.of(set),
        Texts.line(set.getSpec().githubConfigUrl()),
        set.modeNow(),
        Objects.requireNonNullElse(status.runners(), NO_RUNNERS),
        Objects.requireNonNullElse(status.jobs(), JobCounts.NONE),
        CapacityView.of(set),
        SetHealth.of(set));
  }
}
