package dev.runnerset.crds;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runnerset.base.Pure;
import org.jspecify.annotations.Nullable;

/**
 * What a listener's connection to the service depends on, of its object's spec: another one of
 * these is another session. The capacity is not a part of the connection.
 */
@Pure
public record ServiceConnection(
    String url,
    NamespacedReference secret,
    Integer scaleSetId,
    @Nullable ProxySettings proxy,
    @Nullable ServerTls serverTls) {
  private static final int DIGITS = 10;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** That of a listener object. */
  public static ServiceConnection of(AutoScalingListenerSpec spec) {
    return new ServiceConnection(
        spec.githubConfigUrl(),
        spec.githubConfigSecret(),
        spec.scaleSetId(),
        spec.proxy(),
        spec.githubServerTLS());
  }

  /** The same in short, for a status: of equal ones equal, in every process. */
  public String hash() {
    return Sha256.hex(JSON.valueToTree(this).toString(), DIGITS);
  }
}
