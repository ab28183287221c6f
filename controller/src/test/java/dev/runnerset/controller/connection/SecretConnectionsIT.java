package dev.runnerset.controller.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.Credentials;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.connection.ConnectionKey;
import dev.runnerset.connection.ConnectionSettings;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.simulator.cluster.SimulatedCluster;
import dev.runnerset.simulator.kube.KubeApiServer;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A changed secret is followed by the next round, whether the old one still works or not. */
class SecretConnectionsIT {
  private static final ConnectionKey KEY =
      new ConnectionKey("default", "https://github.com/my-org", "github", null, null);

  private final SimulatedCluster cluster = SimulatedCluster.start();
  private final KubeApiServer api = cluster.api();
  private final KubernetesClient client = cluster.client();
  private final List<String> events = new ArrayList<>();
  private final TestClock clock = new TestClock();
  private String accepted = "one";
  private boolean limited;
  private boolean broken;
  private final SecretConnections connections =
      new SecretConnections(new KubeApi(client), this::connect, new ServiceTurns(clock), clock);

  @AfterEach
  void stop() {
    connections.close();
    cluster.close();
  }

  private ActionsService connect(ConnectionSettings settings) {
    var token = ((Credentials.Token) settings.credentials()).value();
    events.add("connect " + token);
    return (ActionsService)
        Proxy.newProxyInstance(
            ActionsService.class.getClassLoader(),
            new Class<?>[] {ActionsService.class},
            (proxy, method, args) -> {
              if (method.getName().equals("close")) {
                events.add("close " + token);
                return null;
              }
              if (broken) {
                throw new IllegalStateException("no answer of the service");
              }
              if (limited) {
                throw new ServiceException(
                    new ServiceError.RateLimited(
                        new ServiceError.Details("GET x", 429, "", "slow", "", ""),
                        Duration.ofSeconds(2)));
              }
              if (!token.equals(accepted)) {
                throw new ServiceException(
                    new ServiceError.Unauthorized(
                        new ServiceError.Details("GET x", 401, "", "no", "", "")));
              }
              return method.getName().equals("generateJitConfig") ? null : Optional.empty();
            });
  }

  private void secret(String token) {
    secret("github", token);
  }

  private void secret(String name, String token) {
    api.apply(
        "{apiVersion: v1, kind: Secret, metadata: {name: %s, namespace: default}, stringData: {github_token: %s}}"
            .formatted(name, token));
  }

  private void pass(Duration time) {
    clock.advance(time);
  }

  private void round() {
    connections.readAgain(Set.of(KEY));
  }

