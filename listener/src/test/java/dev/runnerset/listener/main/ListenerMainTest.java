package dev.runnerset.listener.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ListenerMainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final ListenerCommand command = new ListenerCommand();

  private int parse(String... arguments) {
    return ListenerMain.parse(command, arguments, print(out), print(err));
  }

  private static PrintStream print(ByteArrayOutputStream to) {
    return new PrintStream(to, true, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--nonsense",
        "--lease-duration",
        "--lease-duration=soon",
        "--lease-duration=0s",
        "--renew-deadline=10s",
        "--retry-period=5s",
        "--namespace=",
        "stray"
      })
  void refusesWhatItDoesNotUnderstandInOneLine(String argument) {
    assertThat(parse(argument)).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .startsWith("runnerset listener: ")
        .hasLineCount(1);
    assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void helpNamesFlagsAndEnvironment() {
    assertThat(parse("--help")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("--namespace", "--kubeconfig", "--identity", "--poll-timeout", "KUBECONFIG");
  }

  @Test
  void flagsBecomeSettingsAndTheDefaultsAreThese() {
    assertThat(parse("--lease-duration=1m", "--identity=me")).isEqualTo(-1);
    var settings = command.settings("trusted", "other");
    assertThat(settings.identity()).isEqualTo("me");
    assertThat(settings.namespace()).isEqualTo("trusted");
    assertThat(settings.lease().lasts()).isEqualTo(Duration.ofMinutes(1));
    assertThat(settings.lease().name()).isEqualTo("runnerset-listener");
    assertThat(settings.lease().renewDeadline()).isEqualTo(Duration.ofSeconds(7));
    assertThat(settings.lease().retryPeriod()).isEqualTo(Duration.ofSeconds(2));
    assertThat(settings.poll()).isEqualTo(Duration.ofSeconds(55));
    assertThat(settings.credentialsAge()).isEqualTo(Duration.ofMinutes(5));
    assertThat(settings.grace()).isEqualTo(Duration.ofSeconds(12));
  }
}
