package dev.runnerset.controller.ephemeralrunner.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.JitConfig;
import dev.runnerset.actions.JitConfigResult;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerReference;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerSituation;
import dev.runnerset.controller.ephemeralrunner.lifecycle.StartState;
import dev.runnerset.controller.podspec.PodBuild;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.condition.RunnerReason;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A start that finds something of its runner's name: two leaders for a moment, or a late write. */
final class RunnerStartTest {
  private static final long FRESH = 7;

  private final EphemeralRunner runner = RunnerSituation.of("").observed().runner();
  private final List<String> requests = new ArrayList<>();
  private @Nullable Secret secret;
  private @Nullable Pod pod;

  private final ActionsService service =
      fake(
          ActionsService.class,
          (name, argument) -> {
            requests.add("register");
            return new JitConfigResult.Registered(reference(FRESH), new JitConfig("jit"));
          });
  private final RunnerObjects objects =
      fake(
          RunnerObjects.class,
          (name, argument) -> {
            requests.add(name);
            return switch (name) {
              case "createSecret" ->
                  secret != null
                      ? new CreateAnswer.AlreadyExists<Secret>()
                      : new CreateAnswer.Created<>((Secret) argument);
              case "createPod" ->
                  pod != null
                      ? new CreateAnswer.AlreadyExists<Pod>()
                      : new CreateAnswer.Created<>((Pod) argument);
              case "secret" -> Optional.ofNullable(secret);
              case "pod" -> Optional.ofNullable(pod);
              default -> throw new AssertionError("not expected: " + name);
            };
          });
  private final RunnerStart start = new RunnerStart(key -> service, objects);

  private interface Answers {
    Object to(String method, Object firstArgument);
  }

  private static <T> T fake(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.to(method.getName(), arguments[0])));
  }

  private static RunnerReference reference(long id) {
    return new RunnerReference(new RunnerId(id), "ci-1", new ScaleSetId(1), null);
  }

  private void secretOf(long id) {
    secret = JitSecret.of(runner, reference(id), new JitConfig("jit-" + id));
  }

  private void podOf(long id) {
    var built = RunnerPod.build(runner, RunnerSituation.template("runner"), id);
    pod = ((PodBuild.Built) built).pod();
  }

  private RunnerStart.Outcome goOn(StartState state) {
    var outcome = start.goOn(runner, RunnerSituation.template("runner"), state, () -> {});
    return outcome instanceof RunnerStart.Outcome.Asks(var call)
        ? call.get().goesOn().get()
        : outcome;
  }

  @Test
  void aNewRunnerCostsOneCallAndTwoCreatesAndNoRead() {
    assertThat(goOn(StartState.NEW)).isInstanceOf(RunnerStart.Outcome.Made.class);
    assertThat(requests).containsExactly("register", "createSecret", "createPod");
  }

  @Test
  void i6TheSecretOfAnotherAttemptEndsTheStartAndTheFreshRegistrationIsRemembered() {
    secretOf(5);
    assertThat(goOn(StartState.NEW))
        .isInstanceOfSatisfying(
            RunnerStart.Outcome.GivenUp.class,
            outcome -> assertThat(outcome.runnerId()).isEqualTo(FRESH));
    assertThat(requests).doesNotContain("createPod");
  }

  @Test
  void aSecretThatHoldsTheFreshRegistrationIsOurOwn() {
    secretOf(FRESH);
    assertThat(goOn(StartState.NEW)).isInstanceOf(RunnerStart.Outcome.Made.class);
  }

  @Test
  void aPodOfTheNameIsUsedOnlyWithTheSameRegistration() {
    podOf(FRESH);
    assertThat(goOn(StartState.NEW)).isEqualTo(new RunnerStart.Outcome.Unknown(FRESH));
    assertThat(start.outcome(runner, FRESH)).isInstanceOf(RunnerStart.Outcome.Made.class);
    podOf(5);
    assertThat(start.outcome(runner, FRESH))
        .isInstanceOfSatisfying(
            RunnerStart.Outcome.GivenUp.class,
            outcome -> assertThat(outcome.reason()).isEqualTo(RunnerReason.REGISTRATION_MISMATCH));
  }

  @Test
  void i6AnEarlierProcessThatLeftASecretIsNotContinued() {
    secretOf(5);
    assertThat(goOn(StartState.UNSEEN)).isInstanceOf(RunnerStart.Outcome.LeftBehind.class);
    assertThat(requests).containsExactly("secret", "pod");
  }

  @Test
  void i6APodWhoseSecretHoldsAnotherRegistrationIsNotUsed() {
    secretOf(5);
    podOf(6);
    assertThat(goOn(StartState.UNSEEN)).isInstanceOf(RunnerStart.Outcome.GivenUp.class);
    podOf(5);
    assertThat(goOn(StartState.UNSEEN)).isInstanceOf(RunnerStart.Outcome.Made.class);
  }

  /** A webhook takes all owners off: the registration says whose the pod is. */
  @Test
  void rn4APodWithoutOwnersIsTheRunnersByTheRegistrationThatIsKnown() {
    podOf(FRESH);
    Objects.requireNonNull(pod).getMetadata().setOwnerReferences(List.of());
    assertThat(start.outcome(runner, FRESH)).isInstanceOf(RunnerStart.Outcome.Made.class);
    secretOf(FRESH);
    assertThat(goOn(StartState.UNSEEN)).isInstanceOf(RunnerStart.Outcome.Made.class);
  }

  @Test
  void rn4WithoutASecretThePodOfAnotherRegistrationThanTheStatusNamesIsNotUsed() {
    runner.setStatus(runner.statusOrNone().toBuilder().runnerId(6L).build());
    podOf(5);
    assertThat(goOn(StartState.UNSEEN)).isInstanceOf(RunnerStart.Outcome.GivenUp.class);
    podOf(6);
    assertThat(goOn(StartState.UNSEEN)).isInstanceOf(RunnerStart.Outcome.Made.class);
  }

  @Test
  void aPodIsTriedAgainWithItsStoredSecretAndNothingElse() {
    assertThat(goOn(StartState.NEW.prepared(FRESH))).isInstanceOf(RunnerStart.Outcome.Made.class);
    assertThat(requests).containsExactly("createPod");
  }
}
