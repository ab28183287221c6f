package dev.runnerset.cli.why;

import dev.runnerset.base.Pure;
import dev.runnerset.cli.view.SetHealth;
import dev.runnerset.cli.view.SetView;
import dev.runnerset.cli.view.Texts;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import dev.runnerset.crds.condition.Mending;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Why a set does what it does. */
@Pure
public final class WhySet {
  private WhySet() {}

  /** The explanation of a set. */
  public static Explanation of(SetMaterial material) {
    var set = material.set();
    var view = SetView.of(set);
    var facts = new ArrayList<Fact>();
    Facts.ofConditions("", set.statusOrNone().conditions()).forEach(facts::add);
    material
        .listener()
        .ifPresent(l ->
            Facts.ofConditions(" of the listener", l.statusOrNone().conditions())
                .forEach(facts::add));
    Facts.ofEvents(material.events()).forEach(facts::add);
    material.example().ifPresent(example -> WhyRunner.facts(example).forEach(facts::add));
    return Explanation.of("set " + view.name(), sentence(set, view), facts, advice(set, view));
  }

  private static String sentence(AutoScalingRunnerSet set, SetView view) {
    var name = view.name().toString();
    var conditions = set.statusOrNone().conditions();
    var ready = StatusConditions.find(conditions, ConditionType.READY);
    var level = view.health().level();
    if (set.getMetadata().getDeletionTimestamp() != null) {
      return name + " is being deleted: " + words(ready.orElse(null), view);
    }
    var cause = Cause.of(conditions);
    return switch (level) {
      case NOT_SERVED ->
          name + " gets no runner for a job that comes now: " + words(cause.orElse(null), view);
      case PROBLEM -> name + " runs jobs, with a problem: " + words(cause.orElse(null), view);
      case LIMITED -> name + " takes fewer jobs than it could: " + words(cause.orElse(null), view);
      case STARTING -> name + " starts: " + words(cause.orElse(null), view);
      case ASKED -> name + " does as its spec says: " + words(ready.orElse(null), view);
      case WELL -> well(view, ready.orElse(null));
    };
  }

  private static String well(SetView view, @Nullable Condition ready) {
    var name = view.name().toString();
    if (ready != null && StatusConditions.has(ready, RunnerSetReason.MAX_RUNNERS)) {
      return name + " takes no jobs: " + Cause.words(ready);
    }
    int waiting = view.jobs().waiting();
    var message = ready == null ? "" : Texts.line(StatusConditions.message(ready));
    if (waiting == 0) {
      return message.isEmpty()
          ? name + " is well, and no job waits for it."
          : name + " is well, and no job waits for it: " + message;
    }
    var jobs = waiting == 1 ? "1 job waits" : waiting + " jobs wait";
    if (view.capacity().limitedBy() != null) {
      return "%s is well, and %s: %s limits what it takes"
          .formatted(name, jobs, view.capacity().limitedBy());
    }
    int starting = view.runners().pending();
    return starting > 0
        ? "%s is well, and %s for %d runners that start.".formatted(name, jobs, starting)
        : "%s is well, and %s: %s"
            .formatted(name, jobs, message.isEmpty() ? "nothing limits the set" : message);
  }

  private static String words(@Nullable Condition cause, SetView view) {
    if (cause != null) {
      return Cause.words(cause);
    }
    return Texts.reasoned(view.health().reason(), view.health().sentence());
  }

  private static List<String> advice(AutoScalingRunnerSet set, SetView view) {
    var name = view.name();
    var advice = new ArrayList<String>();
    var reason =
        Cause.of(set.statusOrNone().conditions())
            .map(c -> Objects.requireNonNullElse(c.getReason(), ""))
            .orElse(view.health().reason());
    if (view.health().level() == SetHealth.Level.WELL) {
      advice.add(
          "If a job waits at GitHub all the same: compare its runs-on with spec.runnerScaleSetName and"
              + " spec.labels, and check that its repository may use the runner group");
      return advice;
    }
    var mending = Mending.of(reason);
    advice.add(mending.advice());
    if (mending == Mending.SPEC) {
      advice.add(
          "kubectl edit autoscalingrunnersets.runnerset.dev %s -n %s"
              .formatted(name.name(), name.namespace()));
    }
    if (view.runners().stuck() > 0 || reason.equals(EphemeralRunnerSetReason.BACK_OFF.word())) {
      advice.add(
          "See its runners: kubectl runnerset runners %s -n %s"
              .formatted(name.name(), name.namespace()));
    }
    if (!reason.isEmpty()) {
      advice.add("docs/reference/conditions.md has more about " + Texts.line(reason));
    }
    return advice;
  }
}
