package dev.runnerset.actions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Protocol 1.1 to protocol 1.3. */
final class ConfigUrlTest {
  @ParameterizedTest(name = "[{index}] {0}")
  @CsvSource({
    "https://github.com/org,                    /orgs/org,            https://api.github.com",
    "https://github.com/org/,                   /orgs/org,            https://api.github.com",
    "https://github.com//org//,                 /orgs/org,            https://api.github.com",
    "HTTPS://GitHub.com/org,                    /orgs/org,            HTTPS://api.GitHub.com",
    "https://github.com/org/repo,               /repos/org/repo,      https://api.github.com",
    "https://github.com/org/repo?x=1,           /repos/org/repo,      https://api.github.com",
    "https://github.com/enterprises/e,          /enterprises/e,       https://api.github.com",
    "https://github.com/Enterprises/e,          /enterprises/e,       https://api.github.com",
    "https://github.com/enterprises,            /orgs/enterprises,    https://api.github.com",
    "https://www.github.com/org,                /orgs/org,            https://api.github.com",
    "http://github.localhost/org,               /orgs/org,            http://api.github.localhost",
    "https://x.ghe.com/org,                     /orgs/org,            https://api.x.ghe.com",
    "https://x.GHE.com/org,                     /orgs/org,            https://api.x.GHE.com",
    "https://ghe.com/org,                       /orgs/org,            https://ghe.com/api/v3",
    "https://xghe.com/org,                      /orgs/org,            https://xghe.com/api/v3",
    "https://github.com:443/org,                /orgs/org,            https://api.github.com",
    "https://x.ghe.com:443/org,                 /orgs/org,            https://api.x.ghe.com",
    "http://github.localhost:80/org,            /orgs/org,            http://api.github.localhost",
    "https://github.com:80/org,                 /orgs/org,         https://github.com:80/api/v3",
    "http://git.example.org:443/org,            /orgs/org,         http://git.example.org:443/api/v3",
    "https://x.ghe.com:8443/org,                /orgs/org,         https://x.ghe.com:8443/api/v3",
    "https://git.example.org/org/repo,          /repos/org/repo,   https://git.example.org/api/v3",
    "http://127.0.0.1:8080/org,                 /orgs/org,         http://127.0.0.1:8080/api/v3",
    "https://ghes.example/org,                  /orgs/org,         https://ghes.example/api/v3",
    "https://ghes.example:8443/org,             /orgs/org,         https://ghes.example:8443/api/v3",
    "https://ghes.example:443/org,              /orgs/org,         https://ghes.example/api/v3",
    "https://ghes.example:65535/orgs,           /orgs/orgs,       https://ghes.example:65535/api/v3",
    "https://github.com/o/git,                  /repos/o/git,         https://api.github.com",
    "https://ghes.example/enterprises/e,        /enterprises/e,    https://ghes.example/api/v3",
  })
  void readsScopeAndApiBase(String text, String scopePath, String apiBase) {
    var url = ConfigUrl.parse(text);
    assertThat(url.scopePath()).isEqualTo(scopePath);
    assertThat(url.apiBase()).isEqualTo(apiBase);
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      textBlock =
          """
          ''                                 | must begin with https:// and a host
          /                                  | must begin with https:// and a host
          github.com/org                     | must begin with https:// and a host
          github.com/org/repo                | must begin with https:// and a host
          https:///org                       | must begin with https:// and a host
          ftp://github.com/org               | must begin with https:// and a host
          https:org                          | must begin with https:// and a host
          https://github.com                 | its path names nobody
          https://ghes.example:8443/         | its path names nobody
          https://github.com/a/b/c           | a server under a path cannot be used
          https://github.com/enterprises/e/f | a server under a path cannot be used
          https://example.org/github/org/rep | a server under a path cannot be used
          https://git hub.com/org            | a character that no URL has
          https://github.com/o/app.git       | the address of a clone, which ends in .git
          https://ghes.example/o/App.GIT/    | the address of a clone, which ends in .git
          https://github.com/orgs/my-org     | the address of a page or of the API
          https://github.com/Users/me        | the address of a page or of the API
          https://ghes.example/api/v3        | the address of a page or of the API
          https://api.github.com/my-org      | its host is that of the API
          https://api.shop.ghe.com/my-org    | its host is that of the API
          https://ghes.example:99430/org     | its port is not one of 1 to 65535
          https://ghes.example:99999999999/o | its port is not one of 1 to 65535
          https://ghes.example:0/org         | its port is not one of 1 to 65535
          """)
  void refusesWhatIsNoScope(String text, String why) {
    assertThatThrownBy(() -> ConfigUrl.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'")
        .hasMessageContaining(why)
        .hasMessageContaining("write https://github.com/my-org")
        .hasMessageContaining("the host of your server");
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @CsvSource({
    "https://github.com/Org,                          github.com/orgs/org",
    "HTTP://WWW.GitHub.com:80//org/?x=1,              github.com/orgs/org",
    "https://github.com:0443/org#part,                github.com/orgs/org",
    "https://github.com:/org,                         github.com/orgs/org",
    "https://github.com/%6Frg,                        github.com/orgs/org",
    "https://github.com/Enterprises/E,                github.com/enterprises/e",
    "https://github.com/Org/Repo/,                    github.com/repos/org/repo",
    "https://git.example.org:8443/org,                git.example.org:8443/orgs/org",
    "https://git.example.org:80/org,                  git.example.org:80/orgs/org",
  })
  void namesTheOwnerTheSameInEverySpelling(String text, String key) {
    assertThat(ConfigUrl.parse(text).ownerKey()).isEqualTo(key);
  }

  @Test
  void tellsTheServiceNoPortThatGoesWithoutSaying() {
    assertThat(ConfigUrl.parse("https://github.com:443/org?x=:443/y").toString())
        .isEqualTo("https://github.com/org?x=:443/y");
  }

  @Test
  void keepsTheQueryForTheRegistration() {
    assertThat(ConfigUrl.parse("https://github.com/org?x=1&y=2").toString())
        .isEqualTo("https://github.com/org?x=1&y=2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"https://me:MARKER@github.com/org", "https://me:MARKER MARKER@github.com/o"})
  void refusesCredentialsWithoutRepeatingThem(String text) {
    assertThatThrownBy(() -> ConfigUrl.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("MARKER");
  }
}
