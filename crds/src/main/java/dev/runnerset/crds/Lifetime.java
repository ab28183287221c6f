package dev.runnerset.crds;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How long the pod of a runner may run at most, idle time included (RN22). */
public final class Lifetime {
  /** The least leaves a job half of that time: an image may take ten minutes. */
  static final String RULE =
      "!"
          + GoDuration.RULE
          + " || (duration(self) >= duration('30m') && duration(self) <= duration('8760h'))";

  static final String EXPECTED = "write a time from 30m to 8760h, which is a year";

  private Lifetime() {}

  /**
   * The lifetime of a pod of that template.
   *
   * @param maxLifetime as a spec has it; null, or a text that is no duration, for none
   * @return empty without a {@code maxLifetime}; the deadline of the template if that is shorter
   */
  public static Optional<Duration> of(
      @Nullable String maxLifetime, @Nullable PodTemplateSpec template) {
    var spec = template == null ? null : template.getSpec();
    var own = spec == null ? null : spec.getActiveDeadlineSeconds();
    return of(maxLifetime)
        .map(time -> own == null || own > time.toSeconds() ? time : Duration.ofSeconds(own));
  }

  /** The time that a spec has; empty if it is absent or no duration. */
  public static Optional<Duration> of(@Nullable String maxLifetime) {
    return GoDuration.parse(maxLifetime).filter(Duration::isPositive);
  }
}
