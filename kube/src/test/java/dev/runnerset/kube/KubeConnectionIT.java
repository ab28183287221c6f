package dev.runnerset.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.fabric8.kubernetes.api.model.Namespace;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubeConnectionIT {
  private static final String NAMESPACE =
      "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"n\"}}";
  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
  @TempDir static Path keys;
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "RSA, PKCS#1, data",
    "RSA, PKCS#8, data",
    "EC, SEC1, data",
    "EC, PKCS#8, data",
    "RSA, PKCS#1, file",
    "EC, SEC1, file",
    "EC, PKCS#8, file"
  })
  void aClientKeyOfEveryFormIsShownToTheServer(String algorithm, String form, String where)
      throws Exception {
    var identity = ClientIdentities.generate(keys, algorithm);
    var server = tlsServer(identity);
    try {
      var certificate = ClientIdentities.certificate(identity);
      var key = ClientIdentities.key(identity, form);
      Files.writeString(folder.resolve("c.pem"), certificate);
      Files.writeString(folder.resolve("k.pem"), key);
      var user =
          where.equals("data")
              ? "client-certificate-data: "
                  + base64(certificate)
                  + "\n    client-key-data: "
                  + base64(key)
              : "client-certificate: c.pem\n    client-key: k.pem";
      var url = "https://127.0.0.1:" + server.getAddress().getPort();
      var file = kubeconfig(url, "certificate-authority-data: " + base64(certificate), user);
      try (var client = KubeConnection.connect(Optional.of(file), "test")) {
        var read = new KubeApi(client).get(Namespace.class, Resource.of(Namespace.class, "", "n"));
        assertThat(read).isNotNull();
      }
    } finally {
      server.stop(0);
    }
  }

  @Test
  void plainHttpNeedsNoCredentialsAndCarriesTheUserAgent() throws Exception {
    var seen = new CopyOnWriteArrayList<String>();
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          seen.add(
              exchange.getRequestHeaders().getFirst("User-Agent")
                  + " "
                  + exchange.getRequestHeaders().getFirst("Authorization"));
          answer(exchange);
        });
    server.start();
    try {
      var file = kubeconfig("http://127.0.0.1:" + server.getAddress().getPort(), "", "");
      try (var client = KubeConnection.connect(Optional.of(file), "runnerset-test/1")) {
        var api = new KubeApi(client);
        assertThat(api.get(Namespace.class, Resource.of(Namespace.class, "", "n"))).isNotNull();
      }
      assertThat(seen).containsExactly("runnerset-test/1 null");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aTokenFileIsReadAgainAfterAMinute() throws Exception {
    Files.writeString(folder.resolve("token"), "first\n");
    var file = kubeconfig("http://127.0.0.1:1", "", "tokenFile: token");
    var now = new Instant[] {Instant.EPOCH};
    InstantSource source = () -> now[0];
    var config =
        KubeConnection.config(
            Optional.of(file),
            Optional.empty(),
            nowhere(Map.of()),
            source.withZone(ZoneOffset.UTC));
    assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("first");
    Files.writeString(folder.resolve("token"), "second");
    now[0] = now[0].plus(Duration.ofSeconds(59));
    assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("first");
    now[0] = now[0].plus(Duration.ofSeconds(1));
    assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("second");
    Files.delete(folder.resolve("token"));
    now[0] = now[0].plus(Duration.ofMinutes(2));
    assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("second");
  }

  @Test
  void theFileNamedWinsOverTheEnvironmentAndThatOverThePodAndThatOverTheHome() throws Exception {
    var named = Files.copy(kubeconfig("http://named", "", ""), folder.resolve("named"));
    var serviceAccount = Files.createDirectories(folder.resolve("sa"));
    Files.writeString(serviceAccount.resolve("token"), "pod-token");
    var home = Files.createDirectories(folder.resolve("home"));
    Files.createDirectories(home.resolve(".kube"));
    Files.copy(kubeconfig("http://home", "", ""), home.resolve(".kube/config"));
    var explicit = kubeconfig("http://explicit", "", "token: t");

    var inPod = Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1", "KUBERNETES_SERVICE_PORT", "6443");
    var all = new java.util.HashMap<>(inPod);
    all.put("KUBECONFIG", folder.resolve("absent") + java.io.File.pathSeparator + named);
    var everything = new ProcessEnvironment(all, home, serviceAccount);
    assertThat(url(Optional.of(explicit), everything)).startsWith("http://explicit");
    assertThat(url(Optional.empty(), everything)).startsWith("http://named");
    var pod = new ProcessEnvironment(inPod, home, serviceAccount);
    assertThat(url(Optional.empty(), pod)).isEqualTo("https://10.0.0.1:6443/");
    var config = KubeConnection.config(Optional.empty(), Optional.empty(), pod, CLOCK);
    assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("pod-token");
    assertThat(url(Optional.empty(), new ProcessEnvironment(Map.of(), home, serviceAccount)))
        .startsWith("http://home");
    assertThatThrownBy(() -> url(Optional.empty(), nowhere(Map.of())))
        .isInstanceOf(UnreachableClusterException.class)
        .hasMessageContaining("--kubeconfig");
  }

  @Test
  void severalFilesAreOneAndTheFirstWins() throws Exception {
    var clusters = folder.resolve("clusters");
    Files.writeString(
        clusters,
        "apiVersion: v1\nkind: Config\nclusters:\n- name: c\n  cluster: {server: http://other}\n");
    var contexts = folder.resolve("contexts");
    Files.writeString(
        contexts,
        """
        apiVersion: v1
        kind: Config
        current-context: x
        contexts: [{name: x, context: {cluster: c, user: u}}]
        users: [{name: u, user: {token: marker-token}}]
        """);
    var path = contexts + java.io.File.pathSeparator + clusters;
    var config =
        KubeConnection.config(
            Optional.empty(), Optional.empty(), nowhere(Map.of("KUBECONFIG", path)), CLOCK);
    assertThat(config.getMasterUrl()).startsWith("http://other");
    assertThat(config.getAutoOAuthToken()).isEqualTo("marker-token");
  }

  @Test
  void whatIsWrongIsSaidInOneSentenceWithoutSecrets() throws Exception {
    var absent = folder.resolve("absent");
    wrong(absent, "The kubeconfig " + absent + " cannot be read");
    var broken = folder.resolve("broken");
    Files.writeString(broken, "users: {token: marker-token\n : [");
    wrong(broken, "The kubeconfig " + broken + " is no valid kubeconfig");
    var bare = folder.resolve("bare");
    Files.writeString(bare, "apiVersion: v1\nkind: Config\n");
    wrong(bare, "has no current-context");
    Files.writeString(bare, "apiVersion: v1\nkind: Config\ncurrent-context: gone\n");
    wrong(bare, "has no context 'gone'");
    Files.writeString(
        bare, "current-context: x\ncontexts: [{name: x, context: {cluster: none, user: u}}]\n");
    wrong(bare, "The context 'x' of the kubeconfig " + bare + " names no known cluster");
    Files.writeString(
        bare,
        "current-context: x\ncontexts: [{name: x, context: {cluster: c, user: none}}]\n"
            + "clusters: [{name: c, cluster: {server: http://x}}]\n");
    wrong(bare, "names no known user");
  }

  private void wrong(Path file, String sentence) {
    assertThatThrownBy(() ->
            KubeConnection.config(Optional.of(file), Optional.empty(), nowhere(Map.of()), CLOCK))
        .isInstanceOf(UnreachableClusterException.class)
        .hasMessageContaining(sentence)
        .hasMessageNotContaining("marker-token");
  }

  private static String url(Optional<Path> explicit, ProcessEnvironment environment) {
    return KubeConnection.config(explicit, Optional.empty(), environment, CLOCK).getMasterUrl();
  }

  private ProcessEnvironment nowhere(Map<String, String> variables) {
    return new ProcessEnvironment(variables, folder.resolve("nohome"), folder.resolve("nopod"));
  }

  private Path kubeconfig(String url, String cluster, String user) throws Exception {
    var file = folder.resolve("kubeconfig");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        current-context: x
        contexts: [{name: x, context: {cluster: c, user: u}}]
        clusters:
        - name: c
          cluster:
            server: %s
            %s
        users:
        - name: u
          user:
            %s
        """
            .formatted(url, cluster, user));
    return file;
  }

  private static HttpsServer tlsServer(KeyStore identity) throws Exception {
    var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(identity, "changeit".toCharArray());
    var trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("a", identity.getCertificate("a"));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    var context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
    var server = HttpsServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(context) {
          @Override
          public void configure(HttpsParameters parameters) {
            var tls = getSSLContext().getDefaultSSLParameters();
            tls.setNeedClientAuth(true);
            parameters.setSSLParameters(tls);
          }
        });
    server.createContext("/", KubeConnectionIT::answer);
    server.start();
    return server;
  }

  private static void answer(com.sun.net.httpserver.HttpExchange exchange)
      throws java.io.IOException {
    var body = NAMESPACE.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
