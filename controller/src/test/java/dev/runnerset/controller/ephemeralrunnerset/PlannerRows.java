package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.RemovalBudget;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.scaling.ReplicasTarget;
import dev.runnerset.crds.Demand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Rows for the tests of {@link ReplicasPlanner}: what is given, and what is planned from it. */
final class PlannerRows {
  static final Instant NOW = T0.plusSeconds(1000);
  static final long MESSAGE = 7;

  /** The situation of a row: two wanted, nothing wrong. */
  static final class Given {
    final List<RunnerView> runners = new ArrayList<>();
    int replicas = 2;
    @Nullable Integer max;
    @Nullable Demand demand = new Demand(1, MESSAGE, null, 2, 2, null, null, null);
    @Nullable Instant surplusSince = NOW.minusSeconds(60);
    boolean underWay;
    RemovalBudget budget = RemovalBudget.FRESH;
    CreationBackoff backoff = CreationBackoff.NONE;
    boolean held;
    int reserved;
    long delivered;

    Given(Runners... some) {
      for (var runner : some) {
        runners.add(runner.view());
      }
    }

    ReplicasInput input() {
      return new ReplicasInput(
          new ReplicasTarget(replicas, max, MESSAGE, demand),
          runners,
          new ReplicasInput.Creation(backoff, held, reserved),
          new ReplicasInput.Removal(
              surplusSince,
              underWay ? 0 : budget.atOnce(NOW),
              underWay ? null : budget.moreAt(NOW),
              0,
              Duration.ofSeconds(10),
              delivered,
              null));
    }
  }

  /** Runners made, ended ones deleted, surplus ones chosen, seconds until the next look. */
  record Row(
      String rule,
      Given given,
      int create,
      String finished,
      String chosen,
      @Nullable Integer look) {
    @Override
    public String toString() {
      return rule;
    }

    /** Plans at {@link #NOW}, and compares all that the row names. */
    void check() {
      var plan = ReplicasPlanner.plan(given().input(), NOW);
      assertThat(plan.create()).as("made").isEqualTo(create());
      assertThat(names(plan.finished())).as("deleted").isEqualTo(finished());
      var removal = plan.removal();
      assertThat(removal == null ? "" : names(removal.candidates())).isEqualTo(chosen());
      if (removal != null) {
        assertThat(removal.wanted())
            .isEqualTo(
                removal.reason() == RemovalReason.FORMER_SCALE_SET
                    ? removal.candidates().size()
                    : 1);
      }
      assertThat(plan.requeue().at()).as("look").isEqualTo(look() == null ? null : in(look()));
    }
  }

  static Given with(Given given, Consumer<Given> change) {
    change.accept(given);
    return given;
  }

  static Row row(
      String rule,
      Given given,
      int create,
      String finished,
      String chosen,
      @Nullable Integer look) {
    return new Row(rule, given, create, finished, chosen, look);
  }

  static Instant in(int seconds) {
    return NOW.plusSeconds(seconds);
  }

  /** One runner too many by the target, for a minute. */
  static Given three() {
    return new Given(busy("x"), idle("a"), idle("b"));
  }

  private static String names(List<RunnerView> views) {
    return String.join(" ", views.stream().map(RunnerView::name).toList());
  }

  private PlannerRows() {}
}
