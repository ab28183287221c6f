package dev.runnerset.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.simulator.service.JobView;
import dev.runnerset.testcluster.Audit;
import dev.runnerset.testcluster.AuditEntry;
import dev.runnerset.testcluster.TestCluster;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What ends pods elsewhere ends no job: on a real control plane with its disruption controller,
 * garbage collector and namespace controller, with the admission policy of the manifests (SH1 to
 * SH4). A pod with a job survives each attack and is gone within seconds after its job; an idle pod
 * never stands in the way.
 */
final class RealShieldIT {
  private static final Duration LONG_JOB = Duration.ofSeconds(45);
  private static final Duration JOB = Duration.ofSeconds(20);

  /** The garbage collector and the namespace controller act within a second. */
  private static final Duration COLLECTED = Duration.ofSeconds(2);

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Duration GONE_WITHIN = Duration.ofSeconds(10);

  /** The role of the listener goes first with a namespace: nobody hears of the end (RN8). */
  private static final Duration WITHOUT_A_MARK = Duration.ofSeconds(60);

  private static final String NODE = "simulated-node";
  private static final String REFUSED = "runs a job of a runner set";
  private static final String[] DRAIN = {
    "drain", NODE, "--force", "--ignore-daemonsets", "--delete-emptydir-data", "--grace-period=5"
  };

  private final List<String> figures = new ArrayList<>();
  private RealCluster cluster;
  private World world;
  private Audit audit;
  private Path folder;

  @Test
  void noJobIsLost(@TempDir Path temporary) throws Exception {
    TestCluster.unavailableReason().ifPresent(Assumptions::abort);
    folder = temporary;
    cluster = new RealCluster(Scenario.IDLE, folder);
    audit = cluster.server().auditFromNow();
    world = Rehearsals.world(cluster, Scenario.IDLE, folder);
    try {
      world.begin(1, 6);
      attack();
      deleteTheNamespace();
    } finally {
      System.out.println("the shield, measured:\n  " + String.join("\n  ", figures));
      world.close();
      cluster.close();
    }
  }

  private record Answer(int exit, String out) {
    Answer refusedWith(String words) {
      assertThat(out).contains(words);
      assertThat(exit).as(out).isNotZero();
      return this;
    }

    Answer done() {
      assertThat(exit).as(out).isZero();
      return this;
    }
  }

