package dev.runnerset.listener.kube;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.crds.AutoScalingListenerSpec;
import dev.runnerset.crds.ProxySettings;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import dev.runnerset.listener.session.AccessReader;
import dev.runnerset.listener.session.ServiceAccess;
import dev.runnerset.listener.session.UnusableAccessException;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads each object that a listener object names, live, by name: the listener may not list. */
public final class KubeAccessReader implements AccessReader {
  private final KubeApi kube;

  /** Reads through the API given. */
  public KubeAccessReader(KubeApi kube) {
    this.kube = kube;
  }

  @Override
  public ServiceAccess read(AutoScalingListenerSpec spec) {
    var reference = spec.githubConfigSecret();
    var name = "the secret " + reference.namespace() + "/" + reference.name();
    var content = secret(reference.namespace(), reference.name());
    if (content == null) {
      throw new UnusableAccessException(
          AccessReason.SECRET_NOT_FOUND, name + " does not exist: create it, or name another");
    }
    // proxy secrets and the config map stand in the set's namespace, as the credentials do
    var namespace = reference.namespace();
    var proxy = spec.proxy();
    return new ServiceAccess(
        url(spec.githubConfigUrl()),
        CredentialsCheck.read(name, content),
        proxy == null ? null : proxy(namespace, proxy.http()),
        proxy == null ? null : proxy(namespace, proxy.https()),
        proxy == null ? List.of() : proxy.noProxy(),
        certificates(namespace, spec));
  }

  private static ConfigUrl url(String text) {
    try {
      return ConfigUrl.parse(text);
    } catch (IllegalArgumentException e) {
      throw new UnusableAccessException(
          AccessReason.INVALID_CONFIG_URL, String.valueOf(e.getMessage()));
    }
  }

  private ServiceAccess.@Nullable Proxy proxy(
      String namespace, ProxySettings.@Nullable Endpoint endpoint) {
    if (endpoint == null) {
      return null;
    }
    var reference = endpoint.credentialSecretRef();
    if (reference == null) {
      return new ServiceAccess.Proxy(endpoint.url(), null, null);
    }
    var content = secret(namespace, reference.name());
    var user = content == null ? "" : content.getOrDefault("username", "").strip();
    if (content == null || user.isEmpty()) {
      throw new UnusableAccessException(
          AccessReason.PROXY_INVALID,
          "the secret "
              + namespace
              + "/"
              + reference.name()
              + " of the proxy "
              + (content == null ? "does not exist" : "lacks username")
              + ": it must have username and password");
    }
    return new ServiceAccess.Proxy(
        endpoint.url(), user, content.getOrDefault("password", "").strip());
  }

  private @Nullable String certificates(String namespace, AutoScalingListenerSpec spec) {
    if (spec.githubServerTLS() == null) {
      return null;
    }
    var reference = spec.githubServerTLS().certificateFrom().configMapKeyRef();
    var map = get(ConfigMap.class, namespace, reference.name());
    var pem = map == null || map.getData() == null ? null : map.getData().get(reference.key());
    if (pem == null) {
      throw new UnusableAccessException(
          AccessReason.CERTIFICATE_NOT_FOUND,
          "the config map "
              + namespace
              + "/"
              + reference.name()
              + (map == null ? " does not exist" : " has no key " + reference.key())
              + ": githubServerTLS must name a certificate");
    }
    return pem;
  }

  private @Nullable Map<String, String> secret(String namespace, String name) {
    var secret = get(Secret.class, namespace, name);
    if (secret == null) {
      return null;
    }
    var content = new HashMap<String, String>();
    if (secret.getData() != null) {
      secret.getData().forEach((key, value) -> content.put(key, decoded(value)));
    }
    return content;
  }

  private <T extends HasMetadata> @Nullable T get(Class<T> kind, String namespace, String name) {
    try {
      return kube.get(kind, Resource.of(kind, namespace, name));
    } catch (RuntimeException e) {
      throw Refusals.of(e);
    }
  }

  private static String decoded(String base64) {
    try {
      return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return ""; // the API server admits none such
    }
  }
}
