package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Situation.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.ephemeralrunner.RunnerVerdicts;
import dev.runnerset.controller.features.EphemeralRunnerSetFeatures;
import dev.runnerset.controller.features.idleage.IdleAge;
import dev.runnerset.controller.features.shield.CordonedNodes;
import dev.runnerset.controller.features.shield.Shields;
import dev.runnerset.controller.hooks.SetFeatures;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RemovalRule;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.controller.removal.Situation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Rows for the tests of {@link ReplicasPlanner}: what is given, and what is planned from it. */
final class PlannerRows {
  /** What they remember is in the slots of a set, so one list serves all rows. */
  private static final List<RemovalRule> RULES = features().rules();

  /** A rule that leaves places empty. */
  private record Reserving(int places) implements RemovalRule {
    @Override
    public RemovalReason reason() {
      return RemovalReason.LEFT_OVER;
    }

    @Override
    public RemovalPlan plan(SetMoment moment, Surplus surplus) {
      return RemovalPlan.none(reason());
    }

    @Override
    public int emptyPlaces(SetMoment moment) {
      return places;
    }
  }

  /** The features of tests that follow no metrics and events. */
  static SetFeatures features() {
    return features(new IdleAge(new Meters(), (about, reason, message) -> {}), new CordonedNodes());
  }

  static SetFeatures features(IdleAge idleAge, CordonedNodes cordoned) {
    var verdicts = new RunnerVerdicts(new Memories(), runner -> {});
    return EphemeralRunnerSetFeatures.inOrder(
        idleAge, new Shields(verdicts, set -> Optional.empty()), cordoned);
  }

  /** What a pass decides, without carrying it out. */
  static ReplicasPass.Result decided(SetMoment moment) {
    var features = features();
    features.followers().forEach(follower -> follower.follow(moment));
    var plan = ReplicasPlanner.plan(moment, features.rules());
    return new ReplicasPass.Result(moment, null, plan);
  }

  static ReplicasPlan plan(Situation given, Instant now) {
    var rules = new ArrayList<>(RULES);
    rules.add(new Reserving(given.reserved));
    return ReplicasPlanner.plan(given.at(now), rules);
  }

  /** Runners made, ended ones deleted, surplus ones chosen, seconds until the next look. */
  record Row(
      String rule,
      Situation given,
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
      var plan = plan(given(), NOW);
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

  static Situation with(Situation given, Consumer<Situation> change) {
    return given.with(change);
  }

  static Row row(
      String rule,
      Situation given,
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
  static Situation three() {
    return new Situation(busy("x"), idle("a"), idle("b"));
  }

  private static String names(List<RunnerView> views) {
    return String.join(" ", views.stream().map(RunnerView::name).toList());
  }

  private PlannerRows() {}
}
