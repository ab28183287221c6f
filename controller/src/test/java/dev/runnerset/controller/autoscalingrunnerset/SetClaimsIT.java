package dev.runnerset.controller.autoscalingrunnerset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.controller.autoscalingrunnerset.OtherControllers.Read;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A set is claimed once, reported as another controller's, and taken over when its own is gone
 * (WR11).
 */
final class SetClaimsIT {
  private static final String OURS = "runnerset-system/runnerset-controller";
  private static final String OTHER = "team-a/runnerset-controller";

  private final StoredSet world = new StoredSet();
  private Read lease = new Read.Seen("1", Duration.ofSeconds(15));
  private long nanos;
  private final SetClaims claims =
      new SetClaims(
          OURS,
          new OtherControllers(name -> lease, () -> nanos),
          new StatusWriter(world.kube, world, new Memories()),
          Clock.systemUTC());

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void aSetOfNobodyIsClaimedByOneOfTwo() {
    var taken = claims.take(world.set).orElseThrow();
    assertThat(taken.statusOrNone().controller()).isEqualTo(OURS);
    assertThat(claims.take(taken)).contains(taken);
    assertThat(world.changed).hasSize(1);
    assertThatThrownBy(() -> claims.take(world.set)) // as an older cache shows it
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("409");
  }

  @Test
  void aSetOfALivingControllerIsReportedOnceAndTakenOverWhenThatOneIsGone() {
    others();
    assertThat(claims.take(set())).isEmpty();
    assertThat(reported()).startsWith("LeaseFresh: ").contains(OTHER, OURS);
    assertThat(claims.take(set())).isEmpty();
    assertThat(world.changed).hasSize(1);

    nanos += Duration.ofSeconds(80).toNanos();
    var taken = claims.take(set()).orElseThrow();
    assertThat(taken.statusOrNone().controller()).isEqualTo(OURS);
    assertThat(taken.statusOrNone().conditions())
        .noneMatch(c -> c.getType().equals("OtherController"));
  }

  @Test
  void aLeaseThatMayNotBeReadNamesTheCommandThatHandsTheSetOver() {
    others();
    lease = new Read.NotAllowed();
    assertThat(claims.take(set())).isEmpty();
    assertThat(reported())
        .startsWith("LeaseNotVisible: ")
        .contains("kubectl patch autoscalingrunnersets.runnerset.dev linux -n default");
  }

  private void others() {
    var status = Sets.json("{'controller': '" + OTHER + "'}");
    var _ = world.kube.mergeStatus(AutoScalingRunnerSet.class, Resource.of(world.set), status);
  }

  private AutoScalingRunnerSet set() {
    return Objects.requireNonNull(
        world.kube.get(AutoScalingRunnerSet.class, Resource.of(world.set)));
  }

  private String reported() {
    var condition =
        StatusConditions.find(set().statusOrNone().conditions(), ConditionType.OTHER_CONTROLLER)
            .orElseThrow();
    return condition.getReason() + ": " + condition.getMessage();
  }
}