  private Answer kubectl(String... words) {
    try {
      var out = Files.createTempFile(folder, "kubectl", ".out");
      var command = new ArrayList<String>();
      command.add(cluster.server().kubectl().orElseThrow().toString());
      command.add("--kubeconfig=" + cluster.server().adminKubeconfigFile());
      command.addAll(List.of(words));
      var process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(out.toFile())
              .start();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("%s ends", command).isTrue();
      return new Answer(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Answer delete(String kind, String name, String... more) {
    var words = new ArrayList<>(List.of("delete", kind, name, "-n", World.NAMESPACE));
    words.addAll(List.of(more));
    return kubectl(words.toArray(String[]::new));
  }

  /** Each way in which somebody ends pods, one after the other, while the same jobs run. */
  private void attack() {
    var jobs = begin(5, LONG_JOB);
    var busy = busyPods(5);
    var evicted = world.kube().pods().inNamespace(World.NAMESPACE).withName(busy.get(0));
    assertThat(evicted.evict()).as("an eviction").isFalse();
    delete("pod", busy.get(1), "--wait=false", "--force", "--grace-period=0").refusedWith(REFUSED);
    kubectl(drain("--timeout=2s")).refusedWith("disruption budget");
    kubectl(drain("--timeout=5s", "--disable-eviction")).refusedWith(REFUSED);
    assertThat(idlePods()).as("idle pods on a drained node").isEmpty();
    kubectl("uncordon", NODE).done();
    survived(jobs, "evictions, deletions and drains");
    delete("er", busy.get(2), "--cascade=foreground", "--wait=false").done();
    world.await("an idle pod comes", SOON, () -> !idlePods().isEmpty(), world::readyMessage);
    var idle = idlePods();
    delete("ers", World.SET, "--cascade=foreground", "--wait=false").done();
    within(
        "an idle pod goes with its EphemeralRunnerSet",
        GONE_WITHIN,
        () -> pods().stream().noneMatch(idle::contains));
    survived(jobs, "a foreground deletion of a runner and of the EphemeralRunnerSet");
    delete("ars", World.SET, "--cascade=foreground", "--wait=false").done();
    world.pass(COLLECTED);
    survived(jobs, "a foreground deletion of the set");
    end(jobs, GONE_WITHIN);
    gone("the set", GONE_WITHIN, jobs, () -> world.set() == null);
    assertThat(world.kube().policy().v1().podDisruptionBudget().inAnyNamespace().list().getItems())
        .as("budgets")
        .isEmpty();
    labelled(jobs);
  }

  private static String[] drain(String... more) {
    var words = new ArrayList<>(List.of(DRAIN));
    words.addAll(List.of(more));
    return words.toArray(String[]::new);
  }

  private void deleteTheNamespace() {
    world.make(1, 6);
    world.awaitReady(1);
    var jobs = begin(1, JOB);
    assertThat(busyPods(1)).hasSize(1);
    world.await("an idle pod comes", SOON, () -> !idlePods().isEmpty(), world::readyMessage);
    var idle = idlePods();
    kubectl("delete", "namespace", World.NAMESPACE, "--wait=false").done();
    within(
        "an idle pod of a deleted namespace goes",
        GONE_WITHIN,
        () -> pods().stream().noneMatch(idle::contains));
    world.pass(COLLECTED);
    survived(jobs, "a deletion of the namespace");
    end(jobs, WITHOUT_A_MARK);
  }

  // --- jobs

  /** Submits jobs and returns when they run. */
  private List<UUID> begin(int count, Duration length) {
    var ids = world.service().submit(JobRequest.of(count, World.SET, length));
    world.await(
        "jobs run", Duration.ofSeconds(60), () -> running(ids) == count, world::readyMessage);
    return ids;
  }

  private List<JobView> views(List<UUID> jobs) {
    return world.service().jobs().stream().filter(job -> jobs.contains(job.id())).toList();
  }

  private long running(List<UUID> jobs) {
    return views(jobs).stream().filter(job -> job.state().equals("RUNNING")).count();
  }

  private void survived(List<UUID> jobs, String what) {
    assertThat(running(jobs)).as("jobs that run after %s", what).isEqualTo(jobs.size());
    assertThat(world.service().violations()).as("violations after %s", what).isEmpty();
  }

  /** The jobs end well, and their pods go soon after. */
  private void end(List<UUID> jobs, Duration within) {
    world.await(
        "jobs end",
        Duration.ofSeconds(60),
        () -> views(jobs).stream().allMatch(job -> job.state().equals("COMPLETED")),
        () -> views(jobs).toString());
    assertThat(views(jobs)).noneMatch(JobView::lost);
    assertThat(world.service().violations()).isEmpty();
    var runners = views(jobs).stream().map(JobView::runnerName).toList();
    gone("the last pod", within, jobs, () -> pods().stream().noneMatch(runners::contains));
  }

  private void gone(String what, Duration within, List<UUID> jobs, BooleanSupplier done) {
    within(what + " is gone", within, done);
    figures.add("%s is gone %d ms after its job".formatted(what, since(jobs)));
  }

  private long since(List<UUID> jobs) {
    return views(jobs).stream()
        .map(job -> Objects.requireNonNull(job.completed()))
        .max(Instant::compareTo)
        .map(end -> Duration.between(end, world.now()).toMillis())
        .orElseThrow();
  }

  private void within(String what, Duration atMost, BooleanSupplier done) {
    world.await(what, atMost, done, () -> pods() + "; " + world.readyMessage());
  }

  // --- pods

  private List<Pod> runnerPods() {
    return world.kube().pods().inNamespace(World.NAMESPACE).list().getItems();
  }

  private List<String> pods() {
    return runnerPods().stream().map(pod -> pod.getMetadata().getName()).toList();
  }

  private static boolean isBusy(Pod pod) {
    return "true".equals(pod.getMetadata().getLabels().get("runnerset.dev/busy"));
  }

  private List<String> idlePods() {
    return runnerPods().stream()
        .filter(pod -> !isBusy(pod) && pod.getMetadata().getDeletionTimestamp() == null)
        .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
        .map(pod -> pod.getMetadata().getName())
        .toList();
  }

  private List<String> busyPods(int count) {
    world.await(
        "pods are labelled",
        Duration.ofSeconds(10),
        () -> runnerPods().stream().filter(RealShieldIT::isBusy).count() == count,
        () -> pods().toString());
    return runnerPods().stream()
        .filter(RealShieldIT::isBusy)
        .map(pod -> pod.getMetadata().getName())
        .toList();
  }

  /** From the start of each job at the service to the answer to the patch of its pod. */
  private void labelled(List<UUID> jobs) {
    var patches =
        audit.next().stream()
            .filter(entry -> entry.verb().equals("patch") && entry.resource().equals("pods"))
            .filter(AuditEntry::isAccepted)
            .filter(entry -> entry.user().endsWith(":runnerset-controller"))
            .toList();
    var gaps =
        views(jobs).stream()
            .map(job ->
                patches.stream()
                    .filter(entry -> entry.name().equals(job.runnerName()))
                    .map(AuditEntry::completed)
                    .map(at -> Duration.between(Objects.requireNonNull(job.started()), at))
                    .toList())
            .toList();
    assertThat(gaps).as("patches of each pod").allSatisfy(each -> assertThat(each).hasSize(1));
    figures.add("from the start of a job to its label: " + gaps);
  }
}
