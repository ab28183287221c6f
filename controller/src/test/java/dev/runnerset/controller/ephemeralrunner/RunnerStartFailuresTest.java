package dev.runnerset.controller.ephemeralrunner;

import static dev.runnerset.controller.ephemeralrunner.RunnerFixture.UID;
import static dev.runnerset.controller.ephemeralrunner.RunnerFixture.fake;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.JitConfig;
import dev.runnerset.actions.JitConfigResult;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerReference;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.controller.connection.JitWait;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerMemory;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerSituation;
import dev.runnerset.controller.ephemeralrunner.lifecycle.StartState.Stage;
import dev.runnerset.controller.ephemeralrunner.start.CreateAnswer;
import dev.runnerset.controller.ephemeralrunner.start.JitSecret;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What becomes of a start that fails: it is tried again, the runner is replaced, or has failed. */
final class RunnerStartFailuresTest {
  private static final JitConfigResult REGISTERED =
      new JitConfigResult.Registered(
          new RunnerReference(new RunnerId(7), "ci-1", new ScaleSetId(1), null),
          new JitConfig("jit"));

  private final List<String> requests = new ArrayList<>();
  private @Nullable KubernetesClientException unread;
  private @Nullable KubernetesClientException unreadCredentials;
  private @Nullable KubernetesClientException undeleted;
  private @Nullable Secret left;
  private boolean labelsAreStripped;
  private @Nullable JitWait turn;
  private Supplier<JitConfigResult> registration = () -> REGISTERED;

  private final RunnerFixture fixture =
      new RunnerFixture(
          fake(RunnerObjects.class, this::object),
          fake(RunnerRemover.class, RunnerFixture::unexpected),
          new RunnerConnections() {
            @Override
            public ActionsService to(EphemeralRunner runner) {
              return service();
            }

            @Override
            public ForJitConfig forJitConfig(EphemeralRunner runner) {
              return new ForJitConfig(to(runner), () -> Optional.ofNullable(turn));
            }
          });
  private final RunnerMemories memories = fixture.memories;
  private final List<String> reported = fixture.reasons;

  private ActionsService service() {
    if (unreadCredentials != null) {
      throw unreadCredentials;
    }
    return fake(
        ActionsService.class,
        (name, arguments) -> {
          requests.add("register");
          return registration.get();
        });
  }

  private Object object(String name, Object[] arguments) {
    requests.add(name);
    return switch (name) {
      case "secret", "pod" -> {
        if (unread != null) {
          throw unread;
        }
        yield name.equals("pod") ? Optional.empty() : Optional.ofNullable(left);
      }
      case "createSecret" -> new CreateAnswer.Created<>((Secret) arguments[0]);
      case "createPod" -> new CreateAnswer.Created<>(stored((Pod) arguments[0]));
      case "deleteSecret" -> ""; // a failed runner is kept
      case "deleteRunner" -> {
        if (undeleted != null) {
          throw undeleted;
        }
        yield false; // it changed since it was seen
      }
      case "writeStatus" -> {
        requests.add(((EphemeralRunnerStatus) arguments[2]).phase() + "");
        yield Optional.empty();
      }
      default -> throw new AssertionError("not expected: " + name);
    };
  }

  private Pod stored(Pod pod) {
    return labelsAreStripped
        ? new PodBuilder(pod).editMetadata().withLabels(Map.of()).endMetadata().build()
        : pod;
  }

  private void reconcile() {
    var _ = fixture.actWithoutPodInCache(RunnerSituation.of(""));
  }

  private void later() {
    fixture.clock.advance(Duration.ofSeconds(5));
  }

  private static JitConfigResult lost() {
    throw new ServiceException(
        new ServiceError.Unavailable(
            new ServiceError.Details("register", 0, "", "no answer in time", "", ""), null));
  }

  @Test
  void rn4AStartWhoseFirstReadFailsIsTriedAgainWithTheRead() {
    unread = new KubernetesClientException("unavailable", 503, null);
    reconcile();
    reconcile();
    assertThat(requests).as("one try, then the backoff").containsExactly("secret");
    assertThat(reported).containsExactly("ReadFailed");
    assertThat(memories.of(UID).start().stage()).isEqualTo(Stage.UNSEEN);
    unread = null;
    requests.clear();
    later();
    reconcile();
    assertThat(requests).containsExactly("secret", "pod", "register", "createSecret", "createPod");
  }

