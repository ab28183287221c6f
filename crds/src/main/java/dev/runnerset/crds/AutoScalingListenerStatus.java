package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.runnerset.crds.condition.StatusConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of a session; written by the listener, on change only. */
@EmptyIsAbsent
@WithBuilder
public record AutoScalingListenerStatus(
    @JsonPropertyDescription("the process that holds the session") @Nullable String holder,
    @JsonPropertyDescription("raised at each change of the holder") @Nullable Long epoch,
    @JsonPropertyDescription("id of the session at the service") @Nullable String sessionId,
    @JsonPropertyDescription(
            "hash of the URL, secret, scale set, proxy and certificate that the session was opened"
                + " with")
        @Nullable String connection,
    @JsonPropertyDescription("whether it is connected, and can write; if not, why")
        List<Condition> conditions,
    @JsonPropertyDescription(
            "the level of the protocol that the holder speaks; absent for 0"
                + " (docs/operate/upgrade.md)")
        @Nullable Integer protocolLevel,
    @JsonPropertyDescription("what the service last reported; absent while that is unknown")
        @Nullable Demand demand) {

  /** Nothing observed yet. */
  public static final AutoScalingListenerStatus NONE =
      AutoScalingListenerStatusBuilder.builder().build();

  /** Absent lists are empty, so that equality survives a round trip. */
  public AutoScalingListenerStatus {
    conditions = StatusConditions.stored(conditions);
  }
}
