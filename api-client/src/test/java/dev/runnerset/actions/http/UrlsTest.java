package dev.runnerset.actions.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import okhttp3.HttpUrl;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** URLs (protocol 2.1, protocol 3.11) and hosts without a proxy (protocol 6). */
final class UrlsTest {
  @ParameterizedTest(name = "{0} + {1}?{2}")
  @CsvSource({
    "http://h/tenant/123/, my/path, name=banana,"
        + " http://h/tenant/123/my/path?api-version=6.0-preview&name=banana",
    "http://h/tenant/123, my/path, name=banana,"
        + " http://h/tenant/123/my/path?api-version=6.0-preview&name=banana",
    "http://h, my/path, name=a, http://h/my/path?api-version=6.0-preview&name=a",
    "http://h/, groups/, groupName=a, http://h/groups/?api-version=6.0-preview&groupName=a",
    "http://h/?z=1&b=2, p, name=a, http://h/p?api-version=6.0-preview&b=2&name=a&z=1",
    "http://h/?api-version=9, p, name=a, http://h/p?api-version=9&name=a",
    "http://h/?name=x, p, name=a, http://h/p?api-version=6.0-preview&name=a",
    "http://h/rest, p, name=a b&c, http://h/rest/p?api-version=6.0-preview&name=a%20b%26c",
    "http://h/rest, p, name=100%, http://h/rest/p?api-version=6.0-preview&name=100%25",
    "http://h/rest, p, name=a+b, http://h/rest/p?api-version=6.0-preview&name=a%2Bb",
    "https://ghes.example/_services/pipelines/1, _apis/runtime/runnergroups/, groupName=Default,"
        + " https://ghes.example/_services/pipelines/1/_apis/runtime/runnergroups/?api-version=6.0-preview&groupName=Default",
    "https://ghes.example:8443/_services/pipelines/1/, _apis/runtime/runnergroups/, groupName=a,"
        + " https://ghes.example:8443/_services/pipelines/1/_apis/runtime/runnergroups/?api-version=6.0-preview&groupName=a",
    "http://h/rest#f, p, api-version=7, http://h/rest/p?api-version=7",
  })
  void assembles(String base, String path, String query, String expected) {
    var pair = query.split("=", 2);
    assertThat(ServiceUrls.endpoint(HttpUrl.get(base), path, Map.of(pair[0], pair[1])).toString())
        .isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0} after {1}")
  @CsvSource({
    "http://q/message, 0, http://q/message, http://q/message/5",
    "http://q/message, 7, http://q/message?lastMessageId=7, http://q/message/5",
    "http://q/m?sessionId=s&api-version=6.0-preview, 100000001,"
        + " http://q/m?api-version=6.0-preview&lastMessageId=100000001&sessionId=s,"
        + " http://q/m/5?sessionId=s&api-version=6.0-preview",
  })
  void queueUrlsKeepTheirQuery(String queue, long last, String poll, String message) {
    var url = HttpUrl.get(queue);
    assertThat(ServiceUrls.messages(url, last).toString()).isEqualTo(poll);
    assertThat(ServiceUrls.message(url, 5).toString()).isEqualTo(message);
  }

  @ParameterizedTest(name = "{0} covers {1}: {2}")
  @CsvSource({
    "*, github.com, true",
    "github.com, github.com, true",
    "GitHub.com, GITHUB.COM, true",
    "github.com, api.github.com, true",
    "github.com, notgithub.com, false",
    ".github.com, api.github.com, true",
    ".github.com, github.com, false",
    "*.github.com, api.github.com, true",
    "*.github.com, github.com, false",
    "github.com:443, github.com, true",
    "github.com:8443, github.com, false",
    "10.1.2.3, 10.1.2.3, true",
    "10.1.2.3, 10.1.2.33, false",
    "10.0.0.0/8, 10.255.0.1, true",
    "10.0.0.0/8, 11.0.0.1, false",
    "10.1.0.0/15, 10.0.9.9, true",
    "10.1.0.0/15, 10.2.0.0, false",
    "0.0.0.0/0, 1.2.3.4, true",
    "10.0.0.0/33, 10.0.0.0, false",
    "10.0.0.0/x, 10.0.0.0, false",
    "10.0.0.0/8, example.org, false",
    "fd00::/8, [fd12::1], true",
    "::1, [::1], true",
    "[::1]:443, ::1, true",
    "'', github.com, false",
  })
  void noProxyEntries(String entry, String host, boolean covered) {
    assertThat(NoProxy.covers(List.of(entry), host, 443)).isEqualTo(covered);
  }
}
