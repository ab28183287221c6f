package dev.runnerset.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.simulator.service.JobView;
import dev.runnerset.simulator.service.Violation;
import dev.runnerset.testcluster.Audit;
import dev.runnerset.testcluster.AuditEntry;
import dev.runnerset.testcluster.TestCluster;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What ends pods elsewhere ends no job: on a real control plane with its disruption controller,
 * garbage collector and namespace controller, with the admission policy of the manifests (SH1 to
 * SH4). A pod with a job survives each attack and is gone within seconds after its job; an idle pod
 * never stands in the way. A set that asks for no protection has none, and what somebody forces
 * goes, alone.
 */
final class RealShieldIT {

  /** The test ends jobs once it has looked. */
  private static final Duration ENDLESS = Duration.ofMinutes(10);

  /** The garbage collector and the namespace controller act within a second. */
  private static final Duration COLLECTED = Duration.ofSeconds(2);

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Duration TOLD = Duration.ofSeconds(30);
  private static final Duration GONE_WITHIN = Duration.ofSeconds(10);

  /** The role of the listener goes first with a namespace: nobody hears of the end (RN11). */
  private static final Duration WITHOUT_A_MARK = Duration.ofSeconds(10);

  private static final String NODE = "simulated-node";
  private static final String REFUSED = "runs a job of a runner set";
  private static final String FORCE = "runnerset.dev/force-delete=true";

  /** A set whose pods have a side-car that never ends. */
  private static final String SIDE_CARS = "cars";

  /** The annotations that keep autoscalers of nodes from a pod. */
  private static final Set<String> SPARED =
      Set.of("karpenter.sh/do-not-disrupt", "cluster-autoscaler.kubernetes.io/safe-to-evict");

  private static final String[] DRAIN = {
    "drain", NODE, "--force", "--ignore-daemonsets", "--delete-emptydir-data", "--grace-period=5"
  };

  private final List<String> figures = new ArrayList<>();

