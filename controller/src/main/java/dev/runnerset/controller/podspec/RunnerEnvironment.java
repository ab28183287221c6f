package dev.runnerset.controller.podspec;

import dev.runnerset.crds.ProxySettings;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The environment variables of the runner's container (RN3). */
final class RunnerEnvironment {
  /** The runner reads its JIT config from this variable, and removes the variable. */
  static final String JIT_CONFIG = "ACTIONS_RUNNER_INPUT_JITCONFIG";

  /** With "1" a runner whose version is refused exits with 7 instead of 0 (protocol 8.6). */
  static final String VERSION_EXIT_CODE = "ACTIONS_RUNNER_RETURN_VERSION_DEPRECATED_EXIT_CODE";

  /** Names this product in the requests of the runner. */
  static final String USER_AGENT = "GITHUB_ACTIONS_RUNNER_EXTRA_USER_AGENT";

  private RunnerEnvironment() {}

  static List<EnvVar> of(String secretName, @Nullable ProxySettings proxy) {
    var env = new ArrayList<EnvVar>();
    env.add(fromSecret(JIT_CONFIG, secretName, RunnerPod.JIT_TOKEN_KEY));
    env.add(plain(VERSION_EXIT_CODE, "1"));
    env.add(plain(USER_AGENT, "runnerset"));
    if (proxy != null) {
      addProxy(env, "http", proxy.http());
      addProxy(env, "https", proxy.https());
      if (!proxy.noProxy().isEmpty()) {
        addBothCases(env, "no_proxy", String.join(",", proxy.noProxy()));
      }
    }
    return List.copyOf(env);
  }

  /**
   * The kubelet puts user and password into the URL, so that nobody copies them. It does not encode
   * them, so the secret must hold them percent-encoded.
   */
  private static void addProxy(
      List<EnvVar> env, String scheme, ProxySettings.@Nullable Endpoint endpoint) {
    if (endpoint == null) {
      return;
    }
    var url = endpoint.url();
    if (endpoint.credentialSecretRef() != null) {
      var prefix = "RUNNERSET_" + scheme.toUpperCase(Locale.ROOT) + "_PROXY_";
      var secret = endpoint.credentialSecretRef().name();
      env.add(fromSecret(prefix + "USERNAME", secret, "username"));
      env.add(fromSecret(prefix + "PASSWORD", secret, "password"));
      var authority = url.indexOf("://") + 3;
      url =
          url.substring(0, authority)
              + "$("
              + prefix
              + "USERNAME):$("
              + prefix
              + "PASSWORD)@"
              + url.substring(authority);
    }
    addBothCases(env, scheme + "_proxy", url);
  }

  /** Tools disagree on the case; the runner reads the lower case first. */
  private static void addBothCases(List<EnvVar> env, String name, String value) {
    env.add(plain(name, value));
    env.add(plain(name.toUpperCase(Locale.ROOT), value));
  }

  private static EnvVar plain(String name, String value) {
    return new EnvVarBuilder().withName(name).withValue(value).build();
  }

  private static EnvVar fromSecret(String name, String secret, String key) {
    return new EnvVarBuilder()
        .withName(name)
        .withNewValueFrom()
        .withNewSecretKeyRef(key, secret, null)
        .endValueFrom()
        .build();
  }
}
