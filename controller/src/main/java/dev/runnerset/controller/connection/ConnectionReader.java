package dev.runnerset.controller.connection;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.crds.ProxySettings;
import dev.runnerset.crds.ServerTls;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a key refers to, each object live and once: credentials are cached nowhere but in the
 * connection made from them.
 */
final class ConnectionReader {
  private final KubeApi kube;

  ConnectionReader(KubeApi kube) {
    this.kube = kube;
  }

  /** Blocks for one request an object. */
  ConnectionSettings read(ConnectionKey key) {
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
    return new ConnectionSettings(
        url, credentials, proxies(key.namespace(), key.proxy()), authorities(key));
  }

  private static ConfigUrl url(String text) {
    try {
      return ConfigUrl.parse(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidConnectionException(
          AccessReason.INVALID_CONFIG_URL, "spec.githubConfigUrl: " + e.getMessage());
    }
  }

  private ConnectionSettings.@Nullable Proxies proxies(
      String namespace, @Nullable ProxySettings proxy) {
    if (proxy == null || (proxy.http() == null && proxy.https() == null)) {
      return null;
    }
    return new ConnectionSettings.Proxies(
        proxy(namespace, proxy.http()), proxy(namespace, proxy.https()), proxy.noProxy());
  }

  private ConnectionSettings.@Nullable Proxy proxy(
      String namespace, ProxySettings.@Nullable Endpoint endpoint) {
    if (endpoint == null) {
      return null;
    }
    var url = proxyUrl(endpoint.url());
    var reference = endpoint.credentialSecretRef();
    if (reference == null) {
      return new ConnectionSettings.Proxy(url, "", "");
    }
    var content = secret(namespace, reference.name());
    if (content == null || content.getOrDefault("username", "").isBlank()) {
      throw new InvalidConnectionException(
          AccessReason.PROXY_INVALID,
          "The secret "
              + namespace
              + "/"
              + reference.name()
              + " of the proxy "
              + (content == null ? "does not exist" : "lacks username")
              + ": it must have username and password");
    }
    return new ConnectionSettings.Proxy(
        url,
        content.getOrDefault("username", "").strip(),
        content.getOrDefault("password", "").strip());
  }

  private static URI proxyUrl(String text) {
    try {
      var url = URI.create(text);
      if ("http".equalsIgnoreCase(url.getScheme())
          && url.getHost() != null
          && url.getUserInfo() == null) {
        return url;
      }
    } catch (IllegalArgumentException e) {
      // said below, without the text: somebody may have put a password into it
    }
    throw new InvalidConnectionException(
        AccessReason.PROXY_INVALID,
        "The URL of a proxy in spec.proxy must be of the form http://host:port; its credentials"
            + " go into credentialSecretRef");
  }

  private String authorities(ConnectionKey key) {
    if (key.serverTls() == null) {
      return "";
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
    check(pem, name, reference);
    return pem;
  }

  private static void check(String pem, String name, ServerTls.ConfigMapKey reference) {
    try {
      var in = new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8));
      if (!CertificateFactory.getInstance("X.509").generateCertificates(in).isEmpty()) {
        return;
      }
    } catch (CertificateException e) {
      // said below
    }
    throw new InvalidConnectionException(
        AccessReason.CERTIFICATE_INVALID,
        name + ": " + reference.key() + " holds no certificate in PEM form");
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
