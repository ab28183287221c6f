package dev.runnerset.listener.main;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.ListenerTarget;
import dev.runnerset.kube.Resource;
import dev.runnerset.listener.demand.DemandAction.Mark;
import dev.runnerset.listener.kube.KubeSetWriter;
import dev.runnerset.listener.session.context.KubeRefusal;
import dev.runnerset.listener.session.context.SetWriter.Marked;
import dev.runnerset.simulator.service.FaultPlan;
import dev.runnerset.simulator.service.Flavour;
import dev.runnerset.simulator.service.HttpFault;
import dev.runnerset.simulator.service.OddAnswers;
import dev.runnerset.testsupport.Exposition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The whole listener over HTTP, against the simulated servers. Most of its time is backoff of the
 * listener, so several tests run at once, each with servers of its own.
 */
@Execution(ExecutionMode.CONCURRENT)
final class ListenerOverHttpIT {
  /** Below half of the lease of a patient listener: a test fails if a listener waits for it. */
  private static final Duration SOON = Duration.ofSeconds(14);

  private static final String WRITES = "patch ephemeralrunnersets.runnerset.dev/status 200";

  private Servers servers;

  @BeforeEach
  void start() {
    servers = new Servers();
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  @Test
  void demandAndMarksArriveAndTheSessionIsInTheStatus() {
    servers.listen(10);
    servers.patientListener("a");
    await().atMost(SOON).until(servers::isConnected);
    assertThat(servers.listenerStatus().holder()).isEqualTo("a");
    assertThat(servers.listenerStatus().sessionId())
        .isEqualTo(servers.service.control().scaleSets().getFirst().sessionId());
    assertThat(servers.listenerStatus().epoch()).isEqualTo(1);

    servers.submit(2, Duration.ofSeconds(1));
    await().atMost(SOON).until(() -> servers.assigned() == 2);
    servers.runner("linux-aaaa");
    servers.runner("linux-bbbb");
    await().atMost(SOON).until(() -> servers.runnerStatus("linux-aaaa").isBusy());
    await().atMost(SOON).until(() -> servers.runnerStatus("linux-bbbb").jobResult() != null);
    await().atMost(SOON).until(() -> servers.runnerStatus("linux-aaaa").jobResult() != null);
    await().atMost(SOON).until(() -> servers.assigned() == 0);
    var status = servers.runnerStatus("linux-aaaa");
    assertThat(status.jobResult()).isEqualTo("succeeded");
    assertThat(status.job()).isNotNull();
    assertThat(status.job().completedIn()).isLessThanOrEqualTo(servers.demand().messageId());
    assertThat(status.job().displayName()).isEqualTo("build");
    assertThat(status.runnerId()).as("another writer's field").isPositive();
    assertThat(servers.service.control().violations()).isEmpty();
  }

  /** DM11, and protocol 0: a server that is upgraded, and restored, while jobs run. */
  @Test
  void offeredJobsAreAcquiredAndTheFlavourMayChange() {
    servers.service.control().flavour(Flavour.LEGACY);
    servers.listen(2);
    servers.patientListener("a");
    await().atMost(SOON).until(servers::isConnected);
    servers.submit(3, Duration.ofSeconds(1));
    await().atMost(SOON).until(() -> servers.assigned() == 2);
    servers.runner("linux-aaaa");
    await().atMost(SOON).until(() -> servers.runnerStatus("linux-aaaa").jobResult() != null);
    await().atMost(SOON).until(() -> servers.service.control().jobCounts().queued() == 0);

    for (var flavour : List.of(Flavour.BROKER, Flavour.LEGACY)) {
      var before = servers.demand().messageId();
      servers.service.control().flavour(flavour);
      servers.submit(1, Duration.ofSeconds(1));
      var name = "linux-" + flavour.name().toLowerCase(Locale.ROOT);
      servers.runner(name);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> servers.runnerStatus(name).jobResult() != null);
      await().atMost(SOON).until(() -> servers.demand().messageId() > before);
      var completed = requireNonNull(servers.runnerStatus(name).job()).completedIn();
      assertThat(completed).as("not released before its message").isGreaterThan(before);
      await().atMost(SOON).until(() -> completed <= servers.demand().messageId());
    }
    assertThat(servers.service.control().violations()).isEmpty();
  }

