package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * What a listener needs to hold the session of one set.
 *
 * @param capacity the jobs offered to the service with each poll, running ones included
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record AutoScalingListenerSpec(
    @JsonPropertyDescription("the set that is listened for") @Required ListenerTarget runnerSet,
    @JsonPropertyDescription("the URL of the set") @Required String githubConfigUrl,
    @JsonPropertyDescription("the credentials") @Required NamespacedReference githubConfigSecret,
    @JsonPropertyDescription("id of the scale set at the service") @Required Integer scaleSetId,
    @JsonPropertyDescription("so many jobs are taken at a time, the running ones included")
        @Required
        @Min(0)
        Integer capacity,
    @JsonPropertyDescription(EphemeralRunnerSetSpec.SHARED) @Nullable ProxySettings proxy,
    @JsonPropertyDescription(EphemeralRunnerSetSpec.SHARED) @Nullable ServerTls githubServerTLS,
    @JsonPropertyDescription("Shared or Dedicated") @Default("Shared")
        @Nullable ListenerMode mode) {
  /** A builder of a spec that has only the required fields. */
  public static Builder builder(
      ListenerTarget runnerSet,
      String githubConfigUrl,
      NamespacedReference githubConfigSecret,
      Integer scaleSetId,
      Integer capacity) {
    return new Builder(runnerSet, githubConfigUrl, githubConfigSecret, scaleSetId, capacity);
  }

  /** A builder that has the values of this spec. */
  public Builder toBuilder() {
    return new Builder(runnerSet, githubConfigUrl, githubConfigSecret, scaleSetId, capacity)
        .proxy(proxy)
        .githubServerTLS(githubServerTLS)
        .mode(mode);
  }

  /** Sets fields by name. */
  public static final class Builder {
    private final ListenerTarget runnerSet;
    private final String githubConfigUrl;
    private final NamespacedReference githubConfigSecret;
    private final Integer scaleSetId;
    private final Integer capacity;
    private @Nullable ProxySettings proxy;
    private @Nullable ServerTls githubServerTLS;
    private @Nullable ListenerMode mode;

    private Builder(
        ListenerTarget runnerSet,
        String githubConfigUrl,
        NamespacedReference githubConfigSecret,
        Integer scaleSetId,
        Integer capacity) {
      this.runnerSet = runnerSet;
      this.githubConfigUrl = githubConfigUrl;
      this.githubConfigSecret = githubConfigSecret;
      this.scaleSetId = scaleSetId;
      this.capacity = capacity;
    }

    /** Sets {@link AutoScalingListenerSpec#proxy}; null for none. */
    public Builder proxy(@Nullable ProxySettings value) {
      proxy = value;
      return this;
    }

    /** Sets {@link AutoScalingListenerSpec#githubServerTLS}; null for none. */
    public Builder githubServerTLS(@Nullable ServerTls value) {
      githubServerTLS = value;
      return this;
    }

    /** Sets {@link AutoScalingListenerSpec#mode}; null for none. */
    public Builder mode(@Nullable ListenerMode value) {
      mode = value;
      return this;
    }

    /** The spec with what was set; the rest is absent. */
    public AutoScalingListenerSpec build() {
      return new AutoScalingListenerSpec(
          runnerSet,
          githubConfigUrl,
          githubConfigSecret,
          scaleSetId,
          capacity,
          proxy,
          githubServerTLS,
          mode);
    }
  }
}
