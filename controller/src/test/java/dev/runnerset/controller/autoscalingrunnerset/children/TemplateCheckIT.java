package dev.runnerset.controller.autoscalingrunnerset.children;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.autoscalingrunnerset.Sets;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.simulator.kube.KubeApiServer;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the API server's answer to a dry run says of a template, and when it is asked again. */
class TemplateCheckIT {
  private static final int FOR_EVER = 1000;

  private final KubeApiServer api = KubeApiServer.start(0, Clock.systemUTC());
  private final KubernetesClient client =
      new KubernetesClientBuilder().withConfig(withoutRetries(api.kubeconfig())).build();
  private final List<String> events = new ArrayList<>();
  private final AutoScalingRunnerSet set = Sets.set("linux");
  private final TestClock clock = new TestClock(Instant.parse("2026-11-21T12:00:00Z"));
  private final TemplateCheck check =
      new TemplateCheck(
          new KubeApi(client), (about, reason, message) -> events.add(reason.word()), clock);

  TemplateCheckIT() {
    set.getMetadata().setNamespace("default");
  }

  private static Config withoutRetries(String kubeconfig) {
    return new ConfigBuilder(Config.fromKubeconfig(kubeconfig))
        .withRequestRetryBackoffLimit(0)
        .build();
  }

  @AfterEach
  void stop() {
    client.close();
    api.close();
  }

  private String reason(String revision) {
    return check.finding(set, revision).map(finding -> finding.reason().word()).orElse("");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "400, TemplateRefused",
    "422, TemplateRefused",
    "403, ''",
    "409, ''",
    "429, TemplateUnchecked",
    "500, TemplateUnchecked",
    "503, TemplateUnchecked",
  })
  void eachAnswerSaysOneThing(int code, String reason) {
    api.faults().failNextWrites("pods", code, FOR_EVER);
    assertThat(reason("a")).isEqualTo(reason);
    assertThat(check.askAgainAt(set).toOptional().isPresent())
        .isEqualTo(reason.equals("TemplateUnchecked"));
  }

  @Test
  void withoutAnAnswerItIsAskedAgainWithBackOffAndNotBefore() {
    api.faults().failNextWrites("pods", 500, 2);
    assertThat(reason("a")).isEqualTo("TemplateUnchecked");
    assertThat(check.askAgainAt(set).toOptional()).contains(clock.instant().plusSeconds(2));
    clock.advance(Duration.ofSeconds(2));
    assertThat(reason("a")).as("the second time").isEqualTo("TemplateUnchecked");
    assertThat(check.askAgainAt(set).toOptional()).contains(clock.instant().plusSeconds(4));
    clock.advance(Duration.ofMillis(3999));
    assertThat(reason("a")).as("not asked").isEqualTo("TemplateUnchecked");
    clock.advance(Duration.ofMillis(1));
    assertThat(reason("a")).isEmpty();
    assertThat(check.askAgainAt(set).toOptional()).isEmpty();
    assertThat(events).hasSize(2);
  }

  @Test
  void anotherRevisionIsAskedForAtOnce() {
    api.faults().failNextWrites("pods", 500, 1);
    assertThat(reason("a")).isEqualTo("TemplateUnchecked");
    assertThat(reason("b")).isEmpty();
  }
}