  @Test
  void aStartWhoseCredentialsCannotBeReadIsTriedAgain() {
    memories.update(UID, memory -> RunnerMemory.NEW);
    unreadCredentials = new KubernetesClientException("forbidden", 403, null);
    reconcile();
    reconcile();
    assertThat(requests).isEmpty();
    assertThat(reported).containsExactly("ReadFailed");
    unreadCredentials = null;
    later();
    reconcile();
    assertThat(requests).containsExactly("register", "createSecret", "createPod");
  }

  @Test
  void cn3ARunnerThatWaitsForItsTurnSendsNothingAndComesBack() {
    var why = waitsForTenSeconds();
    var now = fixture.clock.instant();
    turn = new JitWait(now.plusSeconds(1), why);
    assertThat(fixture.actWithoutPodInCache(RunnerSituation.of("")).at())
        .as("to tell of it")
        .isEqualTo(now);
    reconcile();
    assertThat(requests).as("RN6: told once it has stood for 10 s").startsWith("writeStatus");
    assertThat(requests).doesNotContain("register");
    assertThat(reported).as("the set reports it").isEmpty();
  }

  /** It comes back just when it may; returns what it waits for. */
  private ServiceError waitsForTenSeconds() {
    memories.update(UID, memory -> RunnerMemory.NEW);
    var why =
        new ServiceError.RateLimited(
            new ServiceError.Details("register", 429, "", "", "", ""), null);
    for (int second = 0; second < 10; second++) {
      var until = fixture.clock.instant().plusSeconds(1);
      turn = new JitWait(until, why);
      reconcile();
      assertThat(memories.of(UID).start().notBefore()).isEqualTo(until);
      assertThat(memories.of(UID).start().failures()).isZero();
      fixture.clock.advance(Duration.ofSeconds(1));
    }
    return why;
  }

  /** Else an API server that refuses the writes would keep it from starting. */
  @Test
  void cn3WhoHasItsTurnStartsBeforeItTellsWhyItWaited() {
    var _ = waitsForTenSeconds();
    turn = null;
    reconcile();
    assertThat(requests).containsExactly("register", "createSecret", "createPod");
  }

  /** What was noted before the clock was put back holds no runner until then. */
  @Test
  void cn3AClockThatIsPutBackKeepsNoRunnerFromItsTurn() {
    memories.update(UID, memory -> RunnerMemory.NEW);
    turn = new JitWait(fixture.clock.instant().plusSeconds(1), null);
    reconcile();
    turn = null;
    fixture.clock.advance(Duration.ofHours(-1));
    reconcile();
    assertThat(requests).containsExactly("register", "createSecret", "createPod");
  }

  /** The registration may be of an earlier process: a wait does not make it a failure. */
  @Test
  void cn3WhatAnEarlierProcessMayHaveLeftIsKnownAfterAWait() {
    var now = fixture.clock.instant();
    turn = new JitWait(now.plusSeconds(1), null);
    registration = JitConfigResult.NameTaken::new;
    reconcile();
    var reads = List.copyOf(requests);
    assertThat(reads).doesNotContain("register");
    fixture.clock.advance(Duration.ofSeconds(1));
    turn = new JitWait(now.plusSeconds(2), null);
    reconcile();
    assertThat(requests).as("not read again").isEqualTo(reads);
    fixture.clock.advance(Duration.ofSeconds(1));
    turn = null;
    reconcile();
    assertThat(requests).endsWith("register", "deleteRunner");
    assertThat(reported).isEmpty();
  }

  @Test
  void cn3AWaitForAnswersToOthersIsNoProblem() {
    memories.update(UID, memory -> RunnerMemory.NEW);
    turn = new JitWait(fixture.clock.instant().plusSeconds(1), null);
    reconcile();
    assertThat(memories.of(UID).start().problem()).isNull();
    fixture.clock.advance(Duration.ofSeconds(1));
    turn = null;
    reconcile();
    assertThat(requests).containsExactly("register", "createSecret", "createPod");
  }

