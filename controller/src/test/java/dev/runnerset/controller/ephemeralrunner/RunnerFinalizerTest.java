package dev.runnerset.controller.ephemeralrunner;

import static dev.runnerset.controller.ephemeralrunner.RunnerFixture.UID;
import static dev.runnerset.controller.ephemeralrunner.RunnerFixture.fake;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerMemory;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerSituation;
import dev.runnerset.controller.ephemeralrunner.lifecycle.StartState;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.condition.AccessReason;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A runner that is deleted while nobody can ask the service whether it has a job. */
final class RunnerFinalizerTest {
  private final List<String> requests = new ArrayList<>();
  private final List<String> removals = new ArrayList<>();
  private @Nullable Pod pod;
  private @Nullable KubernetesClientException refusal;
  private boolean credentials;

  private final RunnerObjects objects =
      fake(
          RunnerObjects.class,
          (name, arguments) -> {
            requests.add(name);
            return switch (name) {
              case "pod" -> Optional.ofNullable(pod);
              case "writeStatus" -> patched((EphemeralRunnerStatus) arguments[2]);
              case "deleteSecret" -> null;
              case "deletePod", "deletePodUnlessOver" -> {
                if (refusal != null) {
                  throw refusal;
                }
                yield null;
              }
              default -> throw new AssertionError("not expected: " + name);
            };
          });
  private final RunnerRemover remover =
      fake(
          RunnerRemover.class,
          (name, arguments) -> {
            removals.add(name);
            return credentials
                ? new RunnerRemover.Outcome.Refused()
                : new RunnerRemover.Outcome.Failed(
                    AccessReason.SECRET_NOT_FOUND, "there is no secret");
          });
  private final RunnerConnections connections =
      runner -> {
        if (!credentials) {
          throw new InvalidConnectionException(AccessReason.SECRET_NOT_FOUND, "there is no secret");
        }
        return fake(ActionsService.class, RunnerFixture::unexpected);
      };
  private final RunnerFixture fixture = new RunnerFixture(objects, remover, connections);
  private final RunnerMemories memories = fixture.memories;
  private final List<String> reported = fixture.reasons;

  private static Optional<EphemeralRunner> patched(EphemeralRunnerStatus status) {
    var stored = RunnerSituation.of("").observed().runner();
    stored.setStatus(status);
    return Optional.of(stored);
  }

  private static Pod ofTheRunner() {
    return new PodBuilder()
        .withNewMetadata()
        .withName("ci-1")
        .withOwnerReferences(Ownership.ownedBy(RunnerSituation.of("").observed().runner()))
        .addToLabels(RunnerPod.labels(RunnerSituation.of("").observed().runner()))
        .endMetadata()
        .withNewSpec()
        .endSpec()
        .build();
  }

  /** Passes until the runner goes, or waits for something; empty if it goes. */
  private Optional<?> reconcile(RunnerSituation situation) {
    int before = fixture.released;
    var due = RequeueTime.at(Situation.NOW);
    for (int passes = 0; passes < 2 && due.equals(RequeueTime.at(Situation.NOW)); passes++) {
      due = fixture.act(situation.and("terminating").memory(memories.of(UID)).observed());
    }
    return fixture.released > before
        ? Optional.empty()
        : Optional.of(due.toOptional().orElseThrow());
  }

  private void credentialsAreGoneFor(long seconds) {
    memories.updateRemoval(UID, state -> state.failed(RunnerSituation.at(-seconds), true));
  }

  @Test
  void i1ItStaysWhileItsPodRunsThoughTheCacheShowsNone() {
    credentialsAreGoneFor(600);
    pod = Pods.running(ofTheRunner());
    assertThat(reconcile(RunnerSituation.of(""))).isPresent();
    assertThat(requests).containsExactly("pod");
    assertThat(reported).isEmpty();
  }

  @Test
  void i5OfAStartInDoubtAllThatBearsItsNameIsRemoved() {
    credentials = true;
    reconcile(RunnerSituation.of(""));
    memories.update(UID, memory -> RunnerMemory.NEW.with(StartState.NEW.uncertain(7L)));
    reconcile(RunnerSituation.of(""));
    memories.update(UID, memory -> RunnerMemory.NEW.made(7L, Situation.NOW));
    reconcile(RunnerSituation.of("running"));
    assertThat(removals).containsExactly("removeAll", "removeAll", "removeRegistration");
  }

  @Test
  void i1ItGoesWithoutCredentialsOnlyAfterItsSecretSoThatNoLatePodStarts() {
    credentialsAreGoneFor(60);
    assertThat(reconcile(RunnerSituation.of(""))).isEmpty();
    assertThat(requests).containsExactly("pod", "deleteSecret", "deletePodUnlessOver");
    assertThat(reported).containsExactly("RegistrationMayBeLeft");
  }

