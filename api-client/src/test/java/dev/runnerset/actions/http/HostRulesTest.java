package dev.runnerset.actions.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.actions.ConfigUrl;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.List;
import okhttp3.HttpUrl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which hosts a connection may ask (CN6). */
class HostRulesTest {
  private static final AllowedHosts LISTED =
      AllowedHosts.of("GHES.corp", "10.1.2.3:8443", "*.lab.corp", "[FD00::0:5]:443");
  private static final ProxySetting.Server PROXY =
      ProxySetting.Server.open(URI.create("http://10.9.9.9:3128"));

  @ParameterizedTest
  @CsvSource({
    "https://github.com/acme, https://api.github.com/orgs/acme, yes",
    "https://github.com/acme, https://pipelinesx.actions.githubusercontent.com/a/_apis, yes",
    "https://github.com/acme, https://broker.actions.githubusercontent.com/message, yes",
    "https://github.com/acme, https://other.ghe.com/x, yes",
    "https://www.github.com/acme, https://api.github.com/orgs/acme, yes",
    "https://shop.ghe.com/acme, https://api.shop.ghe.com/orgs/acme, yes",
    "https://github.example.com/acme, https://github.example.com:8443/_services, yes",
    "https://github.example.com/acme, https://pipelines.actions.githubusercontent.com/, yes",
    "https://github.com/acme, https://ghes.corp/x, yes",
    "https://github.com/acme, http://ghes.corp:81/x, yes",
    "https://github.com/acme, http://10.1.2.3:8443/x, yes",
    "https://github.com/acme, http://a.b.lab.corp/x, yes",
    "https://github.com/acme, http://[fd00::5]:443/x, yes",
    "https://github.com/acme, https://internal.example/x, no",
    "https://github.com/acme, https://actions.githubusercontent.com.evil.example/x, no",
    "https://github.com/acme, https://evilactions.githubusercontent.com/x, no",
    "https://github.com/acme, https://evilghe.com/x, no",
    "https://github.example.com/acme, https://sub.github.example.com/x, no",
    "https://github.example.com/acme, https://10.1.2.3:444/x, no",
    "https://github.example.com/acme, https://lab.corp/x, no",
    "https://github.example.com/acme, http://github.example.com/x, no",
    "http://github.com/acme, http://api.github.com/x, no",
  })
  void aServiceLeadsToItsHostToGitHubAndToWhatIsListed(String config, String target, String may) {
    var rules = new HostRules(ConfigUrl.parse(config), new Route(null, List.of(), LISTED));
    var url = HttpUrl.get(target);
    if (may.equals("yes")) {
      assertThatCode(() -> rules.check(url)).doesNotThrowAnyException();
    } else {
      assertThatThrownBy(() -> rules.check(url))
          .isInstanceOf(HostRules.RefusedException.class)
          .hasMessageContaining("adds " + url.host() + ":" + url.port() + " to allowedHosts");
    }
  }

  /** CN6: who lists only the server would be refused again, for its proxy. */
  @Test
  void aRefusalNamesTheServerAndItsProxyAndKeepsWhatIsListed() {
    var proxy = new ProxySetting(PROXY, PROXY, List.of(), false);
    var allowed = AllowedHosts.of("old.corp", "*.lab.corp");
    var rules =
        new HostRules(ConfigUrl.parse("https://ghes.corp/o"), new Route(proxy, List.of(), allowed));
    var server = AllowedHosts.entry(PROXY.url().getHost(), PROXY.url().getPort());
    assertThatThrownBy(() -> rules.check(HttpUrl.get("https://ghes.corp/x")))
        .hasMessageContaining(
            "adds ghes.corp:443 and, if the proxy has a private address, " + server)
        .hasMessageContaining("'allowedHosts={*.lab.corp," + server + ",ghes.corp:443,old.corp}'");
  }

