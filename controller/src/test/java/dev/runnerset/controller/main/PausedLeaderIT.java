package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.Credentials;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.connection.ConnectionSettings;
import dev.runnerset.connection.ServiceConnector;
import dev.runnerset.controller.autoscalingrunnerset.Clocks;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.crds.Crds;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.NotSentException;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import dev.runnerset.simulator.kube.KubeApiServer;
import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.Options;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A leader that was paused for longer than its lease sends no write and no change (WR8). */
final class PausedLeaderIT {
  /** A clock of the test: a pause is a jump. While it hops, no renewal is fresh enough. */
  private static final class Jumping extends Clock {
    volatile Duration paused = Duration.ZERO;
    volatile boolean hopping;

    @Override
    public synchronized Instant instant() {
      paused = hopping ? paused.plus(SETTINGS.leadership().times().lasts()) : paused;
      return Instant.parse("2026-01-01T00:00:00Z").plus(paused);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  private static final ControllerSettings SETTINGS = ControllerSettings.of("me");
  private static final String NAMESPACE = SETTINGS.places().controllerNamespace();
  private static final String WRITER = "controller-under-test";
  private static final Set<String> WRITES = Set.of("create", "update", "patch", "delete");

  private final Jumping clock = new Jumping();
  private final KubeApiServer server = KubeApiServer.start(0, Clock.systemUTC());
  private final ActionsServiceServer actions =
      ActionsServiceServer.start(
          Options.accepting("pat").withOwners(Set.of("acme")), Clock.systemUTC());
  private KubernetesClient plain;
  private KubernetesClient client;
  private KubeApi kube;
  private ActionsService service;
  private final LeaseLock lock = new LeaseLock(NAMESPACE, ControllerSettings.LEASE, "me");

  @BeforeEach
  void start() {
    server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(NAMESPACE));
    var config = new ConfigBuilder().withMasterUrl(server.url().toString()).build();
    plain = new KubernetesClientBuilder().withConfig(config).build();
    var guard = ControllerProgram.guard(SETTINGS, clock);
    client = guard.guarded(plain);
    kube = new KubeApi(client);
    service =
        connector(guard::holds)
            .connect(
                ConnectionSettings.direct(
                    ConfigUrl.parse(actions.configUrl("acme").toString()),
                    new Credentials.Token("pat")));
  }

  private static ServiceConnector connector(BooleanSupplier maySend) {
    return ControllerProgram.connector(
        "test", ControllerWorld.ALLOWED, 4, maySend, Clock.systemUTC());
  }

  private long removals() {
    return actions.control().counters().getOrDefault("removeRunner", 0L);
  }

  @AfterEach
  void stop() {
    service.close();
    client.close();
    plain.close();
    actions.close();
    server.close();
  }

  private static LeaderElectionRecord heldBy(String who) {
    var now = ZonedDateTime.now(Clock.systemUTC());
    return new LeaderElectionRecord(who, SETTINGS.leadership().times().lasts(), now, now, 0);
  }

  private void lead() {
    lock.create(client, heldBy("me"));
  }

  private void renew(String holder) {
    var there = lock.get(client);
    assertThat(there).isNotNull();
    lock.update(client, heldBy(holder));
  }

  private void create(String name) {
    var _ =
        kube.create(
            new SecretBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName(name)
                .and()
                .build());
  }

  @Test
  void whoLeadsWritesAndAsks() {
    lead();
    create("a");
    assertThat(service.removeRunner(new RunnerId(1))).isEqualTo(new RemoveRunnerResult.Removed());
    assertThat(removals()).isEqualTo(1);
  }

  @Test
  void whoNeverLedWritesNothing() {
    assertThatThrownBy(() -> create("a"))
        .isInstanceOf(KubernetesClientException.class)
        .as("and knows that nothing was sent")
        .matches(NotSentException::isCauseOf);
    assertThat(kube.get(Secret.class, Resource.of(Secret.class, NAMESPACE, "a"))).isNull();
  }

