package dev.runnerset.controller.ephemeralrunner;

import static dev.runnerset.controller.ephemeralrunner.RunnerFixture.UID;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.ephemeralrunner.lifecycle.ObservedRunner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerExit;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerMemory;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerSituation;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerStatuses;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Retention;
import dev.runnerset.crds.RunnerJob;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.testsupport.Exposition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is done about a runner that stays after its end, and in which order. */
final class RunnerActionsTest {
  private static final Retention KEPT =
      new Retention(null, null, 5, 5, Retention.PodPolicy.DELETE, null);

  private static final Retention NO_RULE = new Retention(null, "0s", null, null, null, null);

  private RunnerRemover.Outcome removal = new RunnerRemover.Outcome.UnderWay();
  private final RecordedObjects objects = new RecordedObjects();
  private RemovalReason askedFor = RemovalReason.ENDED;
  private final RunnerFixture fixture =
      new RunnerFixture(
          objects,
          new OneAnswerRemover(),
          key -> {
            throw new InvalidConnectionException(
                AccessReason.SECRET_NOT_FOUND, "there is no secret");
          });
  private final RunnerMemories memories = fixture.memories;
  private final List<String> reported = fixture.events;

  /** Answers {@link #removal}: at first, registrations are being removed all the time. */
  private final class OneAnswerRemover implements RunnerRemover {
    @Override
    public Outcome removeRegistration(EphemeralRunner runner, RemovalReason reason) {
      askedFor = reason;
      return removal;
    }

    @Override
    public Outcome removeAll(EphemeralRunner runner, RemovalReason reason) {
      return new Outcome.UnderWay();
    }

    @Override
    public Optional<Outcome> removeLeftOver(EphemeralRunner leftOver) {
      return Optional.empty();
    }

    @Override
    public boolean isRemoved(String uid, long runnerId) {
      return false;
    }
  }

  private void reconcile(RunnerSituation situation) {
    fixture.act(situation.memory(memories.of(UID)).observed());
  }

  private static RunnerSituation crashed() {
    return RunnerSituation.of("RUNNING exited=1/Error@-1").live(KEPT);
  }

  @Test
  void theSecretStaysUntilTheEndIsWrittenWhereTheStatusTellsOfNoStart() {
    reconcile(RunnerSituation.of("exited=1/Error@-1").live(KEPT));
    assertThat(objects.requests).containsExactly("status FAILED", "delete-secret");
  }

  @Test
  void theSecretOfAKeptRunnerGoesBeforeItsEndIsWritten() {
    reconcile(crashed());
    assertThat(objects.requests).containsExactly("delete-secret", "status FAILED");
  }

  @Test
  void thePodGoesWhereTheSetKeepsNone() {
    reconcile(RunnerSituation.of("over=SUCCEEDED/deregistered exited0@-1").live(KEPT));
    assertThat(objects.requests).containsExactly("delete-pod");
  }

  @Test
  void aSecretThatCannotBeDeletedIsReportedAndNoEndIsWritten() {
    objects.refusal = new KubernetesClientException("denied by a webhook", 403, null);
    assertThatThrownBy(() -> reconcile(crashed())).isSameAs(objects.refusal);
    assertThat(objects.requests).containsExactly("delete-secret");
    assertThat(reported)
        .singleElement()
        .asString()
        .startsWith("RetentionFailed: the controller cannot delete the secret of the ended runner")
        .endsWith("denied by a webhook");
  }

  @Test
  void aWipedStatusIsWrittenAgainOnce() {
    reconcile(crashed());
    objects.requests.clear();
    reconcile(crashed().and("version=1")); // the cache is behind our write
    assertThat(objects.requests).isEmpty();
    var wiped = crashed().and("version=3");
    reconcile(wiped);
    assertThat(objects.requests).containsExactly("delete-secret", "status FAILED");
    reconcile(wiped); // the cache is behind again
    assertThat(objects.requests).hasSize(2);
  }

  @Test
  void aWipedStatusOfARunningRunnerKeepsItsAge() {
    reconcile(RunnerSituation.of("running"));
    var before = objects.last;
    reconcile(RunnerSituation.of("running version=3"));
    assertThat(objects.requests).containsExactly("status RUNNING", "status RUNNING");
    assertThat(objects.last).isEqualTo(before).isNotEqualTo(EphemeralRunnerStatus.NONE);
  }

