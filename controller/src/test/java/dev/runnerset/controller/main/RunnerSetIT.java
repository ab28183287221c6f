package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.runnerset.controller.autoscalingrunnerset.planning.ChildNames;
import dev.runnerset.controller.scaling.DesiredRunners;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.HistoryEntry;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.NameReference;
import dev.runnerset.kube.Resource;
import dev.runnerset.simulator.service.HttpFault;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class RunnerSetIT {
  private final ControllerWorld world = new ControllerWorld();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @BeforeEach
  void start() {
    var root = (Logger) LoggerFactory.getLogger("dev.runnerset");
    root.setLevel(Level.DEBUG);
    log.start();
    root.addAppender(log);
    world.secret("github", "github_token: \" " + ControllerWorld.TOKEN + "\\n\"");
    world.startController();
  }

  @AfterEach
  void nothingSecretWasSaid() {
    ((Logger) LoggerFactory.getLogger("dev.runnerset")).detachAppender(log);
    try {
      assertThat(List.copyOf(log.list))
          .extracting(event -> event.getFormattedMessage() + event.getKeyValuePairs())
          .noneMatch(line -> line.contains("marker-"));
      var objects =
          Serialization.asYaml(
              List.of(
                  world.kube.v1().events().inAnyNamespace().list().getItems(),
                  world
                      .kube
                      .resources(dev.runnerset.crds.AutoScalingRunnerSet.class)
                      .inAnyNamespace()
                      .list()
                      .getItems()
                      .stream()
                      .map(set -> Objects.requireNonNull(set.getStatus()))
                      .toList()));
      assertThat(objects).doesNotContain("marker-");
    } finally {
      world.close();
    }
  }

  @Test
  void aSetGetsItsScaleSetItsChildrenAndTellsHowItIs() {
    world.create("linux", "labels: [gpu]", "minRunners: 0");
    world.awaitCondition("linux", "Registered", "True", "Registered");
    world.awaitCondition("linux", "Ready", "False", "NotHeld");
    world.awaitCondition(
        "linux", "ShieldIncomplete", "True", "PolicyMissing"); // no policy is installed

    var scaleSet = world.control.scaleSets().getFirst();
    assertThat(scaleSet.name()).isEqualTo("linux");
    assertThat(scaleSet.labels()).contains("linux", "gpu");
    var set = world.set("linux");
    assertThat(set.getStatus().scaleSetId()).isEqualTo(scaleSet.id());
    assertThat(set.getStatus().observedGeneration()).isEqualTo(set.getMetadata().getGeneration());
    assertThat(set.getStatus().conditions())
        .extracting(c -> c.getType())
        .containsExactly("Ready", "Registered", "ListenerReady", "ShieldIncomplete");

    var runnerSet = world.runnerSet("linux");
    assertThat(DesiredRunners.of(runnerSet)).isZero();
    assertThat(runnerSet.getSpec().revision()).isEqualTo(set.getStatus().revision()).hasSize(10);
    assertThat(runnerSet.getMetadata().getOwnerReferences().getFirst().getUid())
        .isEqualTo(set.getMetadata().getUid());
    var listener = world.listener("linux").orElseThrow();
    assertThat(listener.getMetadata().getFinalizers()).containsExactly(Labels.SET_FINALIZER);
    assertThat(listener.getSpec().capacity()).isEqualTo(5);
    assertThat(listener.getSpec().runnerSet().uid()).isEqualTo(runnerSet.getMetadata().getUid());
    var role = world.kube.rbac().roles().inNamespace("default").withName("linux-listener").get();
    assertThat(role.getRules()).hasSize(3);
    var secret = world.kube.secrets().inNamespace("default").withName("github").get();
    assertThat(secret.getMetadata().getFinalizers()).as("it is the user's").isEmpty();

    world.listenerConnects("linux");
    world.awaitCondition("linux", "Ready", "True", "Ready");
    world.awaitCondition("linux", "ListenerReady", "True", "Connected");
  }

  /** Its name alone proves nothing, and its labels wake another set. */
  @Test
  void aListenerObjectOfAnotherSetIsReportedAtOnceAndSoIsItsEnd() {
    var name = ChildNames.listener("default", "linux");
    world.api.apply(
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: AutoScalingListener
        metadata:
          name: %s
          namespace: runnerset-listener
          # without the component it is no listener object of ours, and not swept (DL9)
          labels: {runnerset.dev/set: other, runnerset.dev/set-namespace: team-b}
        spec:
          runnerSet: {namespace: team-b, name: other, uid: u-1}
          githubConfigUrl: https://github.com/other
          githubConfigSecret: {namespace: team-b, name: github}
          scaleSetId: 77
          capacity: 3
        """
            .formatted(name));
    world.create("linux");
    world.awaitCondition("linux", "ListenerReady", "False", "ChildForeign");
    world.awaitCondition("linux", "Ready", "False", "ChildForeign");
    assertThat(world.condition("linux", "ListenerReady").orElseThrow().getMessage())
        .contains(name)
        .contains("kubectl delete autoscalinglisteners.runnerset.dev " + name);
    var foreign = world.listener("other").orElseThrow();
    assertThat(foreign.getSpec().scaleSetId()).isEqualTo(77);

    world.kube.resource(foreign).delete();
    await()
        .atMost(Duration.ofSeconds(4)) // the retry of the last failure may come later
        .until(() -> world.listener("linux").isPresent());
    world.listenerConnects("linux");
    world.awaitCondition("linux", "Ready", "True", "Ready");
  }

  /** {@code kubectl get ers linux -o yaml}, another name, {@code kubectl create}. */
  @Test
  void aCopyOfTheRunnerSetStallsNothing() {
    world.create("linux", "minRunners: 1");
    world.soon("it").until(() -> world.listener("linux").isPresent());
    var copy = world.runnerSet("linux");
    copy.getMetadata().setName("copy");
    copy.getMetadata().setUid(null);
    copy.getMetadata().setResourceVersion(null);
    copy.setStatus(null);
    world.kube.resource(copy).create();
    world.demand("linux", 2, 7);
    world
        .soon("it")
        .untilAsserted(() -> assertThat(DesiredRunners.of(world.runnerSet("linux"))).isEqualTo(3));
    world.listenerConnects("linux");
    world.awaitCondition("linux", "Ready", "True", "Ready");
  }

  @Test
  void demandBecomesRunnersAndTheModeStopsThem() {
    world.create("linux", "minRunners: 1");
    world.soon("it").until(() -> world.listener("linux").isPresent());
    world.demand("linux", 2, 7);
    world
        .soon("it")
        .untilAsserted(() -> {
          var set = world.runnerSet("linux");
          assertThat(DesiredRunners.of(set)).isEqualTo(3);
          assertThat(set.settledUpTo()).isEqualTo(7);
        });
    world.soon("it").until(() -> world.runners().size() == 3);
    world
        .soon("it")
        .untilAsserted(() -> {
          var status = world.set("linux").getStatus();
          assertThat(status.jobs()).isNotNull();
          assertThat(status.jobs().assigned()).isEqualTo(2);
          assertThat(status.runners().desired()).isEqualTo(3);
        });
    world.demand("linux", 9, 8);
    world.awaitCondition("linux", "CapacityLimited", "True", "MaxRunners");
    world.spec("linux", "mode: Paused");
    world.awaitCondition("linux", "CapacityLimited", "True", "Paused");
    world.soon("it").until(() -> world.listener("linux").orElseThrow().getSpec().capacity() == 0);
    world.spec("linux", "mode: Drained");
    world.soon("it").until(() -> DesiredRunners.of(world.runnerSet("linux")) == 0);
  }

  /** SD11: what counts is the version that the watch of the runners has brought. */
  @Test
  void noSurplusIsRemovedBeforeTheMarksThatItsDemandReckonsWith() {
    world.create("linux", "minRunners: 2");
    world.soon("it").until(() -> world.runners().size() == 2);
    world.demandAfterMarks("linux", Long.MAX_VALUE);
    world.spec("linux", "minRunners: 0");
    world.soon("it").until(() -> DesiredRunners.of(world.runnerSet("linux")) == 0);
    await()
        .during(Duration.ofMillis(2_500))
        .atMost(Duration.ofSeconds(10))
        .until(() -> world.runners().size() == 2);
    world.demandAfterMarks("linux", Resource.version(world.runners().getFirst()));
    world.within(Duration.ofSeconds(15)).until(() -> world.runners().isEmpty());
  }

  @Test
  void whatSomebodyChangesInThePermissionsIsRepaired() {
    world.create("linux");
    var roles = world.kube.rbac().roles().inNamespace("default");
    world.soon("it").until(() -> roles.withName("linux-listener").get() != null);
    var rules = roles.withName("linux-listener").get().getRules();
    var changed = roles.withName("linux-listener").get();
    changed.getRules().getLast().setResourceNames(List.of("other"));
    roles.resource(changed).update();
    world
        .soon("it")
        .untilAsserted(
            () -> assertThat(roles.withName("linux-listener").get().getRules()).isEqualTo(rules));
    roles.withName("linux-listener").delete();
    world
        .soon("it")
        .untilAsserted(() ->
            assertThat(roles.withName("linux-listener").get())
                .extracting(Role::getRules)
                .isEqualTo(rules));
  }

  @Test
  void aRoleOfSomebodyElseIsReportedAndLeftAlone() {
    world.api.apply(
        """
        {apiVersion: rbac.authorization.k8s.io/v1, kind: Role,
         metadata: {name: linux-listener, namespace: default},
         rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]}
        """);
    var roles = world.kube.rbac().roles().inNamespace("default");
    var before = roles.withName("linux-listener").get();
    world.create("linux");
    world.awaitCondition("linux", "Ready", "False", "ChildForeign");
    world
        .soon("it")
        .until(() ->
            world.kube.v1().events().inNamespace("default").list().getItems().stream()
                .anyMatch(event -> event.getReason().equals("ChildForeign")));
    world.create("other");
    world.listenerConnects("other");
    world.kube.resource(world.set("linux")).delete();
    world.within(Duration.ofSeconds(20)).until(() -> !world.hasSet("linux"));
    assertThat(roles.withName("linux-listener").get()).isEqualTo(before);

    roles.withName("linux-listener").delete();
    world.create("linux");
    world.listenerConnects("linux");
    world.awaitCondition("linux", "Ready", "True", "Ready");
  }

  /** A copy in another namespace leads to the set, too, by its labels. */
  @Test
  void aCopyOfTheRoleInAnotherNamespaceIsNotTakenForTheSetsOwn() {
    world.create("linux");
    var roles = world.kube.rbac().roles();
    world
        .soon("it")
        .until(() -> roles.inNamespace("default").withName("linux-listener").get() != null);
    var copy = roles.inNamespace("default").withName("linux-listener").get();
    copy.getMetadata().setNamespace("runnerset-system");
    copy.getMetadata().setUid(null);
    copy.getMetadata().setResourceVersion(null);
    copy.setRules(List.of());
    world.kube.resource(copy).create();
    world.spec("linux", "githubConfigSecret: {name: other}");
    world
        .soon("it")
        .untilAsserted(() ->
            assertThat(
                    roles
                        .inNamespace("default")
                        .withName("linux-listener")
                        .get()
                        .getRules()
                        .getLast()
                        .getResourceNames())
                .containsExactly("other"));
    assertThat(roles.inNamespace("runnerset-system").withName("linux-listener").get().getRules())
        .isEmpty();
  }

  @Test
  void badInputIsReportedOnTheSet() {
    world.secret("empty", "other: x");
    world.secret("both", "github_token: marker-a, github_app_id: marker-b");
    world.secret("wrong", "github_token: marker-wrong");
    var tls = "githubServerTLS: {certificateFrom: {configMapKeyRef: {name: n, key: k}}}";
    isReported("none", "githubConfigSecret: {name: none}", "SecretNotFound");
    isReported("empty", "githubConfigSecret: {name: empty}", "SecretMalformed");
    isReported("both", "githubConfigSecret: {name: both}", "SecretMalformed");
    isReported("wrong", "githubConfigSecret: {name: wrong}", "Unauthorized");
    isReported("group", "runnerGroup: none", "RunnerGroupNotFound");
    isReported("proxy", "proxy: {http: {url: 'https://proxy:1'}}", "ProxyInvalid");
    isReported("tls", tls, "CertificateNotFound");
  }

  private void isReported(String name, String line, String reason) {
    world.create(name, line);
    world.awaitCondition(name, "Registered", "False", reason);
    world.awaitCondition(name, "Ready", "False", reason);
    assertThat(world.hasRunnerSet(name)).isFalse();
    world
        .soon(reason)
        .until(() ->
            world.kube.v1().events().inNamespace("default").list().getItems().stream()
                .anyMatch(event ->
                    event.getReason().equals(reason)
                        && event.getInvolvedObject().getName().equals(name)));
  }

  @Test
  void refusalsOfTheServiceAreReportedAndMended() {
    isReportedAndMended("findScaleSet", 401, "Unauthorized");
    isReportedAndMended("findScaleSet", 403, "Forbidden");
    isReportedAndMended("findScaleSet", 404, "NotFound");
    isReportedAndMended("createScaleSet", 409, "ScaleSetNameTaken");
  }

  @Test
  void refusedRegistrationsAreReportedAndMended() {
    isReportedAndMended("registrationToken", 404, "NotFound");
  }

  @Test
  void forbiddenRegistrationsAreReportedAndMended() {
    isReportedAndMended("registrationToken", 403, "Forbidden");
  }

  private void isReportedAndMended(String endpoint, int status, String reason) {
    var name = "set-" + endpoint.toLowerCase(java.util.Locale.ROOT) + "-" + status;
    world.faults(HttpFault.answer(endpoint, status, -1));
    world.create(name);
    world.awaitCondition(name, "Registered", "False", reason);
    world.faults();
    world.awaitCondition(name, "Registered", "True", "Registered");
  }

  @Test
  void aUrlWithCredentialsIsRefused() {
    world.setYaml(yaml("http://user:marker-pw@127.0.0.1:1/org", "[{name: runner, image: i}]"));
    world.awaitCondition("linux", "Registered", "False", "InvalidConfigUrl");
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://10.1.2.3/my-org", "http://ghes.example.com/my-org"})
  void aHostThatTheInstallationDoesNotListIsNotAskedAndNamed(String url) {
    world.createAt(url, "linux");
    world.awaitCondition("linux", "Registered", "False", "HostNotAllowed");
    assertThat(world.condition("linux", "Registered").orElseThrow().getMessage())
        .contains(java.net.URI.create(url).getHost(), "spec.githubConfigUrl");
  }

  @Test
  void aTemplateWithoutARunnerMakesNone() {
    world.setYaml(yaml(world.url(), "[{name: other, image: i}]"));
    world.awaitCondition("linux", "Ready", "False", "TemplateInvalid");
    world.awaitCondition("linux", "Registered", "True", "Registered");
    assertThat(world.hasRunnerSet("linux")).isFalse();
  }

  @Test
  void aTemplateThatTheServerRefusesMakesNoneAndItsWordsAreReported() {
    world.setYaml(yaml(world.url(), "[{name: runner}, {name: 'NOT VALID', image: i}]"));
    world.awaitCondition("linux", "Ready", "False", "TemplateRefused");
    assertThat(world.hasRunnerSet("linux")).isFalse();
  }

  @Test
  void aRefusedTemplateLeavesTheAcceptedOneAtWorkAndAddsNoEntry() {
    world.create("linux", "minRunners: 1");
    world.soon("it").until(() -> world.runners().size() == 1);
    var revision = world.runnerSet("linux").getSpec().revision();
    world.listenerConnects("linux");
    world.spec("linux", "template: {spec: {containers: [{name: runner}, {name: 'NOT VALID'}]}}");
    world.awaitCondition("linux", "Degraded", "True", "TemplateRefused");
    world.awaitCondition("linux", "Ready", "True", "Ready");
    world.spec("linux", "minRunners: 2");
    world.soon("it").until(() -> world.runners().size() == 2);
    var spec = world.runnerSet("linux").getSpec();
    assertThat(spec.revision()).isEqualTo(revision);
    assertThat(spec.template().podTemplate().getSpec().getContainers())
        .extracting(container -> container.getImage())
        .containsExactly("runner:1");
    assertThat(world.set("linux").getStatus().history())
        .extracting(HistoryEntry::revision)
        .containsExactly(revision);
  }

  @Test
  void aSetThatNamesAnotherSecretUsesThatOne() {
    world.secret("other", "github_token: " + ControllerWorld.TOKEN);
    world.create("linux");
    world.soon("it").until(() -> world.listener("linux").isPresent());
    world.spec("linux", "githubConfigSecret: {name: other}");
    world
        .soon("it")
        .untilAsserted(() -> {
          assertThat(world.runnerSet("linux").getSpec().githubConfigSecret())
              .isEqualTo(new NameReference("other"));
          assertThat(world.listener("linux").orElseThrow().getSpec().githubConfigSecret().name())
              .isEqualTo("other");
        });
  }

  private static String yaml(String url, String containers) {
    return """
    apiVersion: runnerset.dev/v1alpha1
    kind: AutoScalingRunnerSet
    metadata: {name: linux, namespace: default}
    spec:
      githubConfigUrl: %s
      githubConfigSecret: {name: github}
      template: {spec: {containers: %s}}
    """
        .formatted(url, containers);
  }

  @Test
  void theSecondSetOfANameWaitsUntilTheFirstIsGone() {
    world.create("first", "runnerScaleSetName: same");
    world.awaitCondition("first", "Registered", "True", "Registered");
    world.create("second", "runnerScaleSetName: SAME");
    world.awaitCondition("second", "Registered", "False", "ScaleSetNameTaken");
    assertThat(world.control.scaleSets()).hasSize(1);
  }

  @ParameterizedTest(name = "demand known: {0}")
  @ValueSource(booleans = {true, false})
  void aSetGoesInOrderAndLeavesNothing(boolean demandKnown) {
    world.create("linux", "minRunners: 2");
    // no jump of the clock, which is ahead of the API server's then: DL2 counts from its time stamp
    await().until(() -> world.runners().size() == 2);
    if (demandKnown) {
      world.demand("linux", 0, 1);
    }
    world.listenerConnects("linux");
    world.awaitCondition("linux", "Ready", "True", "Ready");
    world.kube.resource(world.set("linux")).delete();

    await().until(() -> world.runners().isEmpty());
    await()
        .untilAsserted(() ->
            assertThat(world.listener("linux").orElseThrow())
                .extracting(l -> l.getMetadata().getDeletionTimestamp())
                .isNotNull());
    // the session still stands: nothing behind it may go
    assertThat(world.control.scaleSets()).hasSize(1);
    assertThat(world.kube.rbac().roles().inNamespace("default").withName("linux-listener").get())
        .isNotNull();
    world.awaitCondition("linux", "Ready", "False", "Deleting");

    world.listenerLeaves("linux");
    world.within(Duration.ofSeconds(20)).until(() -> !world.hasSet("linux"));
    assertThat(world.control.scaleSets()).isEmpty();
    assertThat(world.control.violations()).isEmpty();
    assertThat(world.kube.rbac().roles().inNamespace("default").list().getItems()).isEmpty();
    assertThat(world.kube.rbac().roleBindings().inNamespace("default").list().getItems()).isEmpty();
    assertThat(world.kube.resources(EphemeralRunnerSet.class).inAnyNamespace().list().getItems())
        .isEmpty();
  }

  /** DL1: the scale set, then the roles. */
  @Test
  void rolesStayUntilTheScaleSetIsDeleted() {
    world.create("linux");
    world.listenerConnects("linux");
    world.awaitCondition("linux", "Ready", "True", "Ready");
    world.faults(HttpFault.answer("deleteScaleSet", 500, -1));
    world.kube.resource(world.set("linux")).delete();
    world.listenerLeaves("linux");
    world.soon("it").until(() -> world.control.counters().containsKey("deleteScaleSet.fault"));
    assertThat(world.kube.rbac().roles().inNamespace("default").withName("linux-listener").get())
        .isNotNull();
    world.faults();
    world.soon("it").until(() -> !world.hasSet("linux"));
  }

  @Test
  void anIdleSetCostsNothing() {
    world.create("linux");
    world.soon("it").until(() -> world.listener("linux").isPresent());
    world.listenerConnects("linux");
    world.awaitCondition("linux", "Ready", "True", "Ready");
    var calls = new java.util.ArrayList<java.util.Map<String, Long>>();
    var writes = new java.util.ArrayList<Long>();
    for (int i = 0; i < 2; i++) {
      world.passInRounds(Duration.ofMinutes(1));
      calls.add(world.control.counters());
      writes.add(
          world.api.counters().snapshot().entrySet().stream()
              .filter(e -> e.getKey().isWrite() && !e.getKey().resource().contains("leases"))
              .mapToLong(java.util.Map.Entry::getValue)
              .sum());
    }
    assertThat(calls.get(1)).isEqualTo(calls.get(0));
    assertThat(writes.get(1)).isEqualTo(writes.get(0));
  }

  @Test
  void aNewControllerTakesOverWithoutASecondScaleSetOrAWriteOfWhatIsSo() {
    world.create("linux");
    world.soon("it").until(() -> world.listener("linux").isPresent());
    world.listenerConnects("linux");
    world.awaitCondition("linux", "Ready", "True", "Ready");
    var before = writesOfChildren();
    world.stopController();
    world.startController();
    world.demand("linux", 1, 3);
    world
        .soon("it")
        .until(() -> world.runners().size() == 1); // so the new one has looked at the set
    assertThat(world.control.scaleSets()).hasSize(1);
    assertThat(writesOfChildren()).as("nothing is written that is so already").isEqualTo(before);
    assertThat(world.stopped).isEmpty();
  }

  /** Requests, since one that changes nothing leaves the resource's version as it was. */
  private Map<String, Long> writesOfChildren() {
    var children = List.of("autoscalinglisteners.runnerset.dev", "roles.rbac.authorization.k8s.io");
    return world.api.counters().snapshot().entrySet().stream()
        .filter(e -> e.getKey().isWrite() && children.contains(e.getKey().resource()))
        .filter(e -> e.getKey().subresource().isEmpty())
        .collect(
            java.util.stream.Collectors.toMap(e -> e.getKey().toString(), Map.Entry::getValue));
  }
}
