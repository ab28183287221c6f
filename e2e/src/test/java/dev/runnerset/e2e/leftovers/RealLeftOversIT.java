package dev.runnerset.e2e.leftovers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.Credentials;
import dev.runnerset.actions.JitConfigResult;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.http.AllowedHosts;
import dev.runnerset.actions.http.ServiceSettings;
import dev.runnerset.actions.http.SharedConnections;
import dev.runnerset.actions.http.UserAgent;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.progress.Times;
import dev.runnerset.demo.world.World;
import dev.runnerset.e2e.Play;
import dev.runnerset.simulator.service.RunnerView;
import io.fabric8.kubernetes.api.model.Event;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Registrations without a runner go within the time that left-overs.md promises, and an event tells
 * of each (RN20, EV4), though the controller was restarted twice and the set never stands still.
 */
final class RealLeftOversIT {
  private static final List<String> LEFT =
      List.of("linux-bcdfghjklm", "linux-bcdfghjkln", "linux-bcdfghjklp");

  /** As docs/operate/left-overs.md says. */
  private static final Duration PROMISED = Duration.ofMinutes(15);

  @TempDir Path folder;

  @Test
  @Tag("nightly")
  void registrationsWithoutARunnerGoFromASetThatWorksAfterRestarts() throws IOException {
    var _ = Play.run(Play.realCluster(folder), Play.SETTING, folder, RealLeftOversIT::play);
  }

  private static void play(World world, Progress progress) {
    world.begin(1, 4);
    register(world);
    for (int restarts = 0; restarts < 2; restarts++) {
      world.controller().kill();
      world.controller().start();
    }
    var begin = world.now();
    // a runner comes and goes every 20 s
    world.submitSpread(36, Duration.ofSeconds(2), Duration.ofMinutes(12));
    world.await(
        "the registrations go",
        PROMISED,
        () -> world.service().runners().stream().map(RunnerView::name).noneMatch(LEFT::contains),
        world::readyMessage);
    progress.step(
        "they went after %.0f s".formatted(Times.seconds(Duration.between(begin, world.now()))));
    world.await(
        "events tell of each",
        Duration.ofMinutes(1),
        () -> reported(world).stream().mapToInt(Event::getCount).sum() >= LEFT.size(),
        () -> reported(world).toString());
    assertThat(reported(world))
        .allSatisfy(event -> assertThat(event.getMessage()).contains("without a runner"));
    world.awaitJobsDone(PROMISED);
  }

  /** As a registration whose answer was lost. */
  private static void register(World world) {
    var scaleSet = new ScaleSetId(world.service().scaleSets().getFirst().id());
    var settings =
        ServiceSettings.of(
                ConfigUrl.parse(world.configUrl("my-org")),
                new Credentials.Token(World.TOKEN),
                UserAgent.of("test", "somebody-else"),
                world.clock())
            .withAllowedHosts(AllowedHosts.of("127.0.0.1", "localhost"));
    try (var service = new SharedConnections().connect(settings)) {
      for (var name : LEFT) {
        assertThat(service.generateJitConfig(scaleSet, name, ""))
            .isInstanceOf(JitConfigResult.Registered.class);
      }
    }
  }

  private static List<Event> reported(World world) {
    return world.kube().v1().events().inNamespace(World.NAMESPACE).list().getItems().stream()
        .filter(event -> "LeftOverRemoved".equals(event.getReason()))
        .toList();
  }
}
