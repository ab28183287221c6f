package dev.runnerset.actions.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.Credentials;
import dev.runnerset.testsupport.TestClock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Protocol 3.17, 3.18: the token of an app is kept for its life by calls that can wait. */
final class AppBearersTest {
  private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

  private final TestClock clock = new TestClock(START);
  private @Nullable Duration life = Duration.ofHours(1);
  private int made;

  private final RegistrationApi api =
      new RegistrationApi() {
        @Override
        public InstallationToken installationToken(long installationId, String appJwt) {
          made++;
          var expiry = life == null ? null : clock.instant().plus(life);
          return new InstallationToken("token-" + made, expiry);
        }

        @Override
        public String registrationToken(String bearer) {
          throw new AssertionError("not asked for");
        }

        @Override
        public AdminConnection register(String registrationToken) {
          throw new AssertionError("not asked for");
        }
      };

  private final BearerSource bearers =
      BearerSource.of(
          api,
          new Credentials.App("Iv1.abc", 17, RsaKeysTest.pkcs8Pem(RsaKeysTest.KEY)),
          clock,
          Duration.ofSeconds(10));

  @Test
  void aTokenIsKeptUntilAMinuteBeforeItsEnd() {
    assertThat(bearers.kept()).isEqualTo("token-1");
    clock.set(START.plusSeconds(3539));
    assertThat(bearers.kept()).isEqualTo("token-1");
    clock.set(START.plusSeconds(3540));
    assertThat(bearers.kept()).isEqualTo("token-2");
  }

  @Test
  void aRefusedTokenIsReplacedOnce() {
    var first = bearers.kept();
    assertThat(bearers.refused(first)).isTrue();
    assertThat(bearers.kept()).isEqualTo("token-2");
    assertThat(bearers.kept()).isEqualTo("token-2");
  }

  @Test
  void aRegistrationHasATokenOfItsOwn() {
    assertThat(bearers.kept()).isEqualTo("token-1");
    assertThat(bearers.bearer()).isEqualTo("token-2");
    assertThat(bearers.kept()).isEqualTo("token-1");
  }

  @Test
  void aTokenWithoutAnExpiryIsNotKept() {
    life = null;
    assertThat(bearers.kept()).isEqualTo("token-1");
    assertThat(bearers.kept()).isEqualTo("token-2");
  }
}
