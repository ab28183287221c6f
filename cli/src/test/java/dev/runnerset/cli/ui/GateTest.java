package dev.runnerset.cli.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.cli.ui.Gate.Answer;
import dev.runnerset.cli.ui.Gate.Request;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** 42.2: which requests the page's server answers. */
final class GateTest {
  private static final Gate.Keys KEYS = new Gate.Keys("token", "session", "forgery");
  private static final String COOKIE = "runnerset-ui-4711=session";

  private final Gate showing = new Gate(4711, KEYS, false);
  private final Gate acting = new Gate(4711, KEYS, true);

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          the page itself                | GET | /         | 127.0.0.1:4711 |                       | runnerset-ui-4711=session | same-origin |         | passes
          by its other name              | GET | /events   | localhost:4711 | http://localhost:4711 | a=b; runnerset-ui-4711=session | same-origin | | passes
          an old browser                 | GET | /app.js   | 127.0.0.1:4711 |                       | runnerset-ui-4711=session |             |         | passes
          no cookie                      | GET | /events   | 127.0.0.1:4711 |                       |                           |             |         | 403 not valid any more
          a wrong cookie                 | GET | /events   | 127.0.0.1:4711 |                       | runnerset-ui-4711=sessio  |             |         | 403 not valid any more
          the cookie of another port     | GET | /events   | 127.0.0.1:4711 |                       | runnerset-ui-4712=session |             |         | 403 not valid any more
          a wrong token                  | GET | /open/old | 127.0.0.1:4711 |                       |                           |             |         | 403 not valid any more
          an empty token                 | GET | /open/    | 127.0.0.1:4711 |                       |                           |             |         | 403 not valid any more
          DNS rebinding                  | GET | /         | evil.example:4711 |                    | runnerset-ui-4711=session | same-origin |         | 421 127.0.0.1 and localhost only
          another port in the host       | GET | /         | 127.0.0.1:80   |                       | runnerset-ui-4711=session |             |         | 421 127.0.0.1 and localhost only
          no host                        | GET | /         |                |                       | runnerset-ui-4711=session |             |         | 421 127.0.0.1 and localhost only
          another origin                 | GET | /events   | 127.0.0.1:4711 | http://evil.example   | runnerset-ui-4711=session |             |         | 403 Another page
          another port of this machine   | GET | /events   | 127.0.0.1:4711 | http://127.0.0.1:80   | runnerset-ui-4711=session | same-site   |         | 403 Another page
          an opaque origin               | GET | /events   | 127.0.0.1:4711 | null                  | runnerset-ui-4711=session | cross-site  |         | 403 Another page
          a picture in another page      | GET | /api/log  | 127.0.0.1:4711 |                       | runnerset-ui-4711=session | same-site   |         | 403 Another page
          deleting                       | DELETE | /      | 127.0.0.1:4711 |                       | runnerset-ui-4711=session |             |         | 405 GET and POST only
          acting on a page that shows    | POST | /api/press | 127.0.0.1:4711 | http://127.0.0.1:4711 | runnerset-ui-4711=session | same-origin | forgery | 405 --allow-actions
          """)
  void aPageThatShows(
      String what,
      String method,
      String path,
      String host,
      String origin,
      String cookies,
      String site,
      String forgery,
      String expected) {
    assertThat(words(showing.check(request(method, path, host, origin, cookies, site, forgery))))
        .as(what)
        .contains(expected.split(" ")[0])
        .contains(expected.substring(expected.indexOf(' ') + 1));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          the page         | http://127.0.0.1:4711 | runnerset-ui-4711=session | forgery | passes
          a forged request | http://127.0.0.1:4711 | runnerset-ui-4711=session |         | 403 does not come from the page
          a guess          | http://127.0.0.1:4711 | runnerset-ui-4711=session | forger  | 403 does not come from the page
          no origin        |                       | runnerset-ui-4711=session | forgery | 403 does not come from the page
          no cookie        | http://127.0.0.1:4711 |                           | forgery | 403 not valid any more
          """)
  void aPageThatActs(String what, String origin, String cookies, String forgery, String expected) {
    var request =
        request("POST", "/api/press", "127.0.0.1:4711", origin, cookies, "same-origin", forgery);
    assertThat(words(acting.check(request)))
        .as(what)
        .contains(expected.substring(expected.indexOf(' ') + 1));
  }

  @Test
  void theTokenIsExchangedForACookieOnce() {
    var first = showing.check(entry(""));
    assertThat(first).isEqualTo(new Answer.Enter(COOKIE + "; Path=/; HttpOnly; SameSite=Strict"));
    assertThat(words(showing.check(entry("")))).startsWith("403");
  }

  @Test
  void whoHasTheCookieMayOpenTheOldAddressAgain() {
    assertThat(showing.check(entry(""))).isInstanceOf(Answer.Enter.class);
    assertThat(showing.check(entry(COOKIE))).isInstanceOf(Answer.Enter.class);
  }

  @Test
  void aTokenThatAnotherHostNamesIsNotUsedUp() {
    var rebound = request("GET", "/open/token", "evil.example:4711", "", "", "", "");
    assertThat(words(showing.check(rebound))).startsWith("421");
    assertThat(showing.check(entry(""))).isInstanceOf(Answer.Enter.class);
  }

  private static Request entry(String cookies) {
    return request("GET", "/open/token", "127.0.0.1:4711", "", cookies, "none", "");
  }

  private static Request request(String... parts) {
    var p = Arrays.stream(parts).map(each -> each == null ? "" : each).toList();
    return new Request(p.get(0), p.get(1), p.get(2), p.get(3), p.get(4), p.get(5), p.get(6));
  }

  private static String words(Answer answer) {
    return switch (answer) {
      case Answer.Pass _ -> "passes";
      case Answer.Enter _ -> "enters";
      case Answer.Refuse(var status, var sentence) -> status + " " + sentence;
    };
  }
}
