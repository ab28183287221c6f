package dev.runnerset.demo;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/** Looks at the finished runners of a set while its rules for them change. */
final class RetentionScript {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int KEPT = 5;

  private final World world;
  private final DemoOptions options;
  private final Progress progress;
  private final TreeSet<String> revisions = new TreeSet<>();

  RetentionScript(World world, DemoOptions options, Progress progress) {
    this.world = world;
    this.options = options;
    this.progress = progress;
  }

  /** What was found, from the API server's and the service's own objects. */
  Findings.Retention run() {
    int jobs = options.jobsOr(12);
    // fewer places than finished runners: these take none (I7)
    world.begin(0, options.runnersOr(6));
    retention("{\"succeededLimit\": 100}");
    progress.step(jobs + " jobs of 1 s on at most " + options.runnersOr(6) + " runners");
    world.submit(jobs, Duration.ofSeconds(1));
    world.awaitJobsDone(PATIENCE);
    world.settle(() -> finished().size() == jobs && registrations() == 0);
    var atCompletion = look();

    progress.step("the limit is lowered to " + KEPT);
    var newest = names(finished()).subList(Math.max(0, jobs - KEPT), jobs);
    retention("{\"succeededLimit\": " + KEPT + "}");
    world.settle(() -> finished().size() <= KEPT);
    world.pass(Duration.ofSeconds(2));
    long wrongOnes = difference(newest);

    progress.step("a time of 2 s is set, for runners to come");
    retention("{\"succeededLimit\": 100, \"ttlAfterSucceeded\": \"2s\"}");
    world.settle(() -> timeInTemplate().equals("2s"));
    world.submit(4, Duration.ofSeconds(1));
    world.awaitJobsDone(PATIENCE);
    world.settle(() -> world.runners().size() == finished().size()); // terminal, or gone already
    world.settle(() -> finished().size() == newest.size());
    world.pass(Duration.ofSeconds(2));
    long takenByTime = difference(newest);

    progress.step("the rules are removed");
    retention("null");
    world.settle(() -> finished().isEmpty());
    return new Findings.Retention(
        jobs,
        atCompletion,
        new Findings.AfterChanges(wrongOnes, takenByTime, finished().size()),
        new Findings.Traces(revisions.size(), required().getStatus().history().size(), events()));
  }

  /** All that a finished runner must and must not have. */
  private Findings.AtCompletion look() {
    var kept = finished();
    long halfTold = kept.stream().filter(r -> !isTold(r)).count();
    long secrets = ofRunners(Secret.class);
    long pods = ofRunners(Pod.class);
    long registrations = registrations();
    world.settle(() -> live() == 0);
    return new Findings.AtCompletion(kept.size(), halfTold, secrets, pods, registrations, live());
  }

  private static boolean isTold(EphemeralRunner runner) {
    var status = runner.getStatus();
    return status.completionTime() != null
        && status.isTerminal()
        && status.conditions().stream()
            .filter(c -> c.getType().equals("Succeeded") && c.getStatus().equals("True"))
            .map(Condition::getLastTransitionTime)
            .anyMatch(at -> OffsetDateTime.parse(at).toInstant().equals(status.completionTime()));
  }

  /** Finished ones that should not be there, and those that should and are not. */
  private long difference(List<String> wanted) {
    var there = names(finished());
    return there.stream().filter(n -> !wanted.contains(n)).count()
        + wanted.stream().filter(n -> !there.contains(n)).count();
  }

  private void retention(String block) {
    noteRevision();
    world.spec("{\"retention\": " + block + "}");
    world.pass(Duration.ofSeconds(2));
    noteRevision();
  }

  private void noteRevision() {
    var revision = required().getStatus().revision();
    if (revision != null) {
      revisions.add(revision);
    }
  }

  private AutoScalingRunnerSet required() {
    return Objects.requireNonNull(world.set(), "the set is there while this runs");
  }

  /** As runners are made of it: the set's own spec is what this script wrote. */
  private String timeInTemplate() {
    var ers = world.runnerSet();
    var retention = ers == null ? null : ers.getSpec().retention();
    return retention == null ? "" : String.valueOf(retention.ttlAfterSucceeded());
  }

  private int live() {
    var runners = required().getStatus().runners();
    return runners == null ? -1 : runners.live() + runners.idle() + runners.busy();
  }

  private List<EphemeralRunner> finished() {
    return world.runners().stream()
        .filter(r -> r.statusOrNone().isTerminal())
        .filter(r -> r.getMetadata().getDeletionTimestamp() == null)
        .toList();
  }

  private static List<String> names(List<EphemeralRunner> runners) {
    return runners.stream().map(r -> r.getMetadata().getName()).toList();
  }

  private int registrations() {
    return world.service().runners().size();
  }

  private <T extends HasMetadata> long ofRunners(Class<T> kind) {
    return world
        .kube()
        .resources(kind)
        .inNamespace(World.NAMESPACE)
        .withLabel(Labels.COMPONENT, Labels.COMPONENT_RUNNER)
        .list()
        .getItems()
        .size();
  }

  private long events() {
    return world.kube().v1().events().inNamespace(World.NAMESPACE).list().getItems().stream()
        .filter(e -> "RunnerRetentionExpired".equals(e.getReason()))
        .count();
  }
}