  @Test
  void aKilledListenerIsFollowedWithinSecondsByWayOfTheSessionInTheStatus() {
    servers.listen(10);
    var first = servers.listener("a");
    await().atMost(SOON).until(servers::isConnected);
    var second = servers.listener("b");
    first.abandon();
    var killed = Instant.now();
    var seconds = Duration.ofSeconds(15); // less than the 90 s for which a session is kept
    await().atMost(seconds).until(() -> "b".equals(servers.listenerStatus().holder()));
    assertThat(Duration.between(killed, Instant.now())).isLessThan(seconds);
    await().atMost(SOON).until(() -> servers.demand().epoch() >= 2);
    assertThat(servers.listenerStatus().sessionId())
        .isEqualTo(servers.service.control().scaleSets().getFirst().sessionId());
    assertThat(servers.service.control().counters()).doesNotContainKey("createSession.409");
    assertThat(hasCounted(second, "event=\"taken_over\"")).isTrue();
    servers.submit(1, Duration.ofMillis(10));
    await().atMost(SOON).until(() -> servers.assigned() == 1);
  }

  @Test
  void aHolderWhoseEpochIsPassedWritesNothingAndLeavesTheOthersSessionAlone() {
    servers.listen(10);
    var listener = servers.patientListener("a");
    await().atMost(SOON).until(servers::isConnected);
    var before = servers.service.control().counters();
    // so that the look at the loss comes before it may take the set again
    servers.kube.faults().failNextWrites("leases.coordination.k8s.io", 503, 10);
    servers.raiseEpoch(7);
    servers.submit(1, Duration.ofMillis(10));
    await().atMost(SOON).until(() -> hasCounted(listener, "cause=\"fenced\""));
    assertThat(servers.listenerRequests())
        .containsKey("patch autoscalinglisteners.runnerset.dev/status 422");
    assertThat(servers.service.control().counters().get("deleteSession"))
        .as("at the moment of the loss")
        .isEqualTo(before.get("deleteSession"));
    // it does hold the lease: after a renewal it may take the set again, above the epoch found
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> servers.demand().epoch() == 8 && servers.assigned() == 1);
  }

  private static boolean hasCounted(ListenerProgram listener, String label) {
    return Exposition.of(listener::metrics)
        .text()
        .lines()
        .anyMatch(line -> line.contains(label) && !line.endsWith(" 0.0"));
  }

  @Test
  void nothingIsWrittenAndNothingReadWhileIdle() throws InterruptedException {
    servers.listen(10);
    servers.patientListener("a");
    await().atMost(SOON).until(servers::isConnected);
    await().atMost(SOON).until(() -> servers.assigned() == 0);
    await().atMost(SOON).until(() -> servers.listenerRequests().getOrDefault(WRITES, 0L) == 3);
    Thread.sleep(500);
    var requests = servers.listenerRequests();
    Thread.sleep(6_000);
    assertThat(servers.listenerRequests()).isEqualTo(requests);
    assertThat(requests)
        .as("a whole take-over: epoch, session, demand; in the former place: read, epoch, demand")
        .containsEntry("patch autoscalinglisteners.runnerset.dev/status 200", 3L)
        .containsEntry(WRITES, 3L);
  }

  @Test
  void anOrderlyEndClosesTheSessionAndReleasesTheLease() {
    servers.listen(10);
    var first = servers.patientListener("a");
    await().atMost(SOON).until(servers::isConnected);
    first.close();
    assertThat(servers.listenerStatus().sessionId()).isNull();
    assertThat(servers.isConnected()).isFalse();
    assertThat(servers.service.control().scaleSets().getFirst().sessionId()).isNull();
    servers.patientListener("b");
    await().atMost(Duration.ofSeconds(15)).until(servers::isConnected);
    assertThat(servers.listenerStatus().holder()).isEqualTo("b");
  }

  @Test
  void aDeletedListenerObjectHasItsSessionClosedAndCleared() {
    servers.listen(10);
    servers.hold(true);
    servers.patientListener("a");
    await().atMost(SOON).until(servers::isConnected);
    servers.deleteListener();
    await().atMost(SOON).until(() -> servers.listenerStatus().sessionId() == null);
    assertThat(servers.service.control().scaleSets().getFirst().sessionId()).isNull();
    servers.hold(false);
    await().atMost(SOON).until(() -> servers.listenerStatus().holder() == null);
    servers.listen(10);
    await().atMost(SOON).until(servers::isConnected);
  }

  @Test
  void aRaisedCapacityIsOfferedAtOnce() {
    servers.listen(1);
    servers.patientListener("a");
    await().atMost(SOON).until(servers::isConnected);
    servers.submit(3, Duration.ofSeconds(1));
    await().atMost(SOON).until(() -> servers.assigned() == 1);
    servers.listen(3);
    await().atMost(SOON).until(() -> servers.assigned() == 3); // a poll lasts 55 s
    assertThat(servers.listenerStatus().epoch()).as("the same session").isEqualTo(1);
  }

  @Test
  void aSetObjectMadeAgainLosesNoDemandAndIsTakenOver() {
    servers.listen(10);
    servers.patientListener("a");
    servers.submit(2, Duration.ofSeconds(1));
    await().atMost(SOON).until(() -> servers.assigned() == 2);
    servers.remakeSet();
    assertThat(servers.assigned()).as("in the listener object").isEqualTo(2);
    servers.listen(10);
    await().atMost(SOON).until(() -> servers.demand().epoch() == 2);
    await().atMost(SOON).until(() -> servers.assigned() == 2);
    assertThat(servers.demand().epoch()).as("never the same number twice").isEqualTo(2);
  }

  @Test
  void wrongCredentialsAreAConditionAndRightOnesHeal() {
    servers.secret("wrong");
    servers.listen(10);
    servers.listener("a");
    await().atMost(SOON).until(() -> servers.reason("Connected").equals("Unauthorized"));
    servers.secret("two words");
    await().atMost(SOON).until(() -> servers.reason("Connected").equals("SecretMalformed"));
    servers.secret(Servers.TOKEN);
    await().atMost(Duration.ofSeconds(20)).until(servers::isConnected);
  }

  @Test
  void aMarkThatMeantAnotherRegistrationDoesNotStay() {
    servers.runnerObject("linux-aaaa", 42);
    var writer = new KubeSetWriter(servers.api);
    var target = new ListenerTarget("team", "linux", "any");
    var foreign = Mark.started("linux-aaaa", new RunnerId(41), job("j1"));
    assertThat(writer.mark(target, foreign, null).stands()).isFalse();
    assertThat(servers.runnerStatus("linux-aaaa").isBusy()).isFalse();
    assertThat(servers.runnerStatus("linux-aaaa").job()).isNull();
    var done = Mark.completed("linux-aaaa", new RunnerId(42), job("j2"), "failed", 9);
    assertThat(writer.mark(target, done, null)).as("of no set").isEqualTo(new Marked(true, 0));
    var once = servers.runnerStatus("linux-aaaa");
    assertThat(writer.mark(target, done, done).stands()).isTrue();
    assertThat(servers.runnerStatus("linux-aaaa")).as("I8").isEqualTo(once);
    assertThat(once.runnerId()).isEqualTo(42);
    assertThat(once.jobResult()).isEqualTo("failed");
    assertThat(once.job().completedIn()).isEqualTo(9);
    assertThatThrownBy(
            () -> writer.mark(target, Mark.started("No Such/..", new RunnerId(1), job("j1")), null))
        .isInstanceOf(KubeRefusal.class);
  }

  /** The demand bears it (DM9). */
  @Test
  void aMarkOnARunnerOfASetTellsItsVersion() {
    servers.runnerObject("linux-aaaa", 42);
    var runner = Resource.of(EphemeralRunner.class, "team", "linux-aaaa");
    var label = JsonNodeFactory.instance.objectNode();
    label.putObject("metadata").putObject("labels").put(Labels.SET, "linux");
    var before = Resource.version(servers.api.merge(EphemeralRunner.class, runner, label));
    var mark = Mark.started("linux-aaaa", new RunnerId(42), job("j1"));
    var writer = new KubeSetWriter(servers.api);
    var marked = writer.mark(new ListenerTarget("team", "linux", "any"), mark, null);
    var after = requireNonNull(servers.api.get(EphemeralRunner.class, runner));
    assertThat(marked).isEqualTo(new Marked(true, Resource.version(after)));
    assertThat(marked.version()).isGreaterThan(before);
  }

  @Test
  void aMarkThatIsTakenBackRestoresTheOneThatStood() {
    servers.runnerObject("linux-aaaa", 42);
    var writer = new KubeSetWriter(servers.api);
    var target = new ListenerTarget("team", "linux", "any");
    var own = Mark.started("linux-aaaa", new RunnerId(42), job("j2"));
    assertThat(writer.mark(target, own, null).stands()).isTrue();
    var before = servers.runnerStatus("linux-aaaa");
    var late = Mark.completed("linux-aaaa", new RunnerId(41), job("j1"), "failed", 9);
    assertThat(writer.mark(target, late, own).stands()).isFalse();
    assertThat(servers.runnerStatus("linux-aaaa")).isEqualTo(before);
  }

  @Test
  void aMarkReplacesThatOfAnEarlierRegistration() {
    servers.runnerObject("linux-aaaa", 0);
    var writer = new KubeSetWriter(servers.api);
    var target = new ListenerTarget("team", "linux", "any");
    var late = Mark.completed("linux-aaaa", new RunnerId(41), job("j1"), "failed", 9);
    assertThat(writer.mark(target, late, null).stands()).as("the id is not known yet").isTrue();
    var own = Mark.started("linux-aaaa", new RunnerId(42), job("j2"));
    assertThat(writer.mark(target, own, late).stands()).isTrue();
    var status = servers.runnerStatus("linux-aaaa");
    assertThat(status.jobId()).isEqualTo("j2");
    assertThat(status.jobResult()).isNull();
    assertThat(status.job().completedIn()).isNull();
    assertThat(status.job().repository()).isEqualTo("o/r");
  }

  private static JobDescription job(String id) {
    return new JobDescription(3, id, "o/r", "w", "b", 7, "push", null, null, null, null);
  }

  @Test
  void aListenerThatLosesItsLeaseTouchesNothingAndComesBackWhenItIsFree() {
    servers.listen(10);
    var listener = servers.listener("a");
    await().atMost(SOON).until(servers::isConnected);
    var session = servers.listenerStatus().sessionId();
    servers.stealLease("thief");
    await().atMost(SOON).until(() -> !listener.holdsLease());
    assertThat(servers.listenerStatus().sessionId()).isEqualTo(session);
    assertThat(servers.service.control().scaleSets().getFirst().sessionId()).isEqualTo(session);
    await().atMost(Duration.ofSeconds(15)).until(() -> servers.listenerStatus().epoch() >= 2);
    await()
        .atMost(SOON)
        .until(() -> {
          var now = servers.listenerStatus().sessionId();
          return servers.isConnected() && now != null && !now.equals(session);
        });
  }

  /** What goes wrong with sessions and messages, and how often. */
  static Stream<Arguments> faults() {
    var lost = polls(404, 0.3);
    return Stream.of(
        Arguments.of("404 on polls", lost),
        Arguments.of("400 on polls", polls(400, 0.3)),
        Arguments.of("401 on polls", polls(401, 0.4)),
        Arguments.of("no queue URL", lost.withOdd(new OddAnswers(0.3, 0, 0, 0, 0))),
        Arguments.of("no token", lost.withOdd(new OddAnswers(0, 0.3, 0, 0, 0))),
        Arguments.of("no statistics", lost.withOdd(new OddAnswers(0, 0, 1, 0, 0))),
        Arguments.of("odd elements", lost.withOdd(new OddAnswers(0, 0, 0, 0.3, 0))));
  }

  /** The first two polls for certain, then that share. */
  private static FaultPlan polls(int status, double share) {
    return FaultPlan.NONE.withHttp(
        HttpFault.answer("getMessage", status, 2),
        HttpFault.answer("getMessage", status, -1).withShare(share));
  }

  /**
   * I9: with sessions that the service keeps for 90 s after they are lost, each fault costs
   * seconds; one runner is made for each job, and no session conflicts with one of our own.
   */
  @ParameterizedTest(name = "{0}")
  @MethodSource
  void faults(String name, FaultPlan plan) {
    servers.service.control().faults(plan);
    servers.listen(20);
    servers.listener("a");
    await().atMost(Duration.ofSeconds(20)).until(servers::isConnected);
    servers.submit(8, Duration.ofMillis(500));
    var began = Instant.now();
    var made = new ArrayList<String>();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> {
          var live = made.stream().filter(runner -> !servers.isReleased(runner)).count();
          for (long missing = servers.assigned() - live; missing > 0; missing--) {
            made.add("linux-" + made.size());
            servers.runner(made.getLast());
          }
          return servers.service.control().jobCounts().completed() == 8 && servers.assigned() == 0;
        });
    assertThat(Duration.between(began, Instant.now())).isLessThan(Duration.ofSeconds(60));
    assertThat(made).as("one runner a job").hasSize(8);
    var counters = servers.service.control().counters();
    assertThat(counters).as("conflicts with ourselves").doesNotContainKey("createSession.409");
    assertThat(counters.get("deleteSession"))
        .as("each session but the last is deleted: %s", counters)
        .isPositive()
        .isGreaterThanOrEqualTo(counters.get("createSession") - 1);
    assertThat(servers.service.control().violations()).isEmpty();
  }
}
