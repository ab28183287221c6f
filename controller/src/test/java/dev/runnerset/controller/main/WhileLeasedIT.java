package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.NotSentException;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import dev.runnerset.simulator.kube.KubeApiServer;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A leader that was paused for longer than its lease sends no write and no removal. */
final class WhileLeasedIT {
  /** A clock of the test: a pause is a jump. */
  private static final class Jumping extends Clock {
    volatile Duration paused = Duration.ZERO;

    @Override
    public Instant instant() {
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
  private static final String NAMESPACE = SETTINGS.controllerNamespace();

  private final Jumping clock = new Jumping();
  private final KubeApiServer server = KubeApiServer.start(0, Clock.systemUTC());
  private final List<String> calls = new ArrayList<>();
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
    var guard = WhileLeased.guard(SETTINGS, clock);
    client = guard.guarded(plain);
    kube = new KubeApi(client);
    var told =
        (ActionsService)
            Proxy.newProxyInstance(
                WhileLeasedIT.class.getClassLoader(),
                new Class<?>[] {ActionsService.class},
                (_, method, _) -> {
                  calls.add(method.getName());
                  return method.getName().equals("removeRunner")
                      ? new RemoveRunnerResult.Removed()
                      : Optional.empty();
                });
    service = WhileLeased.connector(settings -> told, guard).connect(null);
  }

  @AfterEach
  void stop() {
    client.close();
    plain.close();
    server.close();
  }

  private static LeaderElectionRecord heldBy(String who) {
    var now = ZonedDateTime.now(Clock.systemUTC());
    return new LeaderElectionRecord(who, SETTINGS.lease().lasts(), now, now, 0);
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
    assertThat(calls).containsExactly("removeRunner");
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
    clock.paused = SETTINGS.lease().lasts();

    assertThatThrownBy(() -> create("b")).isInstanceOf(KubernetesClientException.class);
    assertThatThrownBy(() -> kube.merge(Secret.class, there, JsonNodeFactory.instance.objectNode()))
        .isInstanceOf(KubernetesClientException.class);
    assertThatThrownBy(() -> kube.delete(there, new Preconditions(null, null)))
        .isInstanceOf(KubernetesClientException.class);
    assertThatThrownBy(() -> client.secrets().inNamespace(NAMESPACE).withName("a").delete())
        .as("a write of a library")
        .isInstanceOf(KubernetesClientException.class);
    assertThat(service.removeRunner(new RunnerId(1))).isInstanceOf(RemoveRunnerResult.Failed.class);
    assertThatThrownBy(() -> service.runner(new RunnerId(1))).isInstanceOf(ServiceException.class);
    assertThat(calls).isEmpty();
    assertThat(kube.get(Secret.class, there)).as("reads go on").isNotNull();

    renew("me");
    create("b");
    assertThat(service.removeRunner(new RunnerId(1))).isEqualTo(new RemoveRunnerResult.Removed());
  }

  @Test
  void theLastPartOfTheLeaseIsKeptForWritesThatAreOnTheirWay() {
    lead();
    clock.paused = SETTINGS.lease().lasts().minusSeconds(2).minusMillis(1);
    create("a");
    clock.paused = SETTINGS.lease().lasts().minusSeconds(2);
    assertThatThrownBy(() -> create("b")).isInstanceOf(KubernetesClientException.class);
  }

  @Test
  void whoGaveTheLeaseBackWritesNothing() {
    lead();
    renew("");
    assertThatThrownBy(() -> create("a")).isInstanceOf(KubernetesClientException.class);
  }
}