  /** The proxy connects, so that its address cannot be checked. */
  @ParameterizedTest
  @CsvSource({
    "https://github.com/acme, https://api.github.com/x, yes",
    "https://shop.ghe.com/acme, https://api.shop.ghe.com/x, yes",
    "https://ghes.corp/acme, https://ghes.corp/api/v3, yes",
    "https://github.example.com/acme, https://github.example.com/x, no",
    "https://10.1.2.3:8443/acme, https://10.1.2.3:8443/x, no",
    "https://8.8.8.8/acme, https://8.8.8.8/x, no",
    "https://direct.example/acme, https://direct.example/x, yes",
  })
  void aProxyIsAskedForGitHubAndListedNamesOnly(String config, String target, String may) {
    for (boolean trusted : List.of(true, false)) {
      var proxy = new ProxySetting(PROXY, PROXY, List.of("direct.example"), trusted);
      var rules = new HostRules(ConfigUrl.parse(config), new Route(proxy, List.of(), LISTED));
      var url = HttpUrl.get(target);
      if (may.equals("yes")) {
        assertThatCode(() -> rules.check(url)).doesNotThrowAnyException();
      } else {
        assertThatThrownBy(() -> rules.check(url)).isInstanceOf(HostRules.RefusedException.class);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0a000001, private",
    "0affffff, private",
    "ac100001, private",
    "ac1fffff, private",
    "ac200001, public",
    "c0a80101, private",
    "64400001, private",
    "647fffff, private",
    "64800001, public",
    "7f000001, private",
    "a9fea9fe, private",
    "00000000, private",
    "f0000001, private",
    "ffffffff, private",
    "e0000001, private",
    "8c527903, public",
    "00000000000000000000000000000001, private",
    "00000000000000000000000000000000, private",
    "fd000000000000000000000000000001, private",
    "fc000000000000000000000000000001, private",
    "fe800000000000000000000000000001, private",
    "febf0000000000000000000000000001, private",
    "fec00000000000000000000000000001, private",
    "00000000000000000000ffff0a000001, private",
    "00000000000000000000ffff8c527903, public",
    "0000000000000000000000000a000001, private",
    "0064ff9b00000000000000000a000001, private",
    "0064ff9b00000000000000007f000001, private",
    "0064ff9b00000000000000008c527903, public",
    "0064ff9b00010000000000008c527903, private",
    "20020a00000100000000000000000001, private",
    "20028c52790300000000000000000001, public",
    "2606500c000000000000000000000001, public",
  })
  void anAddressOfAPrivateNetworkIsKnownInEachForm(String hex, String kind)
      throws UnknownHostException {
    var bytes = HexFormat.of().parseHex(hex);
    // as a resolver may give it: without the change of a mapped address that getByAddress makes
    var address =
        bytes.length == 16
            ? Inet6Address.getByAddress("evil.example", bytes, -1)
            : InetAddress.getByAddress("evil.example", bytes);
    assertThat(AllowedHosts.isPrivate(address)).isEqualTo(kind.equals("private"));

    var route = new Route(null, List.of(), LISTED);
    var to = new InetSocketAddress(address, 443);
    if (kind.equals("private")) {
      assertThatThrownBy(() -> HostRules.checkAddress(route, to))
          .hasMessageContaining("adds evil.example:443 to allowedHosts");
    } else {
      assertThatCode(() -> HostRules.checkAddress(route, to)).doesNotThrowAnyException();
    }
  }

  @Test
  void aListedHostMayHaveAPrivateAddress() throws IOException {
    var route = new Route(null, List.of(), LISTED);
    HostRules.checkAddress(route, to("ghes.corp", 8443));
    HostRules.checkAddress(route, to("x.lab.corp", 443));
    HostRules.checkAddress(route, new InetSocketAddress("10.1.2.3", 8443));
    assertThatThrownBy(() -> HostRules.checkAddress(route, new InetSocketAddress("10.1.2.3", 22)))
        .hasMessageContaining("10.1.2.3:22");
  }

  /** Who makes a set names {@code spec.proxy}; who runs the program, its environment. */
  @Test
  void aProxyOfTheEnvironmentIsTrustedAndOneOfASetIsAHost() throws IOException {
    var to = new InetSocketAddress("10.9.9.9", 3128);
    var ours = new ProxySetting(null, PROXY, List.of(), true);
    HostRules.checkAddress(new Route(ours, List.of(), AllowedHosts.NONE), to);
    assertThatThrownBy(() ->
            HostRules.checkAddress(
                new Route(ours, List.of(), AllowedHosts.NONE), to("10.9.9.9.evil", 3128)))
        .isInstanceOf(HostRules.RefusedException.class);

    var theirs = new ProxySetting(null, PROXY, List.of(), false);
    assertThatThrownBy(
            () -> HostRules.checkAddress(new Route(theirs, List.of(), AllowedHosts.NONE), to))
        .hasMessageContaining("adds 10.9.9.9:3128 to allowedHosts");
    HostRules.checkAddress(new Route(theirs, List.of(), AllowedHosts.of("10.9.9.9")), to);
  }

  @ParameterizedTest
  @CsvSource({
    "https://a.example/x, https://a.example/y, yes",
    "https://a.example/x, https://a.example:443/y, yes",
    "https://a.example/x, https://a.example:8443/y, no",
    "https://a.example/x, http://a.example/y, no",
    "http://a.example/x, https://b.example/y, no",
    "https://a.example/x, https://b.example/y, no",
    "https://github.com/x, https://api.github.com/y, no",
  })
  void aRedirectStaysAtItsSchemeHostAndPort(String from, String to, String may) throws Exception {
    if (may.equals("yes")) {
      HostRules.checkRedirect(HttpUrl.get(from), HttpUrl.get(to));
    } else {
      assertThatThrownBy(() -> HostRules.checkRedirect(HttpUrl.get(from), HttpUrl.get(to)))
          .hasMessageContaining("redirects to " + to.substring(0, to.indexOf(":")) + "://");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*",
        "https://ghes.corp",
        "ghes.corp/x",
        "10.0.0.0/8",
        "",
        "a b",
        "a:0",
        "*.",
        "::1"
      })
  void anEntryThatNamesNoHostIsRefused(String entry) {
    assertThatThrownBy(() -> AllowedHosts.read("--allowed-hosts", List.of(entry)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--allowed-hosts: '" + entry + "' names no host: write ");
  }

  private static InetSocketAddress to(String host, int port) throws UnknownHostException {
    return new InetSocketAddress(InetAddress.getByAddress(host, new byte[] {10, 0, 0, 1}), port);
  }
}
