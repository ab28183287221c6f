package dev.runnerset.kube;

import dev.runnerset.base.Pure;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A request that no role allows, as the API server words it. Quotas, policies and webhooks word
 * their refusals otherwise, with the same status 403.
 *
 * @param user as the server knows who asked: {@code system:serviceaccount:NAMESPACE:NAME}
 * @param verb as a role names it
 * @param resource with its subresource: {@code pods/log}
 * @param group empty for the core group
 * @param namespace empty for cluster scope
 */
@Pure
public record Denial(String user, String verb, String resource, String group, String namespace) {
  private static final Pattern WORDS =
      Pattern.compile(
          "User \"([^\"]*)\" cannot (\\w+) resource \"([^\"]*)\" in API group \"([^\"]*)\""
              + " (?:in the namespace \"([^\"]*)\"|at the cluster scope)");
  private static final Pattern ACCOUNT = Pattern.compile("system:serviceaccount:([^:]+):([^:]+)");

  /** A service account and its namespace. */
  public record Account(String namespace, String name) {}

  /** What a failure tells; empty if a role is not what lacks. */
  public static Optional<Denial> of(KubernetesClientException failure) {
    return in(words(failure));
  }

  /** What the server said, without the request that the client adds to it. */
  public static String words(KubernetesClientException failure) {
    var status = failure.getStatus();
    return status == null || status.getMessage() == null
        ? String.valueOf(failure.getMessage())
        : status.getMessage();
  }

  /** What words of the server tell, among others or alone; empty if a role is not what lacks. */
  public static Optional<Denial> in(String words) {
    var found = WORDS.matcher(words);
    if (!found.find()) {
      return Optional.empty();
    }
    var namespace = found.group(5);
    return Optional.of(
        new Denial(
            found.group(1),
            found.group(2),
            found.group(3),
            found.group(4),
            namespace == null ? "" : namespace));
  }

  /** Whether the server forbids a request for a quota; it has no code for that, but words. */
  public static boolean isOfQuota(KubernetesClientException failure) {
    return failure.getCode() == HttpURLConnection.HTTP_FORBIDDEN
        && words(failure).contains("exceeded quota");
  }

  /** The service account that asked; empty if another kind of user did. */
  public Optional<Account> account() {
    var found = ACCOUNT.matcher(user);
    return found.matches()
        ? Optional.of(new Account(found.group(1), found.group(2)))
        : Optional.empty();
  }
}
