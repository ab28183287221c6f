package dev.runnerset.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.actions.Credentials;
import dev.runnerset.actions.http.ProxySetting;
import dev.runnerset.actions.http.Route;
import dev.runnerset.crds.NameReference;
import dev.runnerset.crds.ProxySettings;
import dev.runnerset.crds.ServerTls;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.simulator.kube.KubeApiServer;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a set names is read and checked, and what is wrong is said without a secret. */
final class ConnectionReaderIT {
  /** Of an authority that nobody trusts. */
  private static final String PEM =
      """
      -----BEGIN CERTIFICATE-----
      MIIBeDCCAR+gAwIBAgIUDzoPN17kakD+5kToJoH/mFGVE5IwCgYIKoZIzj0EAwIw
      ETEPMA0GA1UEAwwGbm9ib2R5MCAXDTI2MTEyMjA0MTEzNloYDzIxMjYxMDI5MDQx
      MTM2WjARMQ8wDQYDVQQDDAZub2JvZHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
      AAQwcCC9/st6eTtfHQd4jTSRZQ2YOAAgOlmorbrCSDCw6LgOJ3cImWaZ1pyHSAJp
      2laj35zu5kyE3t4iKVG1WYNfo1MwUTAdBgNVHQ4EFgQUw0bnwbi7dVCDBxYyL7iv
      xxSL8BkwHwYDVR0jBBgwFoAUw0bnwbi7dVCDBxYyL7ivxxSL8BkwDwYDVR0TAQH/
      BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiB7G23R4+ihmF/6su860ldIccLfKEGg
      xEwEBNteNvqOzwIgLufi6032pKyViB8HFhM/FTxDJzIIhS0J4TR0AZNU6h8=
      -----END CERTIFICATE-----
      """;

  private final KubeApiServer api = KubeApiServer.start(0, Clock.systemUTC());
  private final KubernetesClient client =
      new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(api.kubeconfig())).build();
  private final ConnectionReader reader = new ConnectionReader(new KubeApi(client));

  @BeforeEach
  void apply() {
    secret("github", "github_token: marker");
  }

  @AfterEach
  void stop() {
    client.close();
    api.close();
  }

  private void secret(String name, String content) {
    api.apply(
        "{apiVersion: v1, kind: Secret, metadata: {name: %s, namespace: default}, stringData: {%s}}"
            .formatted(name, content));
  }

  private void certificate(String content) {
    var map =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName("ca")
            .withNamespace("default")
            .endMetadata()
            .addToData("ca.crt", content)
            .build();
    api.apply(client.getKubernetesSerialization().asJson(map));
  }

  private static ConnectionKey key(@Nullable ProxySettings proxy, @Nullable String certificateKey) {
    var tls =
        certificateKey == null
            ? null
            : new ServerTls(
                new ServerTls.CertificateSource(new ServerTls.ConfigMapKey("ca", certificateKey)));
    return new ConnectionKey("default", "https://github.com/acme", "github", proxy, tls);
  }

  private static ProxySettings proxy(String url, @Nullable String secret) {
    var reference = secret == null ? null : new NameReference(secret);
    return new ProxySettings(
        null, new ProxySettings.Endpoint(url, reference), List.of("internal.example"));
  }

  private void refused(ConnectionKey key, String reason, String words) {
    assertThatThrownBy(() -> reader.read(key))
        .isInstanceOfSatisfying(
            InvalidConnectionException.class, e -> assertThat(e.reason().word()).isEqualTo(reason))
        .hasMessageContaining(words)
        .hasMessageNotContaining("marker");
  }

  @Test
  void aSecretAloneMakesADirectConnection() {
    var read = reader.read(key(null, null));
    assertThat(read.credentials()).isEqualTo(new Credentials.Token("marker"));
    assertThat(read.route()).isEqualTo(Route.DIRECT);
    assertThat(read.toString()).doesNotContain("marker");
  }

  @Test
  void aSecretThatIsMissingIsNamed() {
    var key = new ConnectionKey("default", "https://github.com/acme", "other", null, null);
    refused(key, "SecretNotFound", "The secret default/other does not exist: create it");
  }

  @Test
  void aUrlThatNamesNobodyIsRefused() {
    var key = new ConnectionKey("default", "https://github.com/", "github", null, null);
    refused(key, "InvalidConfigUrl", "spec.githubConfigUrl: ");
  }

  @Test
  void aProxyHasTheCredentialsOfItsSecret() {
    secret("proxy", "username: me, password: ' marker '");
    var read = reader.read(key(proxy("http://proxy:8080", "proxy"), null));
    assertThat(read.route().proxy())
        .isEqualTo(
            new ProxySetting(
                null,
                new ProxySetting.Server(URI.create("http://proxy:8080"), "me", "marker"),
                List.of("internal.example"),
                false));
  }

  @Test
  void aProxyWithoutItsSecretIsRefused() {
    refused(
        key(proxy("http://proxy:8080", "proxy"), null),
        "ProxyInvalid",
        "The secret default/proxy of the proxy does not exist");
    secret("proxy", "password: marker");
    refused(
        key(proxy("http://proxy:8080", "proxy"), null),
        "ProxyInvalid",
        "The secret default/proxy of the proxy lacks username");
  }

  /** The controller alone checked this; the listener met it when it connected. */
  @ParameterizedTest
  @ValueSource(
      strings = {"https://proxy:8080", "proxy:8080", "http://me:marker@proxy:8080", "http://a b"})
  void aProxyUrlOfAnotherFormIsRefusedAndNotRepeated(String url) {
    refused(key(proxy(url, null), null), "ProxyInvalid", "must be of the form http://host:port");
  }

  @Test
  void aCertificateIsTrustedBesidesTheSystems() {
    certificate(PEM);
    assertThat(reader.read(key(null, "ca.crt")).route().trustedAuthorities()).hasSize(1);
  }

  @Test
  void aCertificateThatIsMissingIsNamed() {
    refused(key(null, "ca.crt"), "CertificateNotFound", "config map default/ca does not exist");
    certificate(PEM);
    refused(key(null, "b.crt"), "CertificateNotFound", "config map default/ca has no key b.crt");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "marker", "-----BEGIN CERTIFICATE-----\nmarker\n-----END CERTIFICATE-----\n"})
  void whatIsNoCertificateIsRefused(String content) {
    certificate(content);
    refused(key(null, "ca.crt"), "CertificateInvalid", "ca.crt holds no certificate in PEM form");
  }
}