  /** Runners that were ended with their jobs, as somebody wanted. */
  private final Set<String> ended = new HashSet<>();

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
      hideNodes();
      world.begin(1, 6);
      showNodes();
      attack();
      world.make(1, 6);
      var jobs = changeTheProtection();
      force(jobs);
      deleteTheNamespace();
    } finally {
      System.out.println("the shield, measured:\n  " + String.join("\n  ", figures));
      world.close();
      cluster.close();
    }
  }

  /** The role of the controller is that of a version that knew of no cordons. */
  private void hideNodes() {
    world
        .kube()
        .rbac()
        .clusterRoles()
        .withName("runnerset-controller")
        .edit(role ->
            new ClusterRoleBuilder(role)
                .withRules(
                    role.getRules().stream()
                        .filter(rule -> !rule.getResources().contains("nodes"))
                        .toList())
                .build());
  }

  /** The set says that nodes are not seen; the command that it names mends it. */
  private void showNodes() throws IOException {
    world.await(
        "the set says that nodes are not seen",
        TOLD,
        () -> world.readyMessage().contains("ShieldIncomplete=Unknown NodesNotVisible"),
        world::readyMessage);
    assertThat(world.readyMessage()).contains("./runnerset manifests | kubectl apply -f -");
    var manifests = Files.writeString(folder.resolve("ids.yaml"), Scenario.IDLE.identities());
    kubectl("apply", "-f", manifests.toString()).done();
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
    var jobs = begin(5, ENDLESS);
    var busy = busyPods(5);
    assertThat(isEvicted(busy.get(0))).as("an eviction").isFalse();
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
    assertThat(budgets()).as("budgets").isEmpty();
    labelled(jobs);
  }

  private static String[] drain(String... more) {
    var words = new ArrayList<>(List.of(DRAIN));
    words.addAll(List.of(more));
    return words.toArray(String[]::new);
  }

  /**
   * Without protection pods with a job go as any others. With it, and without it again, the shield
   * of running jobs follows, and nothing else changes.
   *
   * @return three jobs that run, of a set with protection
   */
  private List<UUID> changeTheProtection() {
    protection("None");
    world.awaitReady(1);
    var all = begin(5, ENDLESS);
    world.await(
        "runners are marked",
        SOON,
        () -> world.runners().stream().filter(r -> r.statusOrNone().isBusy()).count() == 5,
        world::readyMessage);
    world.awaitIdle(1);
    world.pass(COLLECTED);
    assertThat(runnerPods()).allSatisfy(RealShieldIT::isOpen);
    assertThat(budgets()).as("budgets of a set without protection").isEmpty();
    var names = runners(all);
    endedOnPurpose(names.get(0));
    assertThat(isEvicted(names.get(0))).as("an eviction without protection").isTrue();
    endedOnPurpose(names.get(1));
    delete("pod", names.get(1), "--wait=false").done();
    within(
        "pods with a job go without protection",
        GONE_WITHIN,
        () -> pods().stream().noneMatch(ended::contains));

    var jobs = all.subList(2, all.size());
    var rest = names.subList(2, names.size());
    survived(jobs, "an eviction and a deletion of others");
    var before = untouched(rest);
    var writes = cluster.server().auditFromNow();
    for (var protection : List.of("Busy", "None", "Busy")) {
      protection(protection);
      boolean on = protection.equals("Busy");
      var changed = world.now();
      within(
          "the shield follows a change to " + protection,
          GONE_WITHIN,
          () ->
              runnerPods().stream().filter(RealShieldIT::isBusy).count() == (on ? rest.size() : 0)
                  && runnerPods().stream().allMatch(pod -> protection.equals(protection(pod)))
                  && budgets().isEmpty() != on);
      figures.add(
          "the shield follows a change to %s after %d ms"
              .formatted(protection, Duration.between(changed, world.now()).toMillis()));
      if (on) {
        refused(rest);
      } else {
        allowed(rest);
      }
      survived(jobs, "a change to " + protection);
    }
    assertThat(untouched(rest)).as("session, runners and pods").isEqualTo(before);
    assertThat(
            byController(writes)
                .filter(entry -> entry.verb().equals("patch") && rest.contains(entry.name()))
                .map(AuditEntry::name))
        .as("one patch for each pod and change")
        .hasSize(3 * rest.size());
    return jobs;
  }

  private void protection(String value) {
    world.spec("{\"protection\": \"" + value + "\"}");
  }

  /** The shield is on each of the pods; nothing is deleted. */
  private void refused(List<String> pods) {
    assertThat(runnerPods().stream().filter(pod -> pods.contains(pod.getMetadata().getName())))
        .allSatisfy(
            pod -> assertThat(pod.getMetadata().getAnnotations()).containsKeys(keys(SPARED)));
    for (var name : pods) {
      delete("pod", name, "--dry-run=server").refusedWith(REFUSED);
      assertThat(isEvicted(name)).as("an eviction of %s", name).isFalse();
    }
  }

  private static String[] keys(Set<String> keys) {
    return keys.toArray(String[]::new);
  }

  /** The shield is on none of the pods; nothing is deleted. */
  private void allowed(List<String> pods) {
    assertThat(runnerPods()).allSatisfy(RealShieldIT::isOpen);
    for (var name : pods) {
      delete("pod", name, "--dry-run=server").done();
    }
    kubectl(drain("--dry-run=server", "--timeout=20s")).done();
  }

  private static void isOpen(Pod pod) {
    assertThat(pod.getMetadata().getLabels()).containsEntry("runnerset.dev/protection", "None");
    assertThat(pod.getMetadata().getLabels()).doesNotContainKey("runnerset.dev/busy");
    assertThat(pod.getMetadata().getAnnotations()).doesNotContainKeys(keys(SPARED));
  }

  private static @Nullable String protection(Pod pod) {
    return pod.getMetadata().getLabels().get("runnerset.dev/protection");
  }

  /** What a change of the protection must leave as it is. */
  private List<String> untouched(List<String> names) {
    var sessions =
        world.service().scaleSets().stream()
            .filter(set -> set.name().equals(World.SET))
            .map(set -> "session " + set.sessionId());
    var runners =
        world.runners().stream()
            .map(runner -> runner.getMetadata())
            .filter(meta -> names.contains(meta.getName()))
            .map(meta -> "runner " + meta.getUid() + " of generation " + meta.getGeneration());
    var pods =
        runnerPods().stream()
            .map(Pod::getMetadata)
            .filter(meta -> names.contains(meta.getName()))
            .map(meta -> "pod " + meta.getUid());
    var all = Stream.of(sessions, runners, pods).flatMap(each -> each).sorted().toList();
    assertThat(all).hasSize(1 + 2 * names.size());
    return all;
  }

  /**
   * The annotation ends a job, and that one only: on a pod, on a runner, and on the runners of a
   * set that is deleted. Another set runs on; its pod goes after its job although a side-car lives.
   *
   * @param jobs three that run
   */
  private void force(List<UUID> jobs) {
    makeWithSideCar();
    var other = begin(SIDE_CARS, 1, ENDLESS);
    busyPods(4);
    var writes = cluster.server().auditFromNow();
    var names = runners(jobs);

    delete("pod", names.get(0), "--wait=false").refusedWith(REFUSED);
    survived(jobs, "a deletion of a pod that is not forced");
    endedOnPurpose(names.get(0));
    annotate("pod", names.get(0)).done();
    delete("pod", names.get(0), "--wait=false").done();
    within("a forced pod goes", GONE_WITHIN, () -> !pods().contains(names.get(0)));
    survived(jobs.subList(1, 3), "a forced deletion of another pod");

    delete("er", names.get(1), "--wait=false").done();
    world.pass(COLLECTED);
    survived(jobs.subList(1, 3), "a deletion of a runner that is not forced");
    endedOnPurpose(names.get(1));
    annotate("er", names.get(1)).done();
    within("a forced runner goes with its pod", GONE_WITHIN, () -> isGone(names.get(1)));
    survived(jobs.subList(2, 3), "a forced deletion of another runner");

    delete("ars", World.SET, "--wait=false").done();
    world.pass(COLLECTED);
    survived(jobs.subList(2, 3), "a deletion of a set that is not forced");
    endedOnPurpose(names.get(2));
    kubectl("annotate", "er", "-n", World.NAMESPACE, "-l", "runnerset.dev/set=" + World.SET, FORCE)
        .done();
    within("a forced set goes", SOON, () -> world.set() == null && isGone(names.get(2)));
    survived(other, "a forced deletion of another set");

    end(other, GONE_WITHIN);
    var deleted = new HashSet<String>();
    within(
        "the audit tells of deletions of pods with a side-car that runs on",
        SOON,
        () -> {
          byController(writes)
              .filter(entry -> entry.verb().equals("delete"))
              .forEach(entry -> deleted.add(entry.name()));
          return deleted.containsAll(runners(other));
        });
  }

  private void endedOnPurpose(String runner) {
    ended.add(runner);
  }

  private Answer annotate(String kind, String name) {
    return kubectl("annotate", kind, name, "-n", World.NAMESPACE, FORCE);
  }

  private boolean isGone(String runner) {
    return !pods().contains(runner)
        && world.runners().stream().noneMatch(r -> r.getMetadata().getName().equals(runner));
  }

  private void makeWithSideCar() {
    var yaml =
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: AutoScalingRunnerSet
        metadata: {name: %s, namespace: %s}
        spec:
          githubConfigUrl: %s
          githubConfigSecret: {name: github}
          maxRunners: 2
          template:
            spec:
              containers:
              - {name: runner, image: "ghcr.io/actions/actions-runner:2.335.1"}
              - {name: proxy, image: "proxy:1"}
        """
            .formatted(SIDE_CARS, World.NAMESPACE, world.configUrl("my-org"));
    var kube = world.kube();
    kube.resource(kube.getKubernetesSerialization().unmarshal(yaml, AutoScalingRunnerSet.class))
        .create();
  }

  private void deleteTheNamespace() {
    world.make(1, 6);
    world.awaitReady(1);
    assertThat(world.readyMessage()).as("nodes are seen").doesNotContain("ShieldIncomplete");
    var jobs = begin(1, ENDLESS);
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
    gone("the set of a deleted namespace", WITHOUT_A_MARK, jobs, () -> world.set() == null);
  }

  // --- jobs

  /** Submits jobs and returns when they run. */
  private List<UUID> begin(int count, Duration length) {
    return begin(World.SET, count, length);
  }

  private List<UUID> begin(String set, int count, Duration length) {
    var ids = world.service().submit(JobRequest.of(count, set, length));
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
    assertThat(violations()).as("violations after %s", what).isEmpty();
  }

  /** But for the jobs that were ended as somebody wanted. */
  private List<Violation> violations() {
    return world.service().violations().stream()
        .filter(violation -> !ended.contains(violation.subject()))
        .toList();
  }

  /** The runners of the jobs, in the order of these. */
  private List<String> runners(List<UUID> jobs) {
    return views(jobs).stream().map(JobView::runnerName).toList();
  }

  /** The jobs end well, and their pods go soon after. */
  private void end(List<UUID> jobs, Duration within) {
    runners(jobs).forEach(name -> world.node().finishJob(World.NAMESPACE, name));
    world.await(
        "jobs end",
        Duration.ofSeconds(60),
        () -> views(jobs).stream().allMatch(job -> job.state().equals("COMPLETED")),
        () -> views(jobs).toString());
    assertThat(views(jobs)).noneMatch(JobView::lost);
    assertThat(violations()).isEmpty();
    var runners = runners(jobs);
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

  /** Asks once: clients try a refused eviction again for 20 s. */
  private boolean isEvicted(String pod) {
    var once = new ConfigBuilder(cluster.admin()).withRequestRetryBackoffLimit(0).build();
    try (var kube = new KubernetesClientBuilder().withConfig(once).build()) {
      return kube.pods().inNamespace(World.NAMESPACE).withName(pod).evict();
    }
  }

  private List<PodDisruptionBudget> budgets() {
    return world.kube().policy().v1().podDisruptionBudget().inAnyNamespace().list().getItems();
  }

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

  /** What the controller has done with pods since the last look. */
  private static Stream<AuditEntry> byController(Audit audit) {
    return audit.next().stream()
        .filter(entry -> entry.resource().equals("pods"))
        .filter(AuditEntry::isAccepted)
        .filter(entry -> entry.user().endsWith(":runnerset-controller"));
  }

  /** From the start of each job at the service to the answer to the patch of its pod. */
  private void labelled(List<UUID> jobs) {
    var patches = byController(audit).filter(entry -> entry.verb().equals("patch")).toList();
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
