package dev.runnerset.controller.ephemeralrunner;

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
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.ephemeralrunner.lifecycle.ObservedRunner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerLifecycle;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerMemory;
import dev.runnerset.controller.ephemeralrunner.lifecycle.Scene;
import dev.runnerset.controller.ephemeralrunner.lifecycle.StartState.Stage;
import dev.runnerset.controller.ephemeralrunner.start.CreateAnswer;
import dev.runnerset.controller.ephemeralrunner.start.JitSecret;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.controller.ephemeralrunner.start.RunnerStart;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a start that meets trouble is taken for: to be tried again, to be replaced, or failed. */
final class RunnerStartTroubleTest implements WriteCache {
  private static final String UID = "uid-1";
  private static final JitConfigResult REGISTERED =
      new JitConfigResult.Registered(
          new RunnerReference(new RunnerId(7), "ci-1", new ScaleSetId(1)), new JitConfig("jit"));

  private final TestClock clock = new TestClock(Scene.NOW);
  private final RunnerMemories memories = new RunnerMemories(new Memories());
  private final List<String> requests = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private final List<Pod> cached = new ArrayList<>();
  private @Nullable KubernetesClientException unread;
  private @Nullable KubernetesClientException unreadCredentials;
  private @Nullable KubernetesClientException undeleted;
  private @Nullable Secret left;
  private boolean labelsAreStripped;
  private Supplier<JitConfigResult> registration = () -> REGISTERED;

  private final RunnerActions actions =
      new RunnerActions(
          new RunnerStart(key -> service(), fake(RunnerObjects.class, this::object)),
          fake(
              RunnerRemover.class,
              (name, argument) -> {
                throw new AssertionError("nothing is removed");
              }),
          new RunnerExits(new Memories()),
          (namespace, name) -> {},
          new OpenGate(),
          new RunnerActions.Ports(
              fake(RunnerObjects.class, this::object),
              (about, reason, message) -> told.add(reason.word()),
              memories,
              clock,
              new Meters()));

  private interface Answers {
    Object to(String method, Object[] arguments);
  }

  private static <T> T fake(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.to(method.getName(), arguments)));
  }

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
      case "patchStatus" -> {
        requests.add(((EphemeralRunnerStatus) arguments[1]).phase() + "");
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

  @Override
  public void created(HasMetadata pod) {
    cached.add((Pod) pod);
  }

  @Override
  public void changed(HasMetadata before, HasMetadata after) {
    throw new AssertionError("nothing is stored");
  }

  private void look() {
    var scene = new Scene().memory(memories.of(UID)).observed();
    var observed =
        new ObservedRunner(
            scene.runner(),
            null,
            scene.set(),
            memories.of(UID),
            null,
            id -> false,
            clock.instant());
    for (var action : RunnerLifecycle.decide(observed).actions()) {
      actions.apply(action, observed, this);
    }
  }

  private void later() {
    clock.advance(Duration.ofSeconds(5));
  }

  private static JitConfigResult lost() {
    throw new ServiceException(
        new ServiceError.Unavailable(
            new ServiceError.Details("register", 0, "", "no answer in time", "", ""), null));
  }

  @Test
  void rn4AStartWhoseFirstReadFailsIsTriedAgainWithTheRead() {
    unread = new KubernetesClientException("unavailable", 503, null);
    look();
    look();
    assertThat(requests).as("one try, then the backoff").containsExactly("secret");
    assertThat(told).containsExactly("ReadFailed");
    assertThat(memories.of(UID).start().stage()).isEqualTo(Stage.UNSEEN);
    unread = null;
    requests.clear();
    later();
    look();
    assertThat(requests).containsExactly("secret", "pod", "register", "createSecret", "createPod");
  }

  @Test
  void aStartWhoseCredentialsCannotBeReadIsTriedAgain() {
    memories.update(UID, memory -> RunnerMemory.NEW);
    unreadCredentials = new KubernetesClientException("forbidden", 403, null);
    look();
    look();
    assertThat(requests).isEmpty();
    assertThat(told).containsExactly("ReadFailed");
    unreadCredentials = null;
    later();
    look();
    assertThat(requests).containsExactly("register", "createSecret", "createPod");
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
      told.clear();
      registration =
          () -> {
            throw new ServiceException(error);
          };
      look();
      assertThat(told).as("%s", error).containsExactly(reason);
    });
  }

  @Test
  void i6ACallThatEndsWithoutAnAnswerLeavesTheStartUncertain() {
    memories.update(UID, memory -> RunnerMemory.NEW);
    registration =
        () -> {
          throw new IllegalStateException("an answer that nobody can read");
        };
    assertThatThrownBy(this::look).isInstanceOf(IllegalStateException.class);
    assertThat(memories.of(UID).start().stage()).isEqualTo(Stage.UNCERTAIN);
  }

  @Test
  void aReplacementThatDoesNotSucceedAtOnceIsTriedAgainAndIsNoFailure() {
    left =
        JitSecret.of(
            new Scene().observed().runner(),
            new RunnerReference(new RunnerId(5), "ci-1", new ScaleSetId(1)),
            new JitConfig("jit"));
    look();
    undeleted = new KubernetesClientException("unavailable", 503, null);
    assertThatThrownBy(this::look).isSameAs(undeleted);
    undeleted = null;
    look();
    assertThat(requests.stream().filter("deleteRunner"::equals)).hasSize(3);
    assertThat(requests).doesNotContain("patchStatus", "register");
    assertThat(told).isEmpty();
  }

  @Test
  void rn10ARegistrationWhoseAnswerWasLostFailsTheRunnerSoThatItsSetBacksOff() {
    memories.update(UID, memory -> RunnerMemory.NEW);
    registration = RunnerStartTroubleTest::lost;
    look();
    registration = JitConfigResult.NameTaken::new;
    later();
    look();
    assertThat(requests).containsSequence("register", "register");
    assertThat(requests).contains("FAILED").doesNotContain("deleteRunner");
    assertThat(told).containsExactly("ServiceUnavailable", "StartUnknown");
  }

  @Test
  void aNameThatAnEarlierProcessMayHaveRegisteredIsReplacedAndIsNoFailure() {
    registration = JitConfigResult.NameTaken::new;
    look();
    look(); // the resource is still there
    assertThat(requests.stream().filter("deleteRunner"::equals)).hasSize(2);
    assertThat(requests).doesNotContain("patchStatus");
    assertThat(told).isEmpty();
  }

  @Test
  void aNameThatIsTakenBeforeTheFirstTryFailsTheRunner() {
    memories.update(UID, memory -> RunnerMemory.NEW);
    registration = JitConfigResult.NameTaken::new;
    look();
    assertThat(requests).contains("FAILED").doesNotContain("deleteRunner");
    assertThat(told).containsExactly("NameTaken");
  }

  @Test
  void aPodThatIsStoredWithoutOurLabelIsNotPutIntoTheCache() {
    memories.update(UID, memory -> RunnerMemory.NEW);
    labelsAreStripped = true;
    look();
    assertThat(memories.of(UID).start().stage()).isEqualTo(Stage.MADE);
    assertThat(cached).isEmpty();
  }
}
