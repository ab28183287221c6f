package dev.runnerset.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.actions.Credentials;
import dev.runnerset.crds.condition.AccessReason;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CredentialsCheckTest {
  private static final String KEY =
      "-----BEGIN RSA PRIVATE KEY-----\nmarker\n-----END RSA PRIVATE KEY-----";

  @Test
  void aTokenIsTrimmed() {
    assertThat(CredentialsCheck.read("s", Map.of("github_token", " ghp_1\n", "other", "x")))
        .isEqualTo(new Credentials.Token("ghp_1"));
  }

  @Test
  void anAppNeedsAllThreeKeys() {
    assertThat(
            CredentialsCheck.read(
                "s",
                Map.of(
                    "github_app_id", "Iv1.a\n",
                    "github_app_installation_id", " 42 ",
                    "github_app_private_key", KEY + "\n")))
        .isEqualTo(new Credentials.App("Iv1.a", 42, KEY));
  }

  @Test
  void theKeyOfAnAppMayBeInAnyPemForm() {
    var pkcs8 = KEY.replace("RSA ", "");
    assertThat(
            CredentialsCheck.read(
                "s",
                Map.of(
                    "github_app_id", "1",
                    "github_app_installation_id", "5",
                    "github_app_private_key", pkcs8)))
        .isEqualTo(new Credentials.App("1", 5, pkcs8));
  }

  @Test
  void anEmptySecretHasNoCredentials() {
    assertThatThrownBy(() -> CredentialsCheck.read("The secret a/b", Map.of()))
        .isInstanceOf(InvalidConnectionException.class)
        .hasMessageContaining("The secret a/b has no credentials: set github_token");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "other=marker | has no credentials",
        "github_token=   | has no credentials",
        "github_token=marker;github_app_id=1 | has both github_token and keys of a GitHub App",
        "github_token=marker;github_app_id=1;github_app_installation_id=1;github_app_private_key=KEY |"
            + " has both github_token and keys of a GitHub App",
        "github_app_id=1 | lacks github_app_installation_id and github_app_private_key",
        "github_app_private_key=KEY | lacks github_app_id and github_app_installation_id",
        "github_app_id=1;github_app_installation_id=x1;github_app_private_key=KEY |"
            + " github_app_installation_id is not a number",
        "github_app_id=1;github_app_installation_id=1;github_app_private_key=marker |"
            + " github_app_private_key is no private key",
        "github_token=mark er | github_token holds spaces",
      })
  void whatIsWrongIsNamedWithoutAValue(String content, String sentence) {
    var values = new HashMap<String, String>();
    for (var pair : content.split(";")) {
      var parts = pair.split("=", 2);
      values.put(parts[0], parts[1].replace("KEY", KEY));
    }
    assertThatThrownBy(() -> CredentialsCheck.read("The secret ns/github", values))
        .isInstanceOfSatisfying(
            InvalidConnectionException.class,
            e -> assertThat(e.reason()).isEqualTo(AccessReason.SECRET_MALFORMED))
        .hasMessageStartingWith("The secret ns/github")
        .hasMessageContaining(sentence)
        .hasMessageNotContaining("marker")
        .hasMessageNotContaining("mark er");
  }
}