  /** It has no backoff of its own: it asks for its turn at once. */
  @Test
  void cn3ARunnerThatWasRefusedWith429AsksForItsTurn() {
    memories.update(UID, memory -> RunnerMemory.NEW);
    var hour = Duration.ofHours(1);
    registration =
        () -> {
          throw new ServiceException(
              new ServiceError.RateLimited(
                  new ServiceError.Details("register", 429, "", "", "", ""), hour));
        };
    reconcile();
    assertThat(memories.of(UID).start().notBefore())
        .isBefore(fixture.clock.instant().plusSeconds(1));
  }

  /** One problem has one name, whether the set or one of its runners meets it. */
  @Test
  void aFailedRegistrationHasTheReasonsOfTheSetsConditions() {
    var details = new ServiceError.Details("register", 0, "", "", "", "");
    var reasons =
        Map.of(
            new ServiceError.Unauthorized(details), "Unauthorized",
            new ServiceError.RateLimited(details, null), "RateLimited",
            new ServiceError.Unavailable(details, null), "ServiceUnavailable",
            new ServiceError.NotSent(details, Duration.ofSeconds(1)), "ServiceUnavailable",
            new ServiceError.Malformed(details), "MalformedAnswer");
    reasons.forEach((error, reason) -> {
      memories.update(UID, memory -> RunnerMemory.NEW);
      reported.clear();
      registration =
          () -> {
            throw new ServiceException(error);
          };
      reconcile();
      assertThat(reported).as("%s", error).containsExactly(reason);
    });
  }

  @Test
  void i6ACallThatEndsWithoutAnAnswerLeavesTheStartUncertain() {
    memories.update(UID, memory -> RunnerMemory.NEW);
    registration =
        () -> {
          throw new IllegalStateException("an answer that nobody can read");
        };
    assertThatThrownBy(this::reconcile).isInstanceOf(IllegalStateException.class);
    assertThat(memories.of(UID).start().stage()).isEqualTo(Stage.UNCERTAIN);
  }

  @Test
  void aReplacementThatDoesNotSucceedAtOnceIsTriedAgainAndIsNoFailure() {
    left =
        JitSecret.of(
            RunnerSituation.of("").observed().runner(),
            new RunnerReference(new RunnerId(5), "ci-1", new ScaleSetId(1), null),
            new JitConfig("jit"));
    reconcile();
    undeleted = new KubernetesClientException("unavailable", 503, null);
    assertThatThrownBy(this::reconcile).isSameAs(undeleted);
    undeleted = null;
    reconcile();
    assertThat(requests.stream().filter("deleteRunner"::equals)).hasSize(3);
    assertThat(requests).doesNotContain("writeStatus", "register");
    assertThat(reported).isEmpty();
  }

  @Test
  void rn10ARegistrationWhoseAnswerWasLostFailsTheRunnerSoThatItsSetBacksOff() {
    memories.update(UID, memory -> RunnerMemory.NEW);
    registration = RunnerStartFailuresTest::lost;
    reconcile();
    registration = JitConfigResult.NameTaken::new;
    later();
    reconcile();
    assertThat(requests).containsSequence("register", "register");
    assertThat(requests).contains("FAILED").doesNotContain("deleteRunner");
    assertThat(reported).containsExactly("ServiceUnavailable", "StartUnknown");
  }

  @Test
  void aNameThatAnEarlierProcessMayHaveRegisteredIsReplacedAndIsNoFailure() {
    registration = JitConfigResult.NameTaken::new;
    reconcile();
    reconcile(); // the resource is still there
    assertThat(requests.stream().filter("deleteRunner"::equals)).hasSize(2);
    assertThat(requests).doesNotContain("writeStatus");
    assertThat(reported).isEmpty();
  }

  @Test
  void aNameThatIsTakenBeforeTheFirstTryFailsTheRunner() {
    memories.update(UID, memory -> RunnerMemory.NEW);
    registration = JitConfigResult.NameTaken::new;
    reconcile();
    assertThat(requests).contains("FAILED").doesNotContain("deleteRunner");
    assertThat(reported).containsExactly("NameTaken");
  }

  @Test
  void aPodThatIsStoredWithoutOurLabelIsNotPutIntoTheCache() {
    memories.update(UID, memory -> RunnerMemory.NEW);
    labelsAreStripped = true;
    reconcile();
    assertThat(memories.of(UID).start().stage()).isEqualTo(Stage.MADE);
    assertThat(fixture.cached).isEmpty();
  }
}