  @Test
  void theFinalizerRemembersWhenItFirstSawAnEnd() {
    var deleted = RunnerSituation.of("terminating busy datedByItsNode0@-40").observed();
    assertThat(fixture.act(deleted)).isEqualTo(RequeueTime.at(RunnerSituation.at(30)));
    assertThat(fixture.exits.of(UID)).contains(new RunnerExit(Situation.NOW, 0));
  }

  @Test
  void anEndThatNobodyHeardOfIsJudgedByWhatTheServiceStillHad() {
    for (int code : new int[] {0, 7}) {
      for (boolean there : new boolean[] {true, false}) {
        memories.update(UID, memory -> RunnerMemory.NONE);
        objects.requests.clear();
        removal = new RunnerRemover.Outcome.Removed(there);
        reconcile(RunnerSituation.of("exited" + code + "@-30"));
        reconcile(RunnerSituation.of("exited" + code + "@-30"));
        var phase =
            there ? (code == 7 ? "OUTDATED" : "FAILED") : code == 7 ? "FAILED" : "SUCCEEDED";
        assertThat(objects.requests)
            .as("exit %d, registration there: %s", code, there)
            .contains("status " + phase);
      }
    }
  }

  private RunnerMemory afterTheDeletionOfItsPod(RunnerRemover.Outcome answer) {
    memories.update(UID, memory -> RunnerMemory.NONE);
    removal = answer;
    askedFor = RemovalReason.ENDED;
    reconcile(RunnerSituation.of("podDeleted datedByItsNode0@-1"));
    return memories.of(UID);
  }

  @Test
  void rn8WhoIsAskedForSinceItsPodWasDeletedIsAskedForWithinTheBudgetOfItsSet() {
    var removed = new RunnerRemover.Outcome.Removed(true);
    assertThat(afterTheDeletionOfItsPod(removed).removal().removedByUs()).isTrue();
    assertThat(askedFor).isEqualTo(RemovalReason.ENDED_BY_DELETION);
    var refused = new RunnerRemover.Outcome.Refused();
    assertThat(afterTheDeletionOfItsPod(refused).removal().notBefore())
        .isEqualTo(RunnerSituation.at(30));
    assertThat(fixture.gate.outcomes).containsExactly(removed, refused);
    fixture.gate.closed = true;
    assertThat(afterTheDeletionOfItsPod(removed)).isEqualTo(RunnerMemory.NONE);
    assertThat(askedFor).as("nothing is asked").isEqualTo(RemovalReason.ENDED);
  }

  /** Else a runner that is deleted later would be given up at once (RN11). */
  @Test
  void theMinuteWithoutCredentialsDoesNotBeginBeforeTheDeletion() {
    var failed =
        new RunnerRemover.Outcome.Failed(AccessReason.SECRET_NOT_FOUND, "there is no secret");
    var known = afterTheDeletionOfItsPod(failed).removal();
    assertThat(known.failures()).isOne();
    assertThat(known.connectionLostSince()).isNull();
  }

  @Test
  void rn8WhoIsGoneThenMayHaveHadAJobAndIsAskedForAgainAfterTheSettleWindow() {
    var known = afterTheDeletionOfItsPod(new RunnerRemover.Outcome.Removed(false)).removal();
    assertThat(known.nothingLeft()).isFalse();
    assertThat(known.notBefore()).isEqualTo(RunnerSituation.at(30));
    assertThat(objects.requests).isEmpty();
  }

  /** The settle window passes (LV3). */
  private void settle(ObservedRunner before) {
    fixture.act(
        new ObservedRunner(
            before.runner(),
            before.pod(),
            before.set(),
            memories.of(UID),
            before.knownExit(),
            id -> false,
            RunnerSituation.at(30)));
  }

