package dev.runnerset.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.actions.http.ProxySetting;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The proxy variables of the process hold for sets that name no proxy. */
final class ProxyEnvironmentTest {
  @ParameterizedTest
  @CsvSource({
    // variable, value, URL, user, password
    "HTTPS_PROXY, http://proxy:3128, http://proxy:3128, '', ''",
    "https_proxy, http://proxy:3128, http://proxy:3128, '', ''",
    "HTTPS_PROXY, proxy:3128, http://proxy:3128, '', ''",
    "HTTPS_PROXY, http://me:se%40cret@proxy:3128, http://proxy:3128, me, se@cret",
    "HTTPS_PROXY, http://me@proxy:3128, http://proxy:3128, me, ''",
  })
  void aVariableNamesAProxy(
      String variable, String value, String url, String user, String password) {
    var setting = ProxyEnvironment.of(Map.of(variable, value));
    assertThat(setting).isNotNull();
    assertThat(setting.https()).isEqualTo(new ProxySetting.Server(URI.create(url), user, password));
    assertThat(setting.http()).isNull();
  }

  @Test
  void smallLettersComeFirstAndEachSchemeHasItsOwn() {
    var setting =
        ProxyEnvironment.of(
            Map.of(
                "https_proxy", "http://one:1",
                "HTTPS_PROXY", "http://two:2",
                "HTTP_PROXY", "http://three:3",
                "NO_PROXY", "ghes.corp, .internal,,10.0.0.0/8"));
    assertThat(setting).isNotNull();
    assertThat(setting.https()).isEqualTo(ProxySetting.Server.open(URI.create("http://one:1")));
    assertThat(setting.http()).isEqualTo(ProxySetting.Server.open(URI.create("http://three:3")));
    assertThat(setting.noProxy())
        .containsExactly(
            "ghes.corp", ".internal", "10.0.0.0/8", "localhost", "127.0.0.0/8", "::1/128");
  }

  @Test
  void noVariableIsNoProxy() {
    assertThat(ProxyEnvironment.of(Map.of("NO_PROXY", "x", "HTTPS_PROXY", " "))).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://marker-user:marker-secret@proxy:1", "http://", "http://a b"})
  void whatIsNoProxyIsNamedWithoutItsText(String value) {
    assertThatThrownBy(() -> ProxyEnvironment.of(Map.of("HTTPS_PROXY", value)))
        .isInstanceOf(InvalidConnectionException.class)
        .hasMessageContaining("HTTPS_PROXY")
        .hasMessageNotContaining("marker");
  }
}
