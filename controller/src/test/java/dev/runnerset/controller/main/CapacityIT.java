package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.CapacityLimitStatus;
import dev.runnerset.crds.JobCounts;
import dev.runnerset.simulator.service.FaultPlan;
import dev.runnerset.simulator.service.JobRequest;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A set takes only as many jobs as there is room for, and makes no more runners (DM12 to DM14). */
final class CapacityIT {
  private static final Set<String> READS = Set.of("get", "list", "watch");

  @AutoClose private final ControllerWorld world = new ControllerWorld();

  private void quota(int pods) {
    quota("pods", pods);
  }

  private void quota(String resource, int hard) {
    world.api.apply(
        """
        apiVersion: v1
        kind: ResourceQuota
        metadata: {name: few, namespace: default}
        spec: {hard: {%s: "%d"}}
        """
            .formatted(resource, hard));
    Awaitility.await("what is used of the quota").until(() -> quotaStatus().containsKey(resource));
  }

  /** What each container asks for that says nothing. */
  private void defaultCpu(int cpu) {
    world.api.apply(
        """
        apiVersion: v1
        kind: LimitRange
        metadata: {name: usual, namespace: default}
        spec: {limits: [{type: Container, defaultRequest: {cpu: "%d"}}]}
        """
            .formatted(cpu));
  }

