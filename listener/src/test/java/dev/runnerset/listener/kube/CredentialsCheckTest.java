package dev.runnerset.listener.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.actions.Credentials;
import dev.runnerset.listener.session.UnusableAccessException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class CredentialsCheckTest {
  private static final String PEM = "-----BEGIN PRIVATE KEY-----\nsecret-part";

  record Bad(Map<String, String> content, String words) {}

  static Stream<Bad> bad() {
    return Stream.of(
        new Bad(Map.of(), "github_token"),
        new Bad(Map.of("github_token", " "), "github_token"),
        new Bad(Map.of("github_token", "two words"), "github_token"),
        new Bad(Map.of("github_token", "t", "github_app_id", "1"), "both"),
        new Bad(Map.of("github_app_id", "1"), "github_app_private_key"),
        new Bad(app("x", PEM), "github_app_installation_id"),
        new Bad(app("5", "secret-part"), "github_app_private_key"));
  }

  private static Map<String, String> app(String installation, String key) {
    return Map.of(
        "github_app_id",
        "1",
        "github_app_installation_id",
        installation,
        "github_app_private_key",
        key);
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("bad")
  void whatIsWrongIsNamedByItsKeyAndNotByItsValue(Bad row) {
    assertThatThrownBy(() -> CredentialsCheck.read("the secret a/b", row.content()))
        .isInstanceOf(UnusableAccessException.class)
        .hasMessageContaining("a/b")
        .hasMessageContaining(row.words())
        .message()
        .doesNotContain("secret-part", "two words");
  }

  @Test
  void aTokenOrAnAppIsRead() {
    assertThat(CredentialsCheck.read("s", Map.of("github_token", " t\n")))
        .isEqualTo(new Credentials.Token("t"));
    assertThat(CredentialsCheck.read("s", app("5", PEM)))
        .isEqualTo(new Credentials.App("1", 5, PEM));
  }
}
