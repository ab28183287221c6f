package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * A secret that somebody deletes and makes again, as External Secrets does, while a set uses it.
 */
class SecretRotationIT {
  private static final Duration BAR = Duration.ofSeconds(30);

  @AutoClose private final ControllerWorld world = ControllerWorld.started();

  private void ready() {
    world.create("linux");
    world.listenerConnects("linux");
    world.awaitCondition("linux", "Ready", "True", "Ready");
  }

  private Resource<Secret> secret() {
    return world.kube.secrets().inNamespace("default").withName("github");
  }

  private void awaitRegistered(String status, String reason) {
    await(status + " " + reason)
        .atMost(BAR)
        .until(() ->
            world
                .condition("linux", "Registered")
                .filter(c -> c.getStatus().equals(status) && c.getReason().equals(reason))
                .isPresent());
  }

  /** Nothing else happens: no event of a child wakes the set. */
  @Test
  void aSecretThatGoesIsReportedAndOneThatComesBackHeals() {
    ready();
    secret().delete();
    assertThat(secret().get()).as("nothing of ours holds it up").isNull();
    awaitRegistered("False", "SecretNotFound");
    world.awaitCondition("linux", "Ready", "False", "SecretNotFound");
    assertThat(world.set("linux").getStatus().scaleSetId()).isNotNull();

    world.secret("github", "github_token: " + ControllerWorld.TOKEN);
    awaitRegistered("True", "Registered");
    world.demand("linux", 2, 1);
    world.within(BAR, "the runners").until(() -> world.control.runners().size() == 2);
  }

  /** The token was revoked; the new one is used without waiting for the end of a backoff. */
  @Test
  void anotherTokenIsUsedAtOnce() {
    world.secret("github", "github_token: revoked");
    world.create("linux");
    awaitRegistered("False", "Unauthorized");
    assertThat(world.condition("linux", "Registered").orElseThrow().getMessage())
        .contains("next try at ");
    world.pass(Duration.ofMinutes(1));
    secret().delete();
    world.secret("github", "github_token: " + ControllerWorld.TOKEN);
    awaitRegistered("True", "Registered");
  }

  /** As with {@code helm uninstall}: the secret goes with the set that needs it to clean up. */
  @Test
  void aSetThatIsDeletedWithItsSecretLeavesNothingBehind() {
    ready();
    world.demand("linux", 2, 1);
    world.within(BAR).until(() -> world.control.runners().size() == 2);
    secret().delete();
    world.kube.resource(world.set("linux")).delete();
    world.demand("linux", 0, 2);
    world.within(BAR).until(() -> world.runners().isEmpty());
    world.listenerLeavesOnceDeleted("linux", BAR);
    world.within(BAR).until(() -> !world.hasSet("linux"));
    assertThat(world.control.runners()).isEmpty();
    assertThat(world.control.scaleSets()).isEmpty();
  }
}
