package dev.runnerset.controller.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.connection.ConnectionKey;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.testing.Fakes;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetSpecBuilder;
import dev.runnerset.crds.EphemeralRunnerSpec;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.NameReference;
import dev.runnerset.crds.ProxySettings;
import dev.runnerset.crds.condition.AccessReason;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Through which connection a runner is registered and removed. */
final class RunnerConnectionsTest {
  private static final String URL = "https://github.com/o";
  private static final @Nullable ProxySettings GONE = proxy("http://gone:3128");
  private static final @Nullable ProxySettings HERE = proxy("http://here:3128");

  record Row(String name, @Nullable EphemeralRunnerSet set, ConnectionKey expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    var own = new ConnectionKey("ns", URL, "old", GONE, null);
    return Stream.of(
        new Row(
            "its set names another secret and proxy now",
            set("uid-set", URL),
            new ConnectionKey("ns", URL, "new", HERE, null)),
        new Row("its set is gone", null, own),
        new Row("another set has the name now", set("uid-next", URL), own),
        new Row("its set serves another URL", set("uid-set", "https://github.com/other"), own));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void isThatOfItsSetAsItIsNow(Row row) {
    var asked = new ArrayList<ConnectionKey>();
    ServiceConnections shared =
        key -> {
          asked.add(key);
          throw new InvalidConnectionException(AccessReason.UNAUTHORIZED, "enough");
        };
    var connections =
        RunnerConnections.of(
            shared, (namespace, name) -> Optional.ofNullable(row.set()), Clock.systemUTC());
    try {
      var _ = connections.to(runner());
    } catch (InvalidConnectionException e) {
      assertThat(asked).isEqualTo(List.of(row.expected()));
      return;
    }
    throw new AssertionError("the shared connections were not asked");
  }

  /** Else the turn would be taken from other credentials than the call gives it back to. */
  @Test
  void cn3TheTurnIsOfTheConnectionThatIsAsked() {
    var asked = new ArrayList<ConnectionKey>();
    var shared =
        new ServiceConnections() {
          @Override
          public ActionsService to(ConnectionKey key) {
            asked.add(key);
            return Fakes.fake(ActionsService.class, Map.of());
          }

          @Override
          public Optional<JitWait> jitTurn(
              ConnectionKey key, ScaleSetId id, String set, String runner) {
            asked.add(key);
            return Optional.empty();
          }
        };
    var found = new ArrayDeque<>(List.of(set("uid-set", URL)));
    var connections =
        RunnerConnections.of(
            shared, (namespace, name) -> Optional.ofNullable(found.poll()), Clock.systemUTC());
    assertThat(connections.forJitConfig(runner()).turn().get()).isEmpty();
    assertThat(asked).hasSize(2);
    assertThat(asked.getLast()).isEqualTo(asked.getFirst());
  }

  /** NM6: the set has no scale set, or another one than the runner was made for. */
  @ParameterizedTest
  @ValueSource(strings = {"held", "another scale set"})
  void nm6ARunnerWaitsWhileTheScaleSetOfItsSetMayBeSomebodyElses(String what) {
    ServiceConnections shared = key -> Fakes.fake(ActionsService.class, Map.of());
    var set = set("uid-set", URL);
    var spec = set.getSpec().toBuilder();
    set.setSpec(
        what.equals("held") ? spec.creationHeld(true).build() : spec.runnerScaleSetId(7).build());
    var connections =
        RunnerConnections.of(shared, (namespace, name) -> Optional.of(set), Clock.systemUTC());
    assertThat(connections.forJitConfig(runner()).turn().get()).isPresent();
    assertThat(connections.isScaleSetDoubted(runner())).isTrue();
  }

  private static EphemeralRunner runner() {
    var runner = new EphemeralRunner();
    runner.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("ns")
            .withName("linux-1")
            .withLabels(Map.of(Labels.SET, "linux"))
            .build());
    runner.addOwnerReference(set("uid-set", URL)).setController(true);
    runner.setSpec(
        EphemeralRunnerSpec.builder(URL, new NameReference("old"), 1)
            .revision("r")
            .setGeneration(1L)
            .proxy(GONE)
            .build());
    return runner;
  }

  private static EphemeralRunnerSet set(String uid, String url) {
    var set = new EphemeralRunnerSet();
    set.setMetadata(
        new ObjectMetaBuilder().withNamespace("ns").withName("linux").withUid(uid).build());
    set.setSpec(
        EphemeralRunnerSetSpecBuilder.builder()
            .replicas(1)
            .revision("r")
            .githubConfigUrl(url)
            .githubConfigSecret(new NameReference("new"))
            .runnerScaleSetId(1)
            .proxy(HERE)
            .build());
    return set;
  }

  private static ProxySettings proxy(String url) {
    return new ProxySettings(new ProxySettings.Endpoint(url, null), null, List.of());
  }
}
