package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.simulator.node.PodFault;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The expressions of docs/alerts become true when their trouble is caused, and false after it. */
final class AlertRulesIT {
  private static final Pattern EXPRESSION =
      Pattern.compile("(\\w+)(?:\\{([^}]*)\\})? (==|>) (\\d+)");
  private static final Pattern LABEL = Pattern.compile("(\\w+)(!?=)\"([^\"]*)\"");
  private static final Pattern SERIES = Pattern.compile("(\\w+)\\{([^}]*)\\} (\\S+)");

  private final Map<String, String> expressionByAlert = expressions();
  private final ControllerWorld world = new ControllerWorld();

  @AfterEach
  void close() {
    world.close();
  }

  private static Map<String, String> expressions() {
    for (var folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      var file = folder.resolve("docs/alerts/runnerset.rules.yaml");
      if (Files.exists(file)) {
        try {
          var tree = Serialization.unmarshal("---\n" + Files.readString(file), JsonNode.class);
          return StreamSupport.stream(tree.at("/groups/0/rules").spliterator(), false)
              .collect(
                  Collectors.toMap(
                      rule -> rule.path("alert").asText(), rule -> rule.path("expr").asText()));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    throw new IllegalStateException("docs/alerts is not found");
  }

  /** Whether a series of the scraped text meets the expression of the alert. */
  private boolean fires(String alert) {
    var expression = EXPRESSION.matcher(expressionByAlert.getOrDefault(alert, ""));
    assertThat(expression.matches()).as(alert).isTrue();
    double bound = Double.parseDouble(expression.group(4));
    return world
        .metrics()
        .lines()
        .map(SERIES::matcher)
        .filter(series -> series.matches() && series.group(1).equals(expression.group(1)))
        .filter(series -> isMet(expression.group(2), series.group(2)))
        .mapToDouble(series -> Double.parseDouble(series.group(3)))
        .anyMatch(value -> expression.group(3).equals(">") ? value > bound : value == bound);
  }

  private static boolean isMet(String matchers, String labels) {
    var values =
        LABEL
            .matcher(labels)
            .results()
            .collect(Collectors.toMap(label -> label.group(1), label -> label.group(3)));
    return matchers == null
        || LABEL
            .matcher(matchers)
            .results()
            .allMatch(m -> m.group(3).equals(values.get(m.group(1))) == m.group(2).equals("="));
  }

  private void awaitFiring(String alert, boolean wanted) {
    await(alert + " " + wanted).atMost(Duration.ofSeconds(30)).until(() -> fires(alert) == wanted);
  }

  @Test
  void missingCredentialsAndAMissingListenerFireAndGoWithTheirRepair() {
    world.startController();
    world.create("linux", "minRunners: 0");
    awaitFiring("RunnerSetNotReady", true);
    awaitFiring("RunnerSetNotRegistered", true);
    awaitFiring("RunnerSetNotListening", true);
    world.secret("github", "github_token: " + ControllerWorld.TOKEN);
    awaitFiring("RunnerSetNotRegistered", false);
    world.listenerConnects("linux");
    awaitFiring("RunnerSetNotListening", false);
    awaitFiring("RunnerSetNotReady", false);
    assertThat(fires("JobsWait")).isFalse();
    world.demand("linux", 9, 7);
    awaitFiring("JobsWait", true);
    world.demand("linux", 0, 8);
    awaitFiring("JobsWait", false);
  }

  private void twoWarmRunners(PodFault fault) {
    world.secret("github", "github_token: " + ControllerWorld.TOKEN);
    world.startController();
    world.startNode();
    world.podFaults(pod -> Optional.of(fault));
    world.create("linux", "minRunners: 2");
    world.listenerConnects("linux");
  }

  @Test
  void runnersThatDoNotStartFireUntilTheyDo() {
    twoWarmRunners(new PodFault.ImagePullFails());
    awaitFiring("RunnersPending", true);
    world.podFaults(pod -> Optional.empty());
    awaitFiring("RunnersPending", false);
    await("each runner's start is observed once")
        .until(() ->
            world
                .metrics()
                .contains(
                    "runnerset_runner_phase_seconds_count{name=\"linux\",namespace=\"default\","
                        + "phase=\"started\"} 2"));
    awaitFiring("RunnerSetNotReady", false);
  }

  @Test
  void runnersThatFailFire() {
    twoWarmRunners(new PodFault.ExitsEarly(1));
    awaitFiring("RunnersFailing", true);
    await().until(() -> world.metrics().contains("gha_controller_failed_ephemeral_runners{"));
  }
}