  @Test
  void whoWasPausedForLongerThanTheLeaseWritesNothingAndRemovesNobodyUntilARenewal() {
    lead();
    create("a");
    var there = Resource.of(Secret.class, NAMESPACE, "a");
    clock.paused = SETTINGS.leadership().times().lasts();

    assertThatThrownBy(() -> create("b")).isInstanceOf(KubernetesClientException.class);
    assertThatThrownBy(() -> kube.merge(Secret.class, there, JsonNodeFactory.instance.objectNode()))
        .isInstanceOf(KubernetesClientException.class);
    assertThatThrownBy(() -> kube.delete(there, new Preconditions(null, null)))
        .isInstanceOf(KubernetesClientException.class);
    assertThatThrownBy(() -> client.secrets().inNamespace(NAMESPACE).withName("a").delete())
        .as("a write of a library")
        .isInstanceOf(KubernetesClientException.class);
    assertThat(service.removeRunner(new RunnerId(1)))
        .isInstanceOfSatisfying(
            RemoveRunnerResult.Failed.class,
            failed -> assertThat(failed.error()).isInstanceOf(ServiceError.NotSent.class));
    var wanted = new NewScaleSet("s", RunnerGroupId.DEFAULT, List.of());
    assertThatThrownBy(() -> service.createScaleSet(wanted)).isInstanceOf(ServiceException.class);
    assertThat(actions.control().counters()).doesNotContainKeys("removeRunner", "createScaleSet");
    assertThat(kube.get(Secret.class, there)).as("reads go on").isNotNull();
    assertThat(service.runner(new RunnerId(1))).as("of the service, too").isEmpty();

    renew("me");
    create("b");
    assertThat(service.removeRunner(new RunnerId(1))).isEqualTo(new RemoveRunnerResult.Removed());
  }

  @Test
  void theLastPartOfTheLeaseIsKeptForWritesThatAreOnTheirWay() {
    lead();
    clock.paused = SETTINGS.leadership().times().lasts().minusSeconds(2).minusMillis(1);
    create("a");
    clock.paused = SETTINGS.leadership().times().lasts().minusSeconds(2);
    assertThatThrownBy(() -> create("b")).isInstanceOf(KubernetesClientException.class);
  }

  @Test
  void whoGaveTheLeaseBackWritesNothing() {
    lead();
    renew("");
    assertThatThrownBy(() -> create("a")).isInstanceOf(KubernetesClientException.class);
  }

  /** Writes of the program under test, without those to its lease. */
  private long writes() {
    return server.counters().snapshot().entrySet().stream()
        .filter(count -> count.getKey().writer().equals(WRITER))
        .filter(count -> WRITES.contains(count.getKey().verb()))
        .filter(count -> !count.getKey().resource().startsWith("leases"))
        .mapToLong(count -> count.getValue())
        .sum();
  }

  /** The whole program: it asks before its writes and before its calls. */
  @Test
  void theProgramWritesNothingAndSendsNothingWhileItIsPaused() {
    server.apply(Crds.yaml());
    for (var name : List.of(SETTINGS.places().listenerNamespace(), "default")) {
      server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(name));
    }
    var asked = new AtomicReference<BooleanSupplier>(() -> false);
    var config = new ConfigBuilder(plain.getConfiguration()).withUserAgent(WRITER).build();
    try (var own = new KubernetesClientBuilder().withConfig(config).build();
        var _ =
            ControllerProgram.start(
                SETTINGS,
                own,
                maySend -> {
                  asked.set(maySend);
                  return connector(maySend);
                },
                Clocks.of(clock, System::nanoTime),
                new Random(1),
                stopped -> {})) {
      await("the lease").until(() -> asked.get().getAsBoolean());
      clock.hopping = true;
      assertThat(asked.get().getAsBoolean()).as("the guard of the calls to the service").isFalse();
      var before = writes();
      server.apply(
          """
          {apiVersion: v1, kind: Secret, metadata: {name: github, namespace: default},
           stringData: {github_token: pat}}
          """);
      server.apply(
          """
          apiVersion: runnerset.dev/v1alpha1
          kind: AutoScalingRunnerSet
          metadata: {name: s, namespace: default}
          spec:
            githubConfigUrl: %s
            githubConfigSecret: {name: github}
            maxRunners: 2
            template: {spec: {containers: [{name: runner, image: runner:1}]}}
          """
              .formatted(actions.configUrl("acme")));
      await("what an unguarded program would write")
          .during(Duration.ofSeconds(3))
          .atMost(Duration.ofSeconds(10))
          .until(() -> writes() == before);
      assertThat(actions.control().counters()).doesNotContainKey("createScaleSet");

      clock.hopping = false;
      await("what it had to do, after a renewal")
          .atMost(Duration.ofSeconds(60))
          .until(() -> actions.control().counters().containsKey("createScaleSet"));
      assertThat(writes()).isGreaterThan(before);
    }
  }
}
