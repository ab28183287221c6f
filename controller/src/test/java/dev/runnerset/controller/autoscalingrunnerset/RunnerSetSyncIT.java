package dev.runnerset.controller.autoscalingrunnerset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.base.Installation;
import dev.runnerset.controller.autoscalingrunnerset.planning.RetryWaits;
import dev.runnerset.controller.features.shield.ShieldManifests;
import dev.runnerset.controller.scaling.DesiredRunners;
import dev.runnerset.crds.AutoScalingListenerSpec;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetSpec;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a living set has and says, while the service changes. */
class RunnerSetSyncIT {
  private final RunnerSetWorld world = new RunnerSetWorld();

  @BeforeEach
  void start() {
    world.create("minRunners: 1", "labels: [gpu]");
    world.keep();
  }

  @AfterEach
  void stop() {
    world.close();
  }

  private EphemeralRunnerSetSpec ephemeralRunnerSet() {
    return Objects.requireNonNull(world.ephemeralRunnerSet()).getSpec();
  }

  private int desired() {
    return DesiredRunners.of(Objects.requireNonNull(world.ephemeralRunnerSet()));
  }

  private AutoScalingListenerSpec listener() {
    return Objects.requireNonNull(world.listener()).getSpec();
  }

  private Integer knownId() {
    return world.set().getStatus().scaleSetId();
  }

  @Test
  void aSetHasItsChildrenAndItsPermissions() {
    assertThat(knownId()).isEqualTo(1);
    assertThat(ephemeralRunnerSet().runnerScaleSetId()).isEqualTo(1);
    assertThat(desired()).isEqualTo(1);
    assertThat(listener().scaleSetId()).isEqualTo(1);
    assertThat(world.hasPermissions()).isTrue();
    var before = world.set();
    world.keep();
    assertThat(world.set()).as("nothing is written twice").isEqualTo(before);
  }

  /** A2: the listener namespace is deleted, and made again; until then the set is not ready. */
  @Test
  void sf10AListenerObjectThatGoesThoughItsSetStaysIsNoGoodOne() {
    var listener = Objects.requireNonNull(world.listener());
    world.foreignStatus(
        listener,
        "{'holder': 'a', 'sessionId': 's', 'conditions': [{'type': 'Connected', 'status': 'True',"
            + " 'reason': 'SessionOpen', 'message': '', 'lastTransitionTime': '2026-11-21T12:00:00Z'}]}");
    world.keep();
    assertThat(world.condition("ListenerReady").getStatus()).isEqualTo("True");
    world.delete(listener);
    world.keep();
    assertThat(world.condition("ListenerReady").getStatus()).isEqualTo("False");
    assertThat(world.condition("Ready").getStatus()).isEqualTo("False");
    assertThat(world.condition("Ready").getReason()).isEqualTo("ChildTerminating");
    assertThat(world.condition("Ready").getMessage()).contains("The listener object l-ns/");
    world.listenerNamespaceGoes = true;
    world.merge(Objects.requireNonNull(world.listener()), "{'metadata': {'finalizers': null}}");
    assertThat(world.listener()).isNull();
    assertThatThrownBy(world::keep).as("tried again").hasMessageContaining("is being deleted");
    assertThat(world.condition("Ready").getReason()).isEqualTo("NamespaceTerminating");
    assertThat(world.condition("Ready").getMessage()).contains("The listener namespace l-ns");
    world.listenerNamespaceGoes = false;
    world.keep();
    assertThat(world.listener()).as("made again").isNotNull();
  }

  /** Reported while the EphemeralRunnerSet tells it, under the set's own generation. */
  @Test
  void runnersThatDoNotEndAreReportedOnTheSet() {
    world.notEnding("of 1 runner: a");
    world.keep();
    assertThat(world.condition("RunnersNotEnding").getMessage()).isEqualTo("of 1 runner: a");
    assertThat(world.condition("RunnersNotEnding").getObservedGeneration())
        .isEqualTo(world.set().getMetadata().getGeneration());
    world.notEnding(null);
    world.keep();
    assertThat(world.conditions("RunnersNotEnding")).isEmpty();
  }

  /** A service that accepts and never answers leaves nobody without a word. */
  @Test
  void aNewSetTellsWhomItAsksBeforeTheServiceIsAsked() {
    var other = new RunnerSetWorld();
    try (other) {
      other.create("minRunners: 1");
      var during = new ArrayList<AutoScalingRunnerSet>();
      other.service.meanwhile = () -> during.add(other.set());
      other.keep();
      var set = during.getFirst();
      assertThat(registering(set))
          .containsExactly("Ready=False Registering", "Registered=Unknown Registering");
      assertThat(set.getStatus().conditions())
          .filteredOn(c -> "Ready".equals(c.getType()))
          .extracting(Condition::getMessage)
          .containsExactly(
              "The controller asks https://github.com/my-org for the scale set 'linux' of the runner"
                  + " group 'default'; there is no answer yet");
      assertThat(set.getStatus().observedGeneration()).isEqualTo(set.getMetadata().getGeneration());
      assertThat(other.condition("Registered").getStatus())
          .as("what came of the call does not wait for the next second")
          .isEqualTo("True");
    }
  }