  private long readsOfTheSecret() {
    return api.counters().snapshot().entrySet().stream()
        .filter(count -> count.getKey().resource().equals("secrets"))
        .filter(count -> count.getKey().verb().equals("get"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  @Test
  void nm6ADoubtOutlastsTheCredentials() {
    secret("one");
    var _ = connections.to(KEY);
    var scaleSet = new ScaleSetId(1);
    connections.doubted(KEY, scaleSet, clock.instant());
    secret("two");
    round();
    assertThat(events).contains("connect two");
    assertThat(connections.isDoubted(KEY, scaleSet)).isTrue();
  }

  @Test
  void hundredsThatAskReadTheSecretOnce() {
    secret("one");
    var first = connections.to(KEY);
    for (int i = 0; i < 300; i++) {
      assertThat(connections.to(KEY)).isSameAs(first);
    }
    assertThat(events).containsExactly("connect one");
    assertThat(readsOfTheSecret()).isEqualTo(1);
    round();
    assertThat(connections.to(KEY)).as("read again, and the same").isSameAs(first);
    assertThat(readsOfTheSecret()).isEqualTo(2);
  }

  @Test
  void aChangedSecretIsUsedAfterTheNextRoundThoughTheOldOneStillWorks() {
    secret("one");
    var first = connections.to(KEY);
    secret("two");
    assertThat(connections.to(KEY)).isSameAs(first);
    round();
    assertThat(connections.to(KEY)).isNotSameAs(first);
    assertThat(events).containsExactly("connect one", "connect two", "close one");
  }

  @Test
  void afterA401TheNextRoundReadsTheSecretThoughNoSetNamesItAnyMore() {
    secret("one");
    var first = connections.to(KEY);
    accepted = "two";
    secret("two");
    assertThatThrownBy(() -> first.runnerNamed("x")).isInstanceOf(ServiceException.class);
    connections.readAgain(Set.of());
    assertThat(connections.to(KEY).runnerNamed("x")).isEmpty();
    assertThat(events).containsExactly("connect one", "connect two", "close one");
  }

  @Test
  void aConnectionThatNoSetNamesIsForgottenWhenNobodyAsksForIt() {
    secret("one");
    var first = connections.to(KEY);
    pass(SecretConnections.UNNAMED_KEPT.minusMillis(1));
    connections.readAgain(Set.of());
    assertThat(connections.toCleanUp(KEY)).isSameAs(first);
    pass(SecretConnections.UNNAMED_KEPT.minusMillis(1));
    connections.readAgain(Set.of());
    pass(Duration.ofMillis(1));
    connections.readAgain(Set.of());
    assertThat(connections.to(KEY)).isNotSameAs(first);
  }

  @Test
  void aRefusalThatLastsStandsUntilARunnerIsLetThrough() {
    secret("one");
    var changes = new ArrayList<String>();
    connections.onChange(key -> changes.add(key.secretName()));
    var service = connections.to(KEY);
    accepted = "two";
    assertThatThrownBy(() -> service.runnerNamed("x")).isInstanceOf(ServiceException.class);
    assertThatThrownBy(() -> service.runnerNamed("x")).isInstanceOf(ServiceException.class);
    assertThat(connections.refusal(KEY, new ScaleSetId(1))).as("reads register no runner").isNull();

    refuse(service);
    assertThat(connections.refusal(KEY, new ScaleSetId(1))).as("one may be a slip").isNull();
    refuse(service);
    var standing = connections.refusal(KEY, new ScaleSetId(1));
    assertThat(standing).isInstanceOf(ServiceError.Unauthorized.class);
    pass(ConnectionTimes.REFUSED_TRIED_EVERY);
    refuse(service);
    assertThat(connections.refusal(KEY, new ScaleSetId(1)))
        .as("what is shown stays the same")
        .isSameAs(standing);
    assertThat(changes).containsExactly("github");

    accepted = "one";
    pass(ConnectionTimes.REFUSED_TRIED_EVERY);
    assertThat(service.generateJitConfig(new ScaleSetId(1), "r", "")).isNull();
    assertThat(connections.refusal(KEY, new ScaleSetId(1))).isNull();
    assertThat(changes).containsExactly("github", "github");
    accepted = "two";
    refuse(service);
    assertThat(connections.refusal(KEY, new ScaleSetId(1))).isNull();
  }

  @Test
  void aRefusalIsForgottenWithTheCredentialsOrAfterAWhile() {
    secret("one");
    var changes = new ArrayList<String>();
    connections.onChange(key -> changes.add(key.secretName()));
    accepted = "two";
    var service = connections.to(KEY);
    refuse(service);
    refuse(service);
    pass(ConnectionTimes.REFUSAL_FORGOTTEN_AFTER.minusMillis(1));
    assertThat(connections.refusal(KEY, new ScaleSetId(1))).isNotNull();
    pass(Duration.ofMillis(1));
    assertThat(connections.refusal(KEY, new ScaleSetId(1))).isNull();
    refuse(service);
    assertThat(connections.refusal(KEY, new ScaleSetId(1))).isNull();
    refuse(service);
    assertThat(connections.refusal(KEY, new ScaleSetId(1))).isNotNull();
    secret("two");
    round();
    assertThat(connections.refusal(KEY, new ScaleSetId(1))).isNull();
    assertThat(changes).containsExactly("github", "github", "github");
  }

  /** What is refused otherwise is tried by one runner of a set; another set is not held back. */
  @Test
  void cn2WhileARefusalStandsTheTurnsOfTheSetAreFew() {
    secret("one");
    accepted = "two";
    var service = connections.to(KEY);
    assertThat(turn("linux", 1, "a")).isEmpty();
    refuse(service);
    assertThat(turn("linux", 1, "b")).isEmpty();
    refuse(service);
    assertThat(turn("linux", 1, "c"))
        .hasValueSatisfying(
            wait -> assertThat(wait.why()).isInstanceOf(ServiceError.Unauthorized.class));
    assertThat(turn("other", 2, "d")).isEmpty();
    pass(ConnectionTimes.REFUSED_TRIED_EVERY);
    assertThat(turn("linux", 1, "c")).isEmpty();
  }

  /** A 429 of any call holds the JIT configs of the credentials, whatever URL a set has. */
  @Test
  void cn3TheSetsOfOneSecretShareItsPace() {
    secret("one");
    var service = connections.to(KEY);
    assertThat(turn("linux", 1, "a")).isEmpty();
    assertThat(service.generateJitConfig(new ScaleSetId(1), "a", "")).isNull();
    limited = true;
    assertThatThrownBy(() -> service.runnerNamed("x")).isInstanceOf(ServiceException.class);
    var url = KEY.githubConfigUrl() + "-two";
    var id = new ScaleSetId(2);
    var ofThisSecret = new ConnectionKey("default", url, "github", null, null);
    var _ = connections.to(ofThisSecret);
    assertThat(connections.jitTurn(ofThisSecret, id, "s", "r"))
        .hasValueSatisfying(
            wait -> assertThat(wait.why()).isInstanceOf(ServiceError.RateLimited.class));
    secret("another", "one");
    var ofAnother = new ConnectionKey("default", url, "another", null, null);
    var _ = connections.to(ofAnother);
    assertThat(connections.jitTurn(ofAnother, id, "s", "r")).isEmpty();
  }

  /** Two are under way at first, and each that the service accepts adds a quarter. */
  @Test
  void cn3AFailureOfOurOwnIsNoAnswerAndGivesTheTurnBack() {
    secret("one");
    var service = connections.to(KEY);
    broken = true;
    for (int i = 0; i < 4; i++) {
      assertThat(turn("linux", 1, "a")).isEmpty();
      assertThatThrownBy(() -> service.generateJitConfig(new ScaleSetId(1), "a", ""))
          .isInstanceOf(IllegalStateException.class);
    }
    assertThat(turn("linux", 1, "a")).isEmpty();
    assertThat(turn("linux", 1, "b")).isEmpty();
    assertThat(turn("linux", 1, "c")).isPresent();
  }

  private Optional<JitWait> turn(String set, int id, String runner) {
    return connections.jitTurn(KEY, new ScaleSetId(id), set, runner);
  }

  private static void refuse(ActionsService service) {
    assertThatThrownBy(() -> service.generateJitConfig(new ScaleSetId(1), "r", ""))
        .isInstanceOf(ServiceException.class);
  }

  @Test
  void aSecretThatIsTakenAwayIsAFindingAndOneThatComesBackAConnection() {
    secret("one");
    var _ = connections.to(KEY);
    client.secrets().inNamespace("default").withName("github").delete();
    round();
    for (int i = 0; i < 300; i++) {
      assertThatThrownBy(() -> connections.to(KEY))
          .isInstanceOf(InvalidConnectionException.class)
          .hasMessageContaining("does not exist");
    }
    assertThat(readsOfTheSecret()).isEqualTo(2);
    assertThat(connections.toCleanUp(KEY)).as("the last one, to clean up").isNotNull();
    secret("one");
    pass(SecretConnections.FINDING_STANDS);
    assertThat(connections.to(KEY).runnerNamed("x")).as("without a round").isEmpty();
  }
}