  @Test
  void aJobThatIsLostIsReportedOnItsRunnerAndCounted() {
    var observed = RunnerSituation.of("busy exited=137/OOMKilled@-1").observed();
    fixture.act(observed);
    assertThat(reported).as("a completion may be on its way").isEmpty();
    settle(observed);
    assertThat(reported).hasSize(1).first().asString().startsWith("JobLost: ");
    var set = Ownership.setName(observed.runner()).orElse("");
    assertThat(reported.getFirst())
        .contains("was lost with runner ci-1 on node node-1: OOMKilled: ");
    assertThat(
            Exposition.of(fixture.meters::snapshots)
                .value("runnerset_jobs_lost_total", "ns", set, "out_of_memory"))
        .isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {137, 0})
  void rn22AJobThatTheLifetimeOfItsPodEndedIsLostByIt(int exitCode) {
    var observed =
        RunnerSituation.of("busy exitedInPod=Failed/DeadlineExceeded/" + exitCode).observed();
    fixture.act(observed);
    settle(observed);
    var failure = requireNonNull(objects.last.failure());
    assertThat(failure.reason()).isEqualTo("DeadlineExceeded");
    assertThat(failure.jobLostBy()).isEqualTo("lifetime");
    assertThat(failure.message())
        .contains("the kubelet ended the pod after its activeDeadlineSeconds")
        .endsWith("exited with " + exitCode);
    assertThat(reported).hasSize(1).first().asString().startsWith("JobLost: ");
    var set = Ownership.setName(observed.runner()).orElse("");
    assertThat(
            Exposition.of(fixture.meters::snapshots)
                .value("runnerset_jobs_lost_total", "ns", set, "lifetime"))
        .isEqualTo(1);
  }

  @Test
  void aRequestIdNamesTheJobBesideItsRun() {
    var job = new RunnerJob("my-org/app", "a.yaml@main", 77L, "build", "push", Situation.NOW, null);
    var marked = EphemeralRunnerStatus.NONE.toBuilder().requestId(17L);
    assertThat(RunnerStatuses.job(marked.build())).isEqualTo("a job (request 17)");
    assertThat(RunnerStatuses.job(marked.job(job).build()))
        .isEqualTo("the job 'build' (request 17 run 77 in my-org/app)");
    assertThat(RunnerStatuses.job(marked.requestId(0L).build()))
        .as("0 is no id (LV1)")
        .isEqualTo("the job 'build' (run 77 in my-org/app)");
  }

  @Test
  void whatIsKnownOfALostJobStandsInStatusEventAndMetric() {
    var job = new RunnerJob("my-org/app", "a.yaml@main", 77L, "build", "push", Situation.NOW, null);
    var observed =
        RunnerSituation.of("disruptedBy=EvictionByEvictionAPI podDeleted datedByItsNode143@-1")
            .job(job)
            .observed();
    fixture.act(observed);
    settle(observed);
    var failure = requireNonNull(objects.last.failure());
    assertThat(failure.reason()).isEqualTo("EvictionByEvictionAPI");
    assertThat(failure.jobLostBy()).isEqualTo("evicted");
    assertThat(failure.exitCode()).isEqualTo(143);
    assertThat(reported)
        .first()
        .asString()
        .contains(
            "the job 'build' (run 77 in my-org/app) was lost with runner ci-1 on node node-1: "
                + "EvictionByEvictionAPI: ",
            "exited with 143",
            "; run it again at https://github.com/my-org/app/actions/runs/77");
    var set = Ownership.setName(observed.runner()).orElse("");
    assertThat(
            Exposition.of(fixture.meters::snapshots)
                .value("runnerset_jobs_lost_total", "ns", set, "evicted"))
        .isEqualTo(1);
  }

  @Test
  void theEndOfARunnerWithoutAJobOrAfterItsJobIsNoLostJob() {
    fixture.act(RunnerSituation.of("exited1@-1").observed());
    var completed = RunnerSituation.of("done5 exited1@-1").observed();
    fixture.act(completed);
    settle(completed);
    assertThat(reported).isEmpty();
  }

