package dev.runnerset.e2e.shield;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.base.Installation;
import dev.runnerset.demo.cluster.Cluster;
import dev.runnerset.demo.cluster.RealCluster;
import dev.runnerset.demo.programs.Program;
import dev.runnerset.demo.world.World;
import dev.runnerset.e2e.Play;
import dev.runnerset.e2e.Shell;
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

  /** The test ends jobs once it has read them. */
  private static final Duration ENDLESS = Duration.ofMinutes(10);

  /** The garbage collector and the namespace controller act within a second. */
  private static final Duration COLLECTED = Duration.ofSeconds(2);

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Duration TOLD = Duration.ofSeconds(30);
  private static final Duration GONE_WITHIN = Duration.ofSeconds(10);

  /** A drain waits at most that long for the service to let idle runners go (SD10). */
  private static final Duration LEFT_WITHIN = Duration.ofSeconds(10);

  /** The role of the listener goes first with a namespace: nobody hears of the end (RN11). */
  private static final Duration WITHOUT_A_MARK = Duration.ofSeconds(10);

  private static final String NODE = "simulated-node";
  private static final String NOT_THEIRS = "only the controller of runner sets";
  private static final String CONTROLLER =
      "system:serviceaccount:runnerset-system:runnerset-controller";
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
  private Shell shell;

  @Test
  void noJobIsLost(@TempDir Path temporary) throws Exception {
    TestCluster.unavailableReason().ifPresent(Assumptions::abort);
    folder = temporary;
    cluster = Play.realCluster(folder);
    shell = new Shell(cluster.server(), folder);
    audit = cluster.server().auditFromNow();
    world = Play.world(cluster, folder);
    try {
      hideNodes();
      world.begin(1, 6);
      showNodes();
      loseAProgram("the listener", world.listener());
      loseAProgram("the controller", world.controller());
      world.minRunners(1);
      deletePending();
      takeLabels();
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
    assertThat(world.readyMessage()).contains(Installation.UPGRADE);
    var manifests = Files.writeString(folder.resolve("ids.yaml"), Cluster.identities(false));
    kubectl("apply", "-f", manifests.toString()).done();
  }

  private Shell.Result kubectl(String... words) {
    return shell.kubectl(words);
  }

  private Shell.Result delete(String kind, String name, String... more) {
    var words = new ArrayList<>(List.of("delete", kind, name, "-n", World.NAMESPACE));
    words.addAll(List.of(more));
    return kubectl(words.toArray(String[]::new));
  }

  /**
   * Jobs begin while one of the programs is away: their runners get no mark, or no answer to it.
   * The pods were made with their shield.
   */
  private void loseAProgram(String what, Program program) {
    world.minRunners(5);
    world.awaitIdle(5);
    world.await(
        "pods run",
        SOON,
        () -> runnerPods().stream().filter(pod -> "Running".equals(phase(pod))).count() >= 5,
        world::readyMessage);
    var writes = cluster.server().auditFromNow();
    program.kill();
    var jobs = begin(5, ENDLESS);
    refused(runners(jobs));
    for (var name : runners(jobs)) {
      delete("pod", name, "--wait=false", "--force", "--grace-period=0").refusedWith(REFUSED);
    }
    survived(jobs, "evictions and deletions while %s is away".formatted(what));
    program.start();
    marked(5);
    end(jobs, Duration.ofSeconds(60)); // a controller that was killed leads after some time
    assertThat(byController(writes).filter(entry -> entry.verb().equals("patch")))
        .as("patches of pods")
        .isEmpty();
    figures.add("jobs killed that began while %s was away: 0 of %d".formatted(what, jobs.size()));
  }

  /** A pod that no node has taken has no job to lose: who may delete pods may delete it. */
  private void deletePending() {
    kubectl("cordon", NODE).done();
    world.await(
        "a pod waits for a node",
        SOON,
        () -> runnerPods().stream().anyMatch(pod -> "Pending".equals(phase(pod))),
        world::readyMessage);
    for (var pod : runnerPods()) {
      if ("Pending".equals(phase(pod))) {
        assertThat(isShielded(pod)).as("born with its shield").isTrue();
        var name = pod.getMetadata().getName();
        delete("pod", name, "--dry-run=server", "--ignore-not-found").done(); // it may have gone
      }
    }
    kubectl("uncordon", NODE).done();
    world.awaitIdle(1);
  }

  private void marked(int count) {
    world.await(
        "runners are marked",
        Duration.ofSeconds(60),
        () -> world.runners().stream().filter(r -> r.statusOrNone().isBusy()).count() == count,
        world::readyMessage);
  }

  /** Who may write pods gives no pod a shield, and takes none off; all else is his to write. */
  private void takeLabels() {
    kubectl(
            "create",
            "rolebinding",
            "alice",
            "-n",
            World.NAMESPACE,
            "--clusterrole=edit",
            "--user=alice")
        .done();
    var alice = "--as=alice";
    var labels =
        "app.kubernetes.io/component=runner,runnerset.dev/protection=Busy,runnerset.dev/busy=true";
    world.await(
        "alice may make pods",
        SOON,
        () -> kubectl("auth", "can-i", "create", "pods", "-n", World.NAMESPACE, alice).exit() == 0,
        () -> "");
    run("forged", "--labels=" + labels, alice).refusedWith(NOT_THEIRS);
    run("plain", alice).done();
    label("plain", alice, "runnerset.dev/protection=Busy").refusedWith(NOT_THEIRS);
    label("plain", alice, "runnerset.dev/team=a").done();
    delete("pod", "plain", "--wait=false", "--force", alice).done();
    // as a pod that was made before the policy: it has the labels and no runner
    run("left", "--labels=" + labels, "--as=" + CONTROLLER).done();
    delete("pod", "left", "--wait=false", "--force", alice).done();

    var job = begin(1, ENDLESS);
    var pod = runners(job).getFirst();
    for (var key :
        List.of(
            "runnerset.dev/busy",
            "runnerset.dev/protection",
            "runnerset.dev/set",
            "app.kubernetes.io/component")) {
      label(pod, alice, key + "-").refusedWith(NOT_THEIRS);
      label(pod, alice, "--overwrite", key + "=other").refusedWith(NOT_THEIRS);
    }
    label(pod, alice, "team=a").done();
    delete("pod", pod, "--wait=false", alice).refusedWith(REFUSED);
    survived(job, "changes of labels");
    end(job, GONE_WITHIN);
  }

  private Shell.Result run(String name, String... more) {
    var words =
        new ArrayList<>(
            List.of("run", name, "-n", World.NAMESPACE, "--image=plain:1", "--restart=Never"));
    words.addAll(List.of(more));
    return kubectl(words.toArray(String[]::new));
  }

  private Shell.Result label(String pod, String... more) {
    var words = new ArrayList<>(List.of("label", "pod", pod, "-n", World.NAMESPACE));
    words.addAll(List.of(more));
    return kubectl(words.toArray(String[]::new));
  }

  /** Each way in which somebody ends pods, one after the other, while the same jobs run. */
  private void attack() {
    var jobs = begin(5, ENDLESS);
    var busy = runners(jobs);
    assertThat(isEvicted(busy.get(0))).as("an eviction").isFalse();
    delete("pod", busy.get(1), "--wait=false", "--force", "--grace-period=0").refusedWith(REFUSED);
    kubectl(drain("--timeout=8s")).refusedWith("disruption budget");
    kubectl(drain("--timeout=5s", "--disable-eviction")).refusedWith(REFUSED);
    within("idle pods leave a drained node", LEFT_WITHIN, () -> idlePods().isEmpty());
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
    unwritten(jobs);
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
    marked(5);
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
              runnerPods().stream().allMatch(pod -> isShielded(pod) == on)
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
   * The annotation ends a job, and that one only: on a pod, on a runner, and on a runner of a set
   * that is deleted. Another set runs on; its pod goes after its job although a side-car lives.
   *
   * @param jobs three that run
   */
  private void force(List<UUID> jobs) {
    makeWithSideCar();
    var other = begin(SIDE_CARS, 1, ENDLESS);
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
    annotate("er", names.get(2)).done();
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

  private Shell.Result annotate(String kind, String name) {
    return kubectl("annotate", kind, name, "-n", World.NAMESPACE, FORCE);
  }

  private boolean isGone(String runner) {
    return !pods().contains(runner)
        && world.runners().stream().noneMatch(r -> r.getMetadata().getName().equals(runner));
  }

  private void makeWithSideCar() {
    world.makeSet(
        SIDE_CARS,
        world.configUrl("my-org"),
        "maxRunners: 2",
        World.CONTAINER + ", {name: proxy, image: \"proxy:1\"}");
  }

  private void deleteTheNamespace() {
    world.make(1, 6);
    world.awaitReady(1);
    assertThat(world.readyMessage()).as("nodes are seen").doesNotContain("ShieldIncomplete");
    var jobs = begin(1, ENDLESS);
    marked(1);
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

  private static boolean isShielded(Pod pod) {
    return "true".equals(pod.getMetadata().getLabels().get("runnerset.dev/busy"));
  }

  private List<String> idlePods() {
    var busy =
        world.service().jobs().stream()
            .filter(job -> job.state().equals("RUNNING"))
            .map(JobView::runnerName)
            .toList();
    return runnerPods().stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .filter(pod -> "Running".equals(phase(pod)))
        .map(pod -> pod.getMetadata().getName())
        .filter(name -> !busy.contains(name))
        .toList();
  }

  private static String phase(Pod pod) {
    return pod.getStatus().getPhase();
  }

  /** What the controller has done with pods since the last look. */
  private static Stream<AuditEntry> byController(Audit audit) {
    return audit.next().stream()
        .filter(entry -> entry.resource().equals("pods"))
        .filter(AuditEntry::isAccepted)
        .filter(entry -> entry.user().endsWith(":runnerset-controller"));
  }

  /** The pods were made with their shield: the start of a job writes none. */
  private void unwritten(List<UUID> jobs) {
    var runners = runners(jobs);
    assertThat(byController(audit).filter(entry -> entry.verb().equals("patch")))
        .as("patches of pods")
        .noneMatch(entry -> runners.contains(entry.name()));
  }
}