  @Test
  void aChangeThatTheServiceMustHearOfIsReportedBeforeTheServiceIsAsked() {
    var during = new ArrayList<AutoScalingRunnerSet>();
    world.service.meanwhile = () -> during.add(world.set());
    world.spec("{'labels': ['big']}");
    world.keep();
    assertThat(registering(during.getFirst())).hasSize(2);
    assertThat(during.getFirst().getStatus().observedGeneration()).isEqualTo(2);
    assertThat(during.getFirst().getStatus().scaleSetId()).isEqualTo(1);
    assertThat(world.condition("Registered").getStatus()).isEqualTo("True");
  }

  /** A fresh process asks once more for each set: no set says anything else meanwhile. */
  @Test
  void aCallForASetThatReportedItsRegistrationCostsNoWrite() {
    var during = new ArrayList<AutoScalingRunnerSet>();
    world.restart();
    world.service.meanwhile = () -> during.add(world.set());
    var registered = world.set();
    world.keep();
    world.restart();
    world.service.fault = new ServiceError.Unavailable(FakeScaleSets.details(503), null);
    world.keep();
    var failed = world.set();
    world.clock.advance(RetryWaits.SERVICE.longest());
    world.service.meanwhile = () -> during.add(world.set());
    world.keep();
    assertThat(during).containsExactly(registered, failed);
  }

  private static List<String> registering(AutoScalingRunnerSet set) {
    return set.getStatus().conditions().stream()
        .filter(c -> "Registering".equals(c.getReason()))
        .map(c -> c.getType() + "=" + c.getStatus() + " " + c.getReason())
        .toList();
  }

  /** A fresh process asks the service, which does not answer. */
  @Test
  void aKnownScaleSetIsWorkedWithWhileTheServiceIsDown() {
    world.restart();
    world.service.fault = new ServiceError.Unavailable(FakeScaleSets.details(503), null);
    world.spec("{'minRunners': 3}");
    world.keep();
    assertThat(desired()).isEqualTo(3);
    assertThat(ephemeralRunnerSet().runnerScaleSetId()).isEqualTo(1);
    assertThat(listener().scaleSetId()).isEqualTo(1);
    assertThat(knownId()).isEqualTo(1);
    assertThat(world.condition("Registered").getReason()).isEqualTo("ServiceUnavailable");
    world.demand(2, 8);
    world.keep();
    assertThat(desired()).isEqualTo(5);
  }

  @Test
  void aScaleSetThatIsGoneIsMadeAgainAndTheChildrenFollow() {
    world.service.made("other", dev.runnerset.actions.RunnerGroupId.DEFAULT);
    world.service.byId.remove(new ScaleSetId(1));
    world.restart();
    world.keep();
    world.keep();
    assertThat(knownId()).isEqualTo(3);
    assertThat(ephemeralRunnerSet().runnerScaleSetId()).isEqualTo(3);
    assertThat(listener().scaleSetId()).isEqualTo(3);
    assertThat(world.condition("Registered").getMessage()).isEqualTo("scale set 3");
    assertThat(world.events).anyMatch(e -> e.startsWith("ScaleSetGone: "));
  }

  @Test
  void anotherGroupThatThereIsNotLeavesEverythingAtWork() {
    world.spec("{'runnerGroup': 'none'}");
    world.keep();
    assertThat(world.condition("Registered").getReason()).isEqualTo("RunnerGroupNotFound");
    assertThat(knownId()).isEqualTo(1);
    world.spec("{'runnerGroup': 'gpu', 'minRunners': 2}");
    world.keep();
    world.keep();
    assertThat(world.set().getStatus().runnerGroupId()).isEqualTo(2);
    assertThat(knownId()).isEqualTo(1);
    assertThat(desired()).isEqualTo(2);
  }

  /** Both statuses name it: the one that has no right to it takes no jobs any more. */
  @Test
  void aSetWhoseScaleSetIsAnothersTakesNoJobs() {
    var owner = Sets.set("owner");
    owner.getMetadata().setCreationTimestamp("2020-01-01T00:00:00Z");
    owner.setStatus(world.set().getStatus());
    world.others.add(owner);
    world.restart();
    world.keep();
    assertThat(world.condition("Registered").getReason()).isEqualTo("ScaleSetShared");
    assertThat(world.condition("Registered").getMessage()).contains("ns/owner");
    assertThat(desired()).isZero();
    assertThat(listener().capacity()).isZero();
  }

