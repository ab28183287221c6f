package dev.runnerset.listener.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class ListenerMainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final ListenerCommand command = new ListenerCommand();
  private final CommandLine line =
      command.line().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

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
        "--usage-repositories=my-org",
        "--usage-repositories=a/b,*/c",
        "stray"
      })
  void refusesWhatItDoesNotUnderstandInOneLine(String argument) {
    assertThat(line.execute(argument)).isEqualTo(2);
    assertThat(err.toString()).startsWith("runnerset listener: ").hasLineCount(1);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void helpNamesFlagsAndEnvironment() {
    assertThat(line.execute("--help")).isZero();
    assertThat(out.toString())
        .contains("--namespace", "--kubeconfig", "--identity", "--poll-timeout", "KUBECONFIG");
  }

  @Test
  void flagsBecomeSettingsAndTheDefaultsAreThese() {
    line.parseArgs("--lease-duration=1m", "--identity=me");
    var settings = command.settings(Map.of("POD_NAMESPACE", "trusted", "POD_NAME", "other"));
    assertThat(settings.identity()).isEqualTo("me");
    assertThat(settings.namespace()).isEqualTo("trusted");
    assertThat(settings.lease().lasts()).isEqualTo(Duration.ofMinutes(1));
    assertThat(settings.lease().name()).isEqualTo("runnerset-listener");
    assertThat(settings.lease().renewDeadline()).isEqualTo(Duration.ofSeconds(7));
    assertThat(settings.lease().retryPeriod()).isEqualTo(Duration.ofSeconds(2));
    assertThat(settings.poll()).isEqualTo(Duration.ofSeconds(55));
    assertThat(settings.credentialsAge()).isEqualTo(Duration.ofMinutes(5));
    assertThat(settings.grace()).isEqualTo(Duration.ofSeconds(12));
    assertThat(settings.usage().isOn()).isFalse();
  }
}
