package dev.runnerset.connection;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.http.ProxySetting;
import dev.runnerset.actions.http.Route;
import dev.runnerset.actions.http.TrustedAuthorities;
import dev.runnerset.crds.ProxySettings;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads and checks what a key names: each object live, by name, once. Nothing is kept. Thread-safe.
 */
public final class ConnectionReader {
  private final KubeApi kube;

  /** Reads through the API given. */
  public ConnectionReader(KubeApi kube) {
    this.kube = kube;
  }

  /**
   * Reads the secret, the proxies' secrets and the certificate. Blocks for one request each.
   *
   * @throws InvalidConnectionException when one is missing or malformed
   * @throws io.fabric8.kubernetes.client.KubernetesClientException when the API server does not
   *     answer, or refuses
   */
  public ConnectionSettings read(ConnectionKey key) {
    var url = url(key.githubConfigUrl());
    var name = "The secret " + key.namespace() + "/" + key.secretName();
    var content = secret(key.namespace(), key.secretName());
    if (content == null) {
      throw new InvalidConnectionException(
          AccessReason.SECRET_NOT_FOUND,
          name
              + " does not exist: create it with github_token, or name another in"
              + " spec.githubConfigSecret");
    }
    var credentials = CredentialsCheck.read(name, content);
    var route = new Route(proxies(key.namespace(), key.proxy()), authorities(key));
    return new ConnectionSettings(url, credentials, route);
  }

  private static ConfigUrl url(String text) {
    try {
      return ConfigUrl.parse(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidConnectionException(
          AccessReason.INVALID_CONFIG_URL, "spec.githubConfigUrl: " + e.getMessage());
    }
  }

  private @Nullable ProxySetting proxies(String namespace, @Nullable ProxySettings proxy) {
    if (proxy == null || (proxy.http() == null && proxy.https() == null)) {
      return ProxyEnvironment.of(System.getenv());
    }
    return new ProxySetting(
        proxy(namespace, proxy.http()), proxy(namespace, proxy.https()), proxy.noProxy(), false);
  }

  private ProxySetting.@Nullable Server proxy(
      String namespace, ProxySettings.@Nullable Endpoint endpoint) {
    if (endpoint == null) {
      return null;
    }
    var reference = endpoint.credentialSecretRef();
    if (reference == null) {
      return server(endpoint.url(), "", "");
    }
    var content = secret(namespace, reference.name());
    var user = content == null ? "" : content.getOrDefault("username", "").strip();
    if (content == null || user.isEmpty()) {
      throw new InvalidConnectionException(
          AccessReason.PROXY_INVALID,
          "The secret %s/%s of the proxy %s: it must have username and password"
              .formatted(
                  namespace,
                  reference.name(),
                  content == null ? "does not exist" : "lacks username"));
    }
    return server(endpoint.url(), user, content.getOrDefault("password", "").strip());
  }

  private static ProxySetting.Server server(String url, String user, String password) {
    try {
      return new ProxySetting.Server(URI.create(url), user, password);
    } catch (IllegalArgumentException e) {
      // without the text of the URL: somebody may have put a password into it
      throw new InvalidConnectionException(
          AccessReason.PROXY_INVALID,
          "The URL of a proxy in spec.proxy must be of the form http://host:port, with a port of 1"
              + " to 65535; its credentials go into credentialSecretRef");
    }
  }

  private List<X509Certificate> authorities(ConnectionKey key) {
    if (key.serverTls() == null) {
      return List.of();
    }
    var reference = key.serverTls().certificateFrom().configMapKeyRef();
    var at = Resource.of(ConfigMap.class, key.namespace(), reference.name());
    var map = kube.get(ConfigMap.class, at);
    var pem = map == null || map.getData() == null ? null : map.getData().get(reference.key());
    var name = "The config map " + key.namespace() + "/" + reference.name();
    if (pem == null) {
      throw new InvalidConnectionException(
          AccessReason.CERTIFICATE_NOT_FOUND,
          name
              + (map == null ? " does not exist" : " has no key " + reference.key())
              + ": spec.githubServerTLS must name a certificate");
    }
    try {
      return TrustedAuthorities.fromPem(pem);
    } catch (IllegalArgumentException e) {
      throw new InvalidConnectionException(
          AccessReason.CERTIFICATE_INVALID,
          name + ": " + reference.key() + " holds no certificate in PEM form");
    }
  }

  private @Nullable Map<String, String> secret(String namespace, String name) {
    var secret = kube.get(Secret.class, Resource.of(Secret.class, namespace, name));
    if (secret == null) {
      return null;
    }
    var content = new HashMap<String, String>();
    if (secret.getData() != null) {
      secret.getData().forEach((key, value) -> content.put(key, decoded(value)));
    }
    return content;
  }

  private static String decoded(String base64) {
    try {
      return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return ""; // the API server admits none such
    }
  }
}
