package dev.runnerset.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.deployment.Deployed.Part;
import dev.runnerset.deployment.node.Happening;
import dev.runnerset.deployment.node.ProcessNode;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.testcluster.TestCluster;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The chart, installed by helm on a real control plane, and the images that it names, run by the
 * test node: one installation, first under another tag, whose rows follow each other.
 * docs/develop/test-node.md says what is real.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("nightly")
final class RealDeploymentIT {
  private static final Duration SOON = Duration.ofSeconds(60);

  /** A hanging process: six probes of ten seconds, then the grace period, then its start. */
  private static final Duration A_HANG_LASTS = Duration.ofSeconds(150);

  @TempDir private static Path folder;
  private static Deployed deployed;
  private static Pod hanging = new Pod();
  private static Instant hangsSince = Instant.MAX;

  @BeforeAll
  static void start() {
    TestCluster.unavailableReason().ifPresent(Assumptions::abort);
    ProcessNode.unavailableReason().ifPresent(Assumptions::abort);
    deployed = new Deployed(folder);
  }

  @AfterAll
  static void end() {
    if (deployed != null) {
      deployed.close();
    }
  }

  @AfterEach
  void nothingIsLostAndTheSetIsReady() {
    assertThat(deployed.service().violations()).isEmpty();
    assertThat(deployed.service().jobCounts().lost()).isZero();
    deployed.awaitSetReady();
  }

  @Test
  @Order(1)
  void anInstallationHasTwoReadyReplicasOfEachAndItsFirstRunnerSoon() {
    var begin = deployed.now();
    deployed.installFormer();
    figure("helm install --wait", begin);
    assertThat(deployed.ready(Part.CONTROLLER)).isEqualTo(2);
    assertThat(deployed.ready(Part.LISTENER)).isEqualTo(2);
    deployed.makeSet(2, 60);
    deployed.await("a runner is idle", SOON, () -> deployed.idle() > 0);
    figure("helm install to the first runner idle", begin);
    deployed.awaitSetReady();
  }

  @Test
  @Order(2)
  void anUpgradeInTheMiddleOfABurstCostsTimeAndNothingElse() {
    var set = deployed.set().getMetadata().getUid();
    var quiet = deployed.submit(JobRequest.of(10, Deployed.SET, seconds(1)).withSpread(seconds(4)));
    deployed.awaitDone(quiet, SOON);
    var begin = deployed.now();
    var burst = deployed.submit(JobRequest.of(40, Deployed.SET, seconds(5)));
    deployed.await("jobs run", SOON, () -> deployed.service().jobCounts().running() > 10);
    var stream =
        deployed.submit(JobRequest.of(60, Deployed.SET, seconds(1)).withSpread(seconds(30)));
    deployed.upgrade();
    figure("helm upgrade --wait, from the burst on", begin);
    deployed.awaitDone(burst, SOON);
    deployed.awaitDone(stream, SOON);
    figure("longest wait of a job without an upgrade", deployed.longestWait(quiet));
    figure("longest wait of a job during the upgrade", deployed.longestWait(stream));
    for (var part : Part.values()) {
      // helm waits for the new pods, and not for the end of the former ones
      deployed.await(
          "two ready pods of " + part + ", and none of the former version",
          SOON,
          () -> {
            var pods = deployed.pods(part);
            return pods.size() == 2
                && pods.stream().allMatch(Deployed::isReady)
                && pods.stream().noneMatch(RealDeploymentIT::isFormer);
          });
    }
    assertThat(deployed.set().getMetadata().getUid()).isEqualTo(set);
    deployed.await(
        "the former processes have ended",
        SOON,
        () -> deployed.happenings(begin, Happening.Kind.EXITED).size() == 4);
    assertThat(deployed.happenings(begin, Happening.Kind.EXITED))
        .allMatch(h -> h.detail().equals("0"));
    assertThat(deployed.happenings(begin, Happening.Kind.KILLED)).isEmpty();
    assertThat(deployed.service().leaks(seconds(30))).isEmpty();
  }

  /** What the pod asks for is what the process has, as the kernel tells. */
  @ParameterizedTest
  @EnumSource
  @Order(3)
  void theProgramsRunAsTheChartSays(Part part) throws IOException {
    for (var pod : deployed.pods(part)) {
      var process = new ProcessFacts(deployed.node().processOf(pod).orElseThrow());
      assertThat(process.status("Uid")).containsOnly("65532");
      assertThat(process.status("Gid")).containsOnly("65532");
      assertThat(process.status("CapEff")).containsExactly("0000000000000000");
      assertThat(process.status("CapPrm")).containsExactly("0000000000000000");
      assertThat(process.status("NoNewPrivs")).containsExactly("1");
      assertThat(process.mount("/")).startsWith("overlay ro");
      assertThat(process.mount("/tmp")).contains(" rw");
      assertThat(process.network()).isNotEqualTo(ProcessFacts.ofThisJvm().network());
    }
  }

