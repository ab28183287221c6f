package dev.runnerset.cli.why;

import dev.runnerset.base.Pure;
import dev.runnerset.cli.view.EventView;
import dev.runnerset.cli.view.Texts;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Timestamps;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What objects of a cluster say, as facts. */
@Pure
final class Facts {
  private static final int MOST_EVENTS = 30;

  private Facts() {}

  /** Each condition of an object of ours. */
  static Stream<Fact> ofConditions(String of, List<Condition> conditions) {
    return conditions.stream()
        .map(c ->
            new Fact(
                Timestamps.parse(c.getLastTransitionTime()),
                "condition " + Texts.line(c.getType()) + of,
                Texts.line(c.getStatus()) + " " + Cause.words(c)));
  }

  /** The newest events. */
  static Stream<Fact> ofEvents(Collection<Event> events) {
    var facts = events.stream().map(Facts::ofEvent).sorted(Fact.BY_TIME).toList();
    return facts.subList(Math.max(0, facts.size() - MOST_EVENTS), facts.size()).stream();
  }

  /** An event, with its count if it came several times. */
  static Fact ofEvent(Event event) {
    var view = EventView.of(event);
    var about = event.getInvolvedObject();
    return new Fact(
        Timestamps.parse(view.at()),
        "event of " + (about == null ? "" : Texts.line(about.getName())),
        Texts.reasoned(view.reason(), view.message())
            + (view.count() < 2 ? "" : " (" + view.count() + " times)"));
  }

  /** The steps of a runner's life. */
  static Stream<Fact> ofTimeline(EphemeralRunner runner) {
    var times = runner.statusOrNone().timeline();
    var made =
        new Fact(Timestamps.parse(runner.getMetadata().getCreationTimestamp()), "runner", "made");
    if (times == null) {
      return Stream.of(made);
    }
    return Stream.of(
            times.created() == null ? made : new Fact(times.created(), "runner", "made"),
            new Fact(times.scheduled(), "runner", "its pod has a node"),
            new Fact(times.imagesPulled(), "runner", "its images are pulled"),
            new Fact(times.started(), "runner", "its container started"),
            new Fact(times.jobStarted(), "runner", "it got its job"),
            new Fact(times.finished(), "runner", "it ended"))
        .filter(fact -> fact.at() != null);
  }

  /** What a pod, and each of its containers, has. */
  static Stream<Fact> ofPod(Pod pod) {
    var status = pod.getStatus();
    if (status == null) {
      return Stream.empty();
    }
    var facts = new ArrayList<Fact>();
    var name = Texts.line(pod.getMetadata().getName());
    for (var c : status.getConditions()) {
      if (!"True".equals(c.getStatus()) || "DisruptionTarget".equals(c.getType())) {
        facts.add(
            new Fact(
                Timestamps.parse(c.getLastTransitionTime()),
                "pod condition " + Texts.line(c.getType()),
                Texts.line(c.getStatus()) + words(c.getReason(), c.getMessage())));
      }
    }
    if (status.getReason() != null || status.getMessage() != null) {
      facts.add(
          new Fact(
              null,
              "pod " + name,
              Texts.line(status.getPhase()) + words(status.getReason(), status.getMessage())));
    }
    Stream.concat(
            status.getInitContainerStatuses().stream(), status.getContainerStatuses().stream())
        .map(Facts::ofContainer)
        .forEach(facts::add);
    return facts.stream();
  }

  private static Fact ofContainer(ContainerStatus container) {
    var source = "container " + Texts.line(container.getName());
    var state = Objects.requireNonNullElseGet(container.getState(), ContainerState::new);
    if (state.getTerminated() != null) {
      var end = state.getTerminated();
      return new Fact(
          Timestamps.parse(end.getFinishedAt()),
          source,
          "ended with exit code " + end.getExitCode() + words(end.getReason(), end.getMessage()));
    }
    if (state.getWaiting() != null) {
      var waiting = state.getWaiting();
      return new Fact(null, source, "waits" + words(waiting.getReason(), waiting.getMessage()));
    }
    var running = state.getRunning();
    return running == null
        ? new Fact(null, source, "has not started")
        : new Fact(Timestamps.parse(running.getStartedAt()), source, "runs");
  }

  /** What is not as usual with a node. */
  static Stream<Fact> ofNode(Node node) {
    var source = "node " + Texts.line(node.getMetadata().getName());
    var facts = new ArrayList<Fact>();
    var spec = node.getSpec();
    if (spec != null && Boolean.TRUE.equals(spec.getUnschedulable())) {
      facts.add(new Fact(null, source, "is cordoned"));
    }
    if (spec != null) {
      spec.getTaints()
          .forEach(taint ->
              facts.add(
                  new Fact(
                      Timestamps.parse(taint.getTimeAdded()),
                      source,
                      "has the taint "
                          + Texts.line(taint.getKey())
                          + ":"
                          + Texts.line(taint.getEffect()))));
    }
    if (node.getStatus() != null) {
      node.getStatus().getConditions().stream()
          .filter(c -> "Ready".equals(c.getType()) != "True".equals(c.getStatus()))
          .forEach(c ->
              facts.add(
                  new Fact(
                      Timestamps.parse(c.getLastTransitionTime()),
                      source,
                      Texts.line(c.getType())
                          + " is "
                          + Texts.line(c.getStatus())
                          + words(c.getReason(), c.getMessage()))));
    }
    return facts.stream();
  }

  /** The black box of a failed runner: what was known of its pod at its end. */
  static Stream<Fact> ofBlackBox(EphemeralRunner runner) {
    var failure = runner.statusOrNone().failure();
    if (failure == null || failure.evidence().isEmpty()) {
      return Stream.empty();
    }
    var facts = new ArrayList<Fact>();
    failure.evidence().forEach((part, value) -> box("black box " + part, value, facts));
    return facts.stream();
  }

  private static void box(String source, Object value, List<Fact> facts) {
    if (value instanceof List<?> many) {
      many.stream().filter(Objects::nonNull).forEach(each -> box(source, each, facts));
      return;
    }
    if (!(value instanceof Map<?, ?> fields)) {
      facts.add(new Fact(null, Texts.line(source), Texts.line(String.valueOf(value))));
      return;
    }
    var name = fields.get("name");
    var text = new StringBuilder();
    fields.forEach((key, each) -> {
      if (each instanceof List<?>) {
        box(source, each, facts);
      } else if (!"name".equals(key)) {
        text.append(text.isEmpty() ? "" : ", ").append(key).append(": ").append(each);
      }
    });
    facts.add(
        new Fact(
            at(fields),
            Texts.line(source + (name == null ? "" : " " + name)),
            Texts.line(text.toString())));
  }

  private static @Nullable Instant at(Map<?, ?> fields) {
    return Stream.of("finishedAt", "since", "deletedAt", "startedAt")
        .map(fields::get)
        .filter(Objects::nonNull)
        .findFirst()
        .map(time -> Timestamps.parse(String.valueOf(time)))
        .orElse(null);
  }

  /** {@code ": Reason: message"}; empty if there is neither. */
  private static String words(@Nullable String reason, @Nullable String message) {
    var words = Texts.reasoned(reason, message);
    return words.isEmpty() ? "" : ": " + words;
  }
}