  @Test
  void aFailedRunnerThatIsKeptKeepsItsBlackBoxReadBeforeItsSecretGoes() {
    objects.pod =
        Serialization.unmarshal(
            """
            metadata: {name: ci-1, namespace: ns, ownerReferences: [{uid: uid-1, controller: true,
              kind: EphemeralRunner, name: ci-1, apiVersion: runnerset.dev/v1alpha1}]}
            spec: {nodeName: node-1, containers: [{name: runner}]}
            status: {phase: Failed, containerStatuses: [{name: runner, state: {terminated: {exitCode: 1}}}]}
            """,
            Pod.class);
    objects.secret = Serialization.unmarshal("data: {jitToken: c2VjcmV0LWppdA==}", Secret.class);
    objects.logs = Map.of("runner", "first\nit says secret-jit and dies\n");
    fixture.act(RunnerSituation.of("exited1@-1").live(KEPT).observed());
    var failure = requireNonNull(objects.last.failure());
    assertThat(failure.message())
        .isEqualTo("the runner container exited with 1; its log ends with: it says *** and dies");
    assertThat(failure.evidence()).containsEntry("node", "node-1").containsKey("containers");
    assertThat(failure.evidence().toString()).doesNotContain("secret-jit").contains("first");
  }

  private static Pod crashedPod(String env) {
    return Serialization.unmarshal(
        """
        metadata: {name: ci-1, namespace: ns, ownerReferences: [{uid: uid-1, controller: true,
          kind: EphemeralRunner, name: ci-1, apiVersion: runnerset.dev/v1alpha1}]}
        spec: {nodeName: node-1, containers: [{name: runner, env: [{name: P, %s}]}]}
        status: {phase: Failed, containerStatuses: [{name: runner, state: {terminated: {exitCode: 1,
          reason: Error, message: "it says hunter2 and ghs_planted0 and secret-jit0"}}}]}
        """
            .formatted(env),
        Pod.class);
  }

  private void crash(Retention rule, Pod pod) {
    objects.pod = pod;
    objects.secret = Serialization.unmarshal("data: {jitToken: c2VjcmV0LWppdDA=}", Secret.class);
    objects.logs = Map.of("runner", "hunter2 in the log\n");
    reported.clear();
    fixture.all.isGone(RunnerFixture.UID);
    var observed =
        RunnerSituation.of("busy exitKnown1@-1").live(rule).observed().with(PodView.of(pod));
    fixture.act(observed);
    settle(observed);
  }

  @Test
  void noSecretOfATerminationMessageIsInStatusConditionOrEvent() {
    for (var rule : List.of(KEPT, NO_RULE)) {
      crash(rule, crashedPod("value: hunter2"));
      assertThat(objects.last + " " + reported).doesNotContain("hunter2", "ghs_planted0");
      assertThat(requireNonNull(objects.last.failure()).message()).contains("it says *** and ***");
      assertThat(succeeded(objects.last)).contains("it says *** and ***");
      assertThat(reported)
          .first()
          .asString()
          .startsWith("JobLost: ")
          .contains("it says *** and ***");
    }
  }

  @Test
  void whatAContainerWithValuesOfSecretsWroteIsNotReported() {
    for (var rule : List.of(KEPT, NO_RULE)) {
      crash(rule, crashedPod("valueFrom: {secretKeyRef: {name: registry, key: password}}"));
      assertThat(objects.last + " " + reported)
          .doesNotContain("hunter2", "ghs_planted0", "secret-jit0");
      assertThat(succeeded(objects.last)).contains("the runner container exited with 1");
    }
  }

  @Test
  void theJitConfigIsInNoPartOfAKeptRunner() {
    crash(KEPT, crashedPod("value: hunter2"));
    assertThat(objects.last + " " + reported).doesNotContain("secret-jit0");
    assertThat(succeeded(objects.last)).endsWith("its log ends with: *** in the log");
  }

  @Test
  void aFailureIsWrittenWithoutSecretsWhateverGoesWrongWithItsEvidence() {
    for (var error :
        List.of(
            new KubernetesClientException("no answer in time"),
            new IllegalStateException("cannot read hunter2"))) {
      objects.unreadable = error;
      crash(KEPT, crashedPod("value: hunter2"));
      assertThat(objects.last + " " + reported).doesNotContain("hunter2", "ghs_planted0");
      assertThat(succeeded(objects.last)).contains("it says *** and ***");
    }
  }

  private static String succeeded(EphemeralRunnerStatus status) {
    return StatusConditions.find(status.conditions(), ConditionType.SUCCEEDED)
        .map(StatusConditions::message)
        .orElse("");
  }
}