  /** The removal is known, so that nothing else is reported. */
  private long jobsLostOf(RunnerSituation situation) {
    reported.clear();
    memories.updateRemoval(UID, state -> state.removed(Situation.NOW, true));
    assertThat(reconcile(situation)).as("when to reconcile again").isEmpty();
    return reported.stream().filter("JobLost"::equals).count();
  }

  @Test
  void theJobOfADeletedRunnerIsReportedOnceIfItsPodWentBeforeIt() {
    assertThat(jobsLostOf(RunnerSituation.of("done5"))).as("its job was over").isZero();
    assertThat(jobsLostOf(RunnerSituation.of(""))).as("it had no job").isZero();
    assertThat(jobsLostOf(RunnerSituation.of("busy exitKnown0@-60"))).as("it ended well").isZero();
    assertThat(jobsLostOf(RunnerSituation.of("busy"))).as("its pod is gone").isEqualTo(1);
    assertThat(jobsLostOf(RunnerSituation.of("busy"))).as("the second time").isZero();
    fixture.all.isGone(UID);
    assertThat(jobsLostOf(RunnerSituation.of("busy exitKnown137@-60"))).as("killed").isEqualTo(1);
  }

  /** One failure may be over in 2 s. */
  @Test
  void whatTheRemovalFailsForIsReportedOnceIfItFailsAgain() {
    var running = RunnerSituation.of("RUNNING running");
    assertThat(reconcile(running)).isPresent();
    assertThat(reported).containsExactly("RemovalFailed");
    assertThat(removable()).isEqualTo("nothing written");
    memories.updateRemoval(UID, state -> state.failed(RunnerSituation.at(-60), true));
    reconcile(running);
    assertThat(reported).containsExactly("RemovalFailed", "RemovalFailed", "DeletionWaits");
    assertThat(removable()).isEqualTo("SecretNotFound");
    memories.updateRemoval(UID, state -> state.failed(RunnerSituation.at(-60), true));
    reconcile(running);
    assertThat(requests).containsExactly("writeStatus");
    credentials = true;
    memories.updateRemoval(UID, state -> state.answered(Situation.NOW));
    reconcile(running);
    assertThat(removable()).isEqualTo("JobRunning");
  }

  @Test
  void theJobThatItWaitsForIsReportedOnceAndNobodyIsAsked() {
    var busy = RunnerSituation.of("RUNNING busy running");
    assertThat(reconcile(busy)).isPresent();
    reconcile(busy);
    assertThat(reported).containsExactly("DeletionWaits");
    assertThat(removable()).isEqualTo("JobRunning");
    assertThat(requests).containsExactly("writeStatus");
    assertThat(removals).isEmpty();
  }

  private RunnerSituation removed() {
    memories.updateRemoval(UID, state -> state.removed(RunnerSituation.at(-1), true));
    return RunnerSituation.of("");
  }

  @Test
  void sh4ARunnerGoesAfterItsPod() {
    assertThat(reconcile(removed().and("running"))).isEmpty();
    assertThat(requests).containsExactly("deletePodUnlessOver");
    requests.clear();
    assertThat(reconcile(removed().and("podDeleted running"))).as("asked for before").isEmpty();
    assertThat(reconcile(removed().and("podOver=Failed/Evicted"))).as("over").isEmpty();
    assertThat(requests).isEmpty();
    assertThat(reconcile(removed().and("foreground podOver=Failed/Evicted"))).isEmpty();
    assertThat(requests).as("the garbage collector would come late").containsExactly("deletePod");
  }

  @Test
  void sh4ARunnerStaysWhileItsPodCannotBeDeletedAndSaysWhy() {
    refusal = new KubernetesClientException("a webhook says no", 403, null);
    assertThat(reconcile(removed().and("running"))).isPresent();
    assertThat(removable()).isEqualTo("PodNotDeleted");
    assertThat(reported).containsExactly("DeletionWaits");
    refusal = null;
    assertThat(reconcile(removed().and("running"))).isEmpty();
  }

  /**
   * As where somebody took the role of the controller away: the runner would hold its namespace.
   */
  @Test
  void sh4APodThatNoRoleLetsDeleteHoldsItsRunnerForAWhile() {
    refusal =
        new KubernetesClientException(
            "User \"u\" cannot delete resource \"pods\" in API group \"\" in the namespace \"ci\"",
            403,
            null);
    assertThat(reconcile(removed().and("running"))).isPresent();
    fixture.clock.advance(RunnerActions.LONGEST_REFUSED.minus(Duration.ofSeconds(1)));
    assertThat(reconcile(removed().and("running"))).isPresent();
    fixture.clock.advance(Duration.ofSeconds(1));
    assertThat(reconcile(removed().and("running"))).isEmpty();
    assertThat(reported).containsExactly("DeletionWaits", "ObjectsLeft");
  }

  private String removable() {
    var written = memories.of(UID).written();
    return written == null
        ? "nothing written"
        : written.status().conditions().stream()
            .filter(c -> c.getType().equals("Removable"))
            .map(c -> c.getReason())
            .findFirst()
            .orElse("");
  }
}
