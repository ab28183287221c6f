package dev.runnerset.actions.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import okhttp3.Headers;
import okhttp3.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Protocol 5.1. */
final class RetryRulesTest {
  private static final Endpoint READ = Endpoint.GET_SCALE_SET;
  private static final Request REQUEST = new Request.Builder().url("https://x").build();
  private static final RetryRules RULES = RetryRules.DEFAULT;

  /** What no server can be made to do at will; the other rows are in {@code RetryBehaviourIT}. */
  @ParameterizedTest(name = "[{index}] {0}")
  @MethodSource("failures")
  void saysWhatIsSentAgain(String what, Attempt attempt, boolean again) {
    assertThat(RULES.mayRetry(attempt, READ)).isEqualTo(again);
  }

  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of("cancelled", Attempt.cancelled(REQUEST, false), false),
        Arguments.of("broken TLS", failed(new SSLHandshakeException("reset")), true),
        Arguments.of("held for 30 s", held(30), true),
        Arguments.of("held for 31 s", held(31), false));
  }

  @ParameterizedTest
  @CsvSource({"1,1", "2,2", "3,4", "4,8", "5,16", "6,30", "20,30"})
  void waitsDouble(int made, long seconds) {
    assertThat(RULES.waitAfter(made, failed(true), 0)).isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void callersThatFailedTogetherDoNotComeBackTogether() {
    assertThat(RULES.waitAfter(3, failed(true), 0)).isEqualTo(Duration.ofMillis(4000));
    assertThat(RULES.waitAfter(3, failed(true), 0.5)).isEqualTo(Duration.ofMillis(3000));
    assertThat(RULES.waitAfter(3, failed(true), 1)).isEqualTo(Duration.ofMillis(2000));
    assertThat(RULES.waitAfter(1, status(429, 7), 1)).isEqualTo(Duration.ofSeconds(7));
  }

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource(
      value = {
        "200|Retry-After: 7|''|",
        "500|Retry-After: 7|''|",
        "429|Retry-After: 7|''|7",
        "503|Retry-After: 7|''|7",
        "503|Server: x|rate limit|",
        "429|Server: x|''|",
        "429|X-RateLimit-Remaining: 0|''|60",
        "403|Server: x|no permission|",
        "403|X-RateLimit-Remaining: 17|no permission|",
        "403|Retry-After: 7|''|7",
        "403|Server: x|You have exceeded a secondary rate limit.|60",
        "403|X-RateLimit-Remaining: 0;X-RateLimit-Reset: 1795177800|''|600",
        "403|X-RateLimit-Remaining: 0;X-RateLimit-Reset: 1795263600|''|3600",
        "403|X-RateLimit-Remaining: 0;X-RateLimit-Reset: 1|''|0",
        "403|X-RateLimit-Remaining: 0;X-RateLimit-Reset: soon|''|60"
      },
      delimiter = '|')
  void aRateLimitSaysHowLongInWhateverForm(int status, String lines, String body, Long seconds) {
    var clock = Clock.fixed(Instant.ofEpochSecond(1_795_177_200L), ZoneOffset.UTC);
    var headers = new Headers.Builder();
    for (var line : lines.split(";")) {
      headers.add(line);
    }
    assertThat(RetryAfter.of(status, headers.build(), body, clock))
        .isEqualTo(seconds == null ? null : Duration.ofSeconds(seconds));
  }

  @Test
  void waitsAsLongAsTheServiceWishes() {
    assertThat(RULES.waitAfter(1, status(429, 7), 0)).isEqualTo(Duration.ofSeconds(7));
    assertThat(RULES.waitAfter(3, status(503, 0), 0)).isEqualTo(Duration.ZERO);
  }

  @ParameterizedTest(name = "Retry-After: {0}")
  @CsvSource(
      value = {
        "17|17",
        "0|0",
        "'  5 '|5",
        "-3|",
        "1.5|",
        "soon|",
        "''|",
        "3599|3599",
        "999999999|3600",
        "99999999999999999999|",
        "Fri, 20 Nov 2026 12:00:09 GMT|9",
        "Fri, 20 Nov 2026 11:00:00 GMT|0"
      },
      delimiter = '|')
  void readsSecondsAndDates(String header, Long seconds) {
    var clock = Clock.fixed(Instant.parse("2026-11-20T12:00:00Z"), ZoneOffset.UTC);
    assertThat(RetryAfter.parse(header, clock))
        .isEqualTo(seconds == null ? null : Duration.ofSeconds(seconds));
    assertThat(RetryAfter.parse(null, clock)).isNull();
  }

  @Test
  void theDefaultsAreThoseOfTheProtocol() {
    assertThat(RULES)
        .isEqualTo(
            new RetryRules(
                5, Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofSeconds(30)));
    assertThat(Timeouts.DEFAULT)
        .isEqualTo(
            new Timeouts(
                Duration.ofSeconds(5),
                Duration.ofSeconds(15),
                Duration.ofSeconds(20),
                Duration.ofSeconds(65),
                Duration.ofSeconds(110)));
  }

  @Test
  void refusesNonsense() {
    var second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new RetryRules(0, second, second, second))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RetryRules(1, second.multipliedBy(2), second, second))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Timeouts(second, second, second, Duration.ZERO, second))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Attempt held(long seconds) {
    return Attempt.held(REQUEST, Instant.EPOCH.plusSeconds(seconds), Instant.EPOCH);
  }

  private static Attempt failed(boolean sent) {
    return Attempt.failed(new SocketTimeoutException("timeout"), REQUEST, sent, false);
  }

  private static Attempt failed(IOException cause) {
    return Attempt.failed(cause, REQUEST, false, false);
  }

  private static Attempt status(int status, long retryAfter) {
    var wait = Duration.ofSeconds(retryAfter);
    return new Attempt.Answered(
        new Answer(READ, "GET x", "", status, "", "", null, "", "", wait, null));
  }
}