  private void podOfAnother(String name) {
    world.api.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: default}
        spec: {containers: [{name: web, image: web:1}]}
        """
            .formatted(name));
  }

  private Map<String, ?> quotaStatus() {
    var status =
        world.kube.resourceQuotas().inNamespace("default").withName("few").require().getStatus();
    return status == null || status.getUsed() == null ? Map.of() : status.getUsed();
  }

  private void change(int pods) {
    world
        .kube
        .resourceQuotas()
        .inNamespace("default")
        .withName("few")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"spec\": {\"hard\": {\"pods\": \"%d\"}}}".formatted(pods));
  }

  private int capacity(String set) {
    return world.listener(set).orElseThrow().getSpec().capacity();
  }

  private long changes(String set) {
    return world.listener(set).orElseThrow().getMetadata().getGeneration();
  }

  private int pods() {
    return (int)
        world.kube.pods().inNamespace("default").list().getItems().stream()
            .filter(pod -> !Set.of("Succeeded", "Failed").contains(pod.getStatus().getPhase()))
            .count();
  }

  private void awaitCapacity(String set, int number) {
    world
        .soon(set + " advertises " + number)
        .untilAsserted(() -> assertThat(capacity(set)).isEqualTo(number));
  }

  private void begin(String set, String... spec) {
    world.create(set, spec);
    world.listenerConnects(set);
    world.awaitCondition(set, "Ready", "True", "Ready");
  }

  private void demand(String set, int assigned, int available) {
    world.demand(
        set,
        """
        {"epoch": 1, "messageId": 7, "observedAt": "%1$s", "assigned": %2$d, "running": 0,
         "registered": %4$d, "busy": 0, "idle": %4$d, "available": %3$d}
        """
            .formatted(world.now(), assigned, available, world.runners().size()));
  }

  private List<CapacityLimitStatus> limits(String set) {
    return world.set(set).statusOrNone().capacity().limits();
  }

  @Test
  void aBurstTakesNoMoreJobsThanTheQuotaHasRoomFor() {
    quota(20);
    world.start();
    world.startNode();
    begin("linux", "minRunners: 0", "maxRunners: 200");
    awaitCapacity("linux", 20);
    assertThat(limits("linux")).containsExactly(new CapacityLimitStatus("Quota", 20, "few: pods"));
    long before = changes("linux");
    demand("linux", 20, 80);
    world.soon("all that have room").until(() -> pods() == 20);
    world.awaitCondition("linux", "CapacityLimited", "True", "Quota");
    assertThat(world.condition("linux", "CapacityLimited").orElseThrow().getMessage())
        .contains("100 jobs wait", "quota few");
    world.clock.passInRounds(
        Duration.ofSeconds(30),
        () -> {
          assertThat(capacity("linux")).isEqualTo(20);
          assertThat(world.runners()).hasSizeLessThanOrEqualTo(20);
        });
    assertThat(changes("linux") - before).as("changes that cancel the poll").isZero();
    demand("linux", 0, 0);
    world.soon("no runner").until(() -> world.runners().isEmpty());
    world.passInRounds(Duration.ofSeconds(30));
    assertThat(capacity("linux")).isEqualTo(20);
    // an idle runner that is removed takes its place until its pod is gone
    assertThat(changes("linux") - before).isLessThanOrEqualTo(5);
    assertThat(world.metrics())
        .contains("runnerset_advertised_capacity{", "runnerset_capacity_withheld{")
        .containsPattern("capacity_withheld\\{[^}]*reason=\"Quota\"[^}]*} 180");
  }

  @Test
  void warmRunnersFillTheQuotaAndNoMoreAreMade() {
    quota(20);
    world.start();
    world.startNode();
    begin("linux", "minRunners: 30", "maxRunners: 200");
    world.soon("all that have room").until(() -> pods() == 20);
    // used may rise before a pod is in the cache: the number falls for a moment
    world.passInRounds(Duration.ofSeconds(5));
    world.clock.passInRounds(
        Duration.ofSeconds(20),
        () -> {
          assertThat(capacity("linux")).isEqualTo(20);
          assertThat(world.runners()).hasSizeLessThanOrEqualTo(20);
        });
    assertThat(world.control.counters().get("generatejitconfig")).isEqualTo(20);
  }

  @Test
  void theNumberFollowsTheQuota() {
    quota(20);
    world.start();
    begin("linux", "minRunners: 0", "maxRunners: 50");
    awaitCapacity("linux", 20);
    change(30);
    awaitCapacity("linux", 30);
    change(0);
    awaitCapacity("linux", 0);
    world.awaitCondition("linux", "CapacityLimited", "True", "Quota");
    world.awaitCondition("linux", "Ready", "True", "Ready");
    long before = changes("linux");
    for (int i = 0; i < 10; i++) { // a quota that flaps
      change(i % 2 == 0 ? 10 : 5);
    }
    awaitCapacity("linux", 5);
    assertThat(changes("linux") - before).isLessThanOrEqualTo(10);
    world.kube.resourceQuotas().inNamespace("default").withName("few").delete();
    awaitCapacity("linux", 50);
    world.awaitNoCondition("linux", "CapacityLimited");
    assertThat(limits("linux")).isEmpty();
  }

  /** Nobody else could have their room meanwhile. */
  @Test
  void aQuotaThatFlapsCostsNoWarmRunnerAndOneThatStaysLowDoes() {
    quota(20);
    world.start();
    world.startNode();
    begin("linux", "minRunners: 6", "maxRunners: 50");
    world.soon("the warm ones").until(() -> running() == 6);
    demand("linux", 0, 0);
    for (int i = 0; i < 3; i++) {
      flap(2);
      flap(20);
      assertThat(running()).isEqualTo(6);
    }
    assertThat(world.control.counters()).containsEntry("generatejitconfig", 6L);
    change(2);
    Awaitility.await("it is advertised").until(() -> capacity("linux") == 2);
    world.passInRounds(Duration.ofSeconds(30));
    Awaitility.await("the others go").until(() -> pods() == 2); // at the pace of the API server
    assertThat(capacity("linux")).isEqualTo(2);
    assertThat(world.control.counters()).containsEntry("generatejitconfig", 6L);
  }

  private void flap(int pods) {
    change(pods);
    Awaitility.await("it is advertised").until(() -> capacity("linux") == pods);
    world.passInRounds(Duration.ofSeconds(8));
  }

  private int running() {
    return (int)
        world.kube.pods().inNamespace("default").list().getItems().stream()
            .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
            .count();
  }

  @Test
  void aSetGivesItsIdleRunnersUpAtOnceWhenAnotherWantsTheRoom() {
    quota(6);
    world.start();
    world.startNode();
    begin("linux", "minRunners: 6", "maxRunners: 50");
    world.soon("the warm ones").until(() -> running() == 6);
    demand("linux", 0, 0);
    begin("small", "minRunners: 0", "maxRunners: 50");
    // the service says the same to the listener, and to who reads the counts of a held set (DM16)
    var _ = world.control.submit(JobRequest.of(12, "small", Duration.ofMinutes(9)));
    demand("small", 0, 12);
    world
        .within(Duration.ofSeconds(15), "some of them go")
        .until(() -> pods() < 6 && capacity("small") > 1);
  }

  @Test
  void aQuotaBelowWhatRunsEndsNoJobAndNoMoreAreTaken() {
    quota(10);
    world.start();
    world.startNode();
    begin("linux", "minRunners: 0", "maxRunners: 50");
    demand("linux", 6, 0);
    world.soon("one for each job").until(() -> pods() == 6);
    change(3);
    awaitCapacity("linux", 6); // as many as it has
    demand("linux", 6, 4);
    world.awaitCondition("linux", "CapacityLimited", "True", "Quota");
    world.clock.passInRounds(
        Duration.ofSeconds(30),
        () -> {
          assertThat(capacity("linux")).isEqualTo(6);
          assertThat(pods()).isEqualTo(6);
        });
    demand("linux", 2, 4);
    awaitCapacity("linux", 3);
  }

  @Test
  void whatAnotherControllerTakesIsNoRoom() {
    quota(10);
    world.start();
    begin("linux", "minRunners: 0", "maxRunners: 50");
    awaitCapacity("linux", 10);
    for (int i = 0; i < 10; i++) {
      podOfAnother("web-" + i);
    }
    awaitCapacity("linux", 0);
    demand("linux", 0, 4);
    world.awaitCondition("linux", "CapacityLimited", "True", "Quota");
    world.awaitCondition("linux", "Ready", "True", "Ready");
    assertThat(world.runners()).isEmpty();
    world.kube.pods().inNamespace("default").withGracePeriod(0).delete();
    awaitCapacity("linux", 10);
  }

  /** A webhook is the same to us: what the API server answers with counts. */
  @Test
  void aPodCountsAsTheApiServerMakesIt() {
    defaultCpu(1);
    quota("requests.cpu", 8);
    world.start();
    world.startNode();
    begin("linux", "minRunners: 0", "maxRunners: 50");
    awaitCapacity("linux", 8);
    demand("linux", 1, 0);
    world.soon("its pod").until(() -> pods() == 1);
    awaitNextSecond(); // the younger pod counts, by whole seconds
    defaultCpu(2);
    demand("linux", 2, 0);
    world.soon("a pod that takes twice as much").until(() -> pods() == 2);
    world.passInRounds(Duration.ofSeconds(6));
    assertThat(quotaStatus().get("requests.cpu")).hasToString("3");
    awaitCapacity("linux", 4);
    demand("linux", 4, 9);
    world.soon("all that have room").until(() -> pods() == 4);
    world.passInRounds(Duration.ofSeconds(10));
    assertThat(world.runners()).hasSize(4);
  }

  /** Of the API server, which stamps objects by the real time, not by the controller's. */
  private static void awaitNextSecond() {
    var second = Instant.now().getEpochSecond();
    Awaitility.await("the next second").until(() -> Instant.now().getEpochSecond() > second);
  }

  @Test
  void failedRunnersThatAreKeptTakeTheirPlaces() {
    quota("count/ephemeralrunners.runnerset.dev", 6);
    world.start();
    world.startNode();
    begin("linux", "minRunners: 2", "maxRunners: 50", "retention: {failedLimit: 2}");
    world.soon("two idle ones").until(() -> pods() == 2);
    awaitCapacity("linux", 6);
    world.runners().forEach(world::killPod);
    awaitCapacity("linux", 4);
    world
        .soon("two that failed, and two others")
        .until(() -> pods() == 2 && world.runners().size() == 4);
    world.spec("linux", "retention: {failedLimit: 1}");
    awaitCapacity("linux", 5);
  }

  @Test
  void aStatusThatSomebodyWipesChangesNoNumber() {
    quota(20);
    world.start();
    begin("linux", "minRunners: 0", "maxRunners: 50");
    awaitCapacity("linux", 20);
    long before = changes("linux");
    world.patch(world.set("linux"), "{\"capacity\": null}");
    world
        .soon("it is written again")
        .until(() -> world.set("linux").statusOrNone().capacity() != null);
    assertThat(limits("linux")).containsExactly(new CapacityLimitStatus("Quota", 20, "few: pods"));
    assertThat(changes("linux")).isEqualTo(before);
  }

  @Test
  void twoSetsShareAQuotaByWhatTheyWaitFor() {
    quota(20);
    world.start();
    begin("linux", "minRunners: 0", "maxRunners: 50");
    begin("small", "minRunners: 0", "maxRunners: 50");
    awaitCapacity("linux", 10);
    awaitCapacity("small", 10);
    demand("linux", 10, 90);
    world
        .within(Duration.ofSeconds(10), "the one that waits has most")
        .untilAsserted(() -> {
          assertThat(capacity("linux")).isEqualTo(19);
          assertThat(capacity("small")).isEqualTo(1);
        });
  }

  /** The service says nothing of jobs to a poll without capacity. */
  @Test
  void jobsOfASetWithoutAPlaceAreReadAndTheSetGetsTheNextPlace() {
    world.control.faults(FaultPlan.NONE.withStatistics(FaultPlan.StatisticsFault.WITH_JOBS_ONLY));
    quota(1);
    world.start();
    begin("linux", "minRunners: 0", "maxRunners: 50");
    begin("small", "minRunners: 0", "maxRunners: 50");
    world
        .soon("one of them has the place")
        .untilAsserted(() -> assertThat(capacity("linux") + capacity("small")).isEqualTo(1));
    var held = capacity("linux") == 0 ? "linux" : "small";
    demand("linux", 0, 0);
    demand("small", 0, 0);
    var _ = world.control.submit(JobRequest.of(3, held, Duration.ofHours(1)));
    awaitCapacity(held, 1);
    world
        .soon("the status has the jobs that wait")
        .untilAsserted(() ->
            assertThat(world.set(held).statusOrNone().jobs())
                .isNotNull()
                .extracting(JobCounts::waiting)
                .isEqualTo(3));
  }

  @Test
  void aSetWithoutAPlaceIsReadEachFewSecondsAndOneWithPlacesNever() {
    quota(0);
    world.start();
    begin("linux", "minRunners: 0", "maxRunners: 50");
    demand("linux", 0, 0);
    awaitCapacity("linux", 0);
    long before = readings();
    world.passInRounds(Duration.ofSeconds(60));
    assertThat(readings() - before).as("within a minute").isBetween(6L, 13L);
    change(1);
    awaitCapacity("linux", 1);
    long then = readings();
    world.passInRounds(Duration.ofSeconds(60));
    assertThat(readings() - then).isLessThanOrEqualTo(1);
  }

  private long readings() {
    return world.control.counters().getOrDefault("getScaleSet", 0L);
  }

  @Test
  void withoutTheRightToReadQuotasTheyAreNoTerm() {
    quota(20);
    world.api.faults().hide(ControllerWorld.WRITER, "resourcequotas");
    world.start();
    begin("linux", "minRunners: 0", "maxRunners: 50");
    world.passInRounds(Duration.ofSeconds(10));
    assertThat(capacity("linux")).isEqualTo(50);
    world.api.faults().show(ControllerWorld.WRITER, "resourcequotas");
    awaitCapacity("linux", 20);
  }

  @Test
  void aSetThatIgnoresQuotasOrIsInItsShadowIsNotBound() {
    quota(20);
    world.start();
    begin("linux", "minRunners: 0", "maxRunners: 50", "capacity: {quota: Ignore}");
    begin("small", "minRunners: 0", "maxRunners: 50", "capacity: {mode: Shadow}");
    world.passInRounds(Duration.ofSeconds(10));
    assertThat(capacity("linux")).isEqualTo(50);
    assertThat(capacity("small")).isEqualTo(50);
    assertThat(world.set("small").statusOrNone().capacity().shadow()).isEqualTo(20);
    assertThat(limits("small")).containsExactly(new CapacityLimitStatus("Quota", 20, "few: pods"));
    world.spec("small", "capacity: {mode: Enforce}");
    awaitCapacity("small", 20);
    assertThat(world.set("small").statusOrNone().capacity().shadow()).isNull();
  }

  @Test
  void aMinuteBringsAsManyRunnersAsTheUserAllows() {
    world.start();
    world.startNode();
    var begun = world.now();
    begin("linux", "minRunners: 12", "maxRunners: 50", "capacity: {startsPerMinute: 5}");
    world.clock.passInRounds(
        Duration.ofSeconds(100),
        () -> {
          var made = world.runners().size();
          assertThat(made)
              .isLessThanOrEqualTo(
                  5 + (int) (Duration.between(begun, world.now()).toSeconds() * 5 / 60) + 1);
        });
    world.soon("all that are wanted").until(() -> world.runners().size() == 12);
    assertThat(world.control.counters().get("generatejitconfig")).isEqualTo(12);
  }

  @Test
  void anIdleSetUnderAQuotaCostsNothing() {
    quota(20);
    world.start();
    begin("linux", "minRunners: 0", "maxRunners: 50");
    awaitCapacity("linux", 20);
    world.passInRounds(Duration.ofSeconds(30));
    long before = calls();
    world.passInRounds(Duration.ofMinutes(2));
    assertThat(calls() - before).as("writes, and any call about quotas").isZero();
  }

  private long calls() {
    return world.api.counters().snapshot().entrySet().stream()
        .filter(each -> each.getKey().writer().equals(ControllerWorld.WRITER))
        .filter(each -> !each.getKey().resource().startsWith("leases"))
        .filter(each ->
            !READS.contains(each.getKey().verb())
                || each.getKey().resource().equals("resourcequotas"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