  @Test
  @Order(4)
  void theOtherControllerLeadsWhenTheLeaderHangs() {
    var begin = deployed.now();
    hanging = deployed.leader(Part.CONTROLLER);
    hangsSince = begin;
    deployed.node().signal(hanging, "STOP");
    deployed.minRunners(3);
    deployed.await("the other makes a runner", SOON, () -> deployed.idle() == 3);
    figure("the leading controller hangs: until the other has made a runner", begin);
    deployed.await("it is not ready", SOON, () -> deployed.ready(Part.CONTROLLER) == 1);
  }

  /** While the one controller still hangs. */
  @Test
  @Order(5)
  void theOtherListenerListensWhenTheLeaderIsKilled() {
    var begin = deployed.now();
    deployed.node().signal(deployed.leader(Part.LISTENER), "KILL");
    var jobs = deployed.submit(JobRequest.of(8, Deployed.SET, seconds(1)));
    deployed.awaitDone(jobs, SOON);
    figure("the leading listener is killed: longest wait of a job", deployed.longestWait(jobs));
    assertThat(deployed.happenings(begin, Happening.Kind.EXITED))
        .filteredOn(h -> h.namespace().equals(Deployed.LISTENERS)) // a controller still hangs
        .singleElement()
        .matches(h -> h.detail().equals("137"));
    deployed.await("the killed one is back", SOON, () -> deployed.ready(Part.LISTENER) == 2);
  }

  @Test
  @Order(6)
  void theControllerThatHangsIsStartedAgain() {
    deployed.await(
        "it is started again",
        A_HANG_LASTS,
        () -> deployed.restarts(hanging) == 1 && deployed.ready(Part.CONTROLLER) == 2);
    figure("the leading controller hangs: until it is started again and ready", hangsSince);
    assertThat(deployed.happenings(hangsSince, Happening.Kind.PROBE_FAILED))
        .filteredOn(h -> h.pod().equals(hanging.getMetadata().getName()))
        .singleElement()
        .matches(h -> h.detail().startsWith("LIVENESS"));
  }

  @Test
  @Order(7)
  void aBudgetLetsOnePodOfEachProgramGoAtATime() {
    var jobs = deployed.submit(JobRequest.of(10, Deployed.SET, seconds(2)).withSpread(seconds(10)));
    for (var part : Part.values()) {
      var pods = deployed.pods(part);
      // the budget's status is written a moment after the pods are ready
      deployed.await("the first of " + part, SOON, () -> deployed.evict(pods.get(0)));
      assertThat(deployed.evict(pods.get(1))).as("the second of " + part).isFalse();
    }
    for (var part : Part.values()) {
      deployed.await("the pod is replaced", SOON, () -> deployed.ready(part) == 2);
      deployed.await("one more", SOON, () -> deployed.evict(deployed.leader(part)));
    }
    deployed.awaitDone(jobs, SOON);
    for (var part : Part.values()) {
      deployed.await("the pod is replaced", SOON, () -> deployed.ready(part) == 2);
    }
  }

  @Test
  @Order(8)
  void theOtherControllerLeadsWhenTheLeaderIsKilled() {
    var begin = deployed.now();
    deployed.node().signal(deployed.leader(Part.CONTROLLER), "KILL");
    deployed.minRunners(4);
    deployed.await("the other makes a runner", SOON, () -> deployed.idle() == 4);
    figure("the leading controller is killed: until the other has made a runner", begin);
  }

  @Test
  @Order(9)
  void anUninstallationAfterTheSetIsGoneLeavesNoContainer() {
    deployed.deleteSet();
    assertThat(deployed.service().runners()).isEmpty();
    assertThat(deployed.service().scaleSets()).isEmpty();
    var begin = deployed.now();
    deployed.uninstall();
    deployed.await(
        "no container is left",
        SOON,
        () -> deployed.happenings(begin, Happening.Kind.GONE).size() == 4);
    figure("helm uninstall: until no container is left", begin);
    assertThat(deployed.happenings(begin, Happening.Kind.KILLED)).isEmpty();
  }

  private static boolean isFormer(Pod pod) {
    var image = pod.getSpec().getContainers().getFirst().getImage();
    return image.endsWith(":" + ProgramImages.FORMER);
  }

  private static Duration seconds(long count) {
    return Duration.ofSeconds(count);
  }

  private static void figure(String what, Instant since) {
    figure(what, Duration.between(since, deployed.now()));
  }

  private static void figure(String what, Duration time) {
    System.out.printf("figure: %s: %.1f s%n", what, time.toMillis() / 1000.0);
  }
}