  /** A child that stands in the way is reported, and the status says so before the retry. */
  @Test
  void aRoleOfSomebodyElseIsReported() {
    var other = new RunnerSetWorld();
    try (other) {
      other.foreignRole();
      other.create("minRunners: 1");
      assertThatThrownBy(other::keep).hasMessageContaining("The Role default/linux-listener");
      assertThat(other.condition("Ready").getReason()).isEqualTo("ChildForeign");
      assertThat(other.listener()).as("without permissions it hears nothing").isNull();
    }
  }

  @Test
  void theBudgetOfBusyRunnersIsAsTheProtectionSays() {
    var made = Objects.requireNonNull(world.budget());
    assertThat(made.getSpec().getMinAvailable().getIntVal()).isEqualTo(2147483647);
    assertThat(made.getSpec().getSelector().getMatchLabels())
        .isEqualTo(Map.of("runnerset.dev/busy", "true", "runnerset.dev/set", "linux"));
    assertThat(made.getMetadata().getOwnerReferences()).isEmpty();
    world.merge(made, "{'spec': {'minAvailable': 1, 'unhealthyPodEvictionPolicy': 'AlwaysAllow'}}");
    var _ = world.keep();
    var mended = Objects.requireNonNull(world.budget());
    assertThat(mended.getSpec()).as("somebody changed it").isEqualTo(made.getSpec());
    var _ = world.keep();
    assertThat(Objects.requireNonNull(world.budget()).getMetadata().getResourceVersion())
        .as("nothing to change")
        .isEqualTo(mended.getMetadata().getResourceVersion());
    world.spec("{'protection': 'None'}");
    var _ = world.keep();
    assertThat(world.budget()).isNull();
    world.spec("{'protection': 'Busy'}");
    var _ = world.keep();
    assertThat(world.budget()).isNotNull();
  }

  @Test
  void aBudgetOfSomebodyElseIsReportedAndTheSetWorks() {
    var other = new RunnerSetWorld();
    try (other) {
      other.foreignBudget();
      other.create("minRunners: 1");
      var _ = other.keep();
      var reported = other.condition("ShieldIncomplete");
      assertThat(reported.getReason()).isEqualTo("BudgetMissing");
      assertThat(reported.getMessage())
          .contains("The PodDisruptionBudget default/linux-busy was not created for this set");
      assertThat(other.condition("Ready").getReason()).isNotEqualTo("ChildForeign");
      assertThat(other.listener()).isNotNull();
    }
  }

  /** The policy is read by a timer; the message says what is missing and how to install it. */
  @Test
  void whatIsMissingOfTheAdmissionPolicyIsReported() {
    assertThat(world.conditions("ShieldIncomplete")).as("before the first look").isEmpty();
    assertThat(world.lookForPolicy()).isTrue();
    var _ = world.keep();
    assertThat(world.condition("ShieldIncomplete").getReason()).isEqualTo("PolicyMissing");
    assertThat(world.condition("ShieldIncomplete").getMessage())
        .contains("no ValidatingAdmissionPolicy runnerset-shield,")
        .contains("shield.admissionPolicy")
        .contains(Installation.UPGRADE);
    assertThat(world.condition("Ready").getMessage()).doesNotContain("shield");
    var made = ShieldManifests.yaml(RunnerSetWorld.PLACES, "controller");
    world.apply(made.getFirst());
    assertThat(world.lookForPolicy()).isTrue();
    var _ = world.keep();
    assertThat(world.condition("ShieldIncomplete").getMessage())
        .contains("no ValidatingAdmissionPolicyBinding runnerset-shield");
    world.apply(made.getLast().replace("[Deny]", "[Audit]"));
    assertThat(world.lookForPolicy()).isTrue();
    var _ = world.keep();
    assertThat(world.condition("ShieldIncomplete").getReason()).isEqualTo("PolicyChanged");
    world.spec("{'protection': 'None'}");
    var _ = world.keep();
    assertThat(world.conditions("ShieldIncomplete")).as("the set asks for none").isEmpty();
    world.spec("{'protection': 'Busy'}");
    world.apply(made.getLast());
    assertThat(world.lookForPolicy()).isTrue();
    assertThat(world.lookForPolicy()).as("nothing changed").isFalse();
    var _ = world.keep();
    assertThat(world.conditions("ShieldIncomplete")).isEmpty();
  }

  /** What an upgrade of the controller alone leaves. */
  @Test
  void anAdmissionPolicyOfAnotherVersionIsReportedAsSuch() {
    var made = ShieldManifests.yaml(RunnerSetWorld.PLACES, "controller");
    world.apply(
        made.getFirst().replaceAll("(policy-version: ).*", "$1former").replace("Fail", "Ignore"));
    world.apply(made.getLast());
    assertThat(world.lookForPolicy()).isTrue();
    var _ = world.keep();
    assertThat(world.condition("UpgradeRequired").getReason()).isEqualTo("PolicyOutdated");
    assertThat(world.conditions("ShieldIncomplete")).isEmpty();
    world.spec("{'protection': 'None'}");
    var _ = world.keep();
    assertThat(world.conditions("UpgradeRequired")).as("the set asks for none").isEmpty();
  }
}
