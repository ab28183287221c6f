package dev.runnerset.controller.features.upgrade;

import dev.runnerset.base.Installation;
import dev.runnerset.base.Pure;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.ProtocolLevel;
import dev.runnerset.crds.condition.RunnerSetReason;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which part of an installation is too old for the others, and what to run (UP2 to UP4). */
@Pure
public final class UpgradeFindings {
  private static final int NAMED = 5;
  private static final String KINDS_COMMAND = "run " + Installation.UPGRADE;
  private static final String PROGRAM_COMMAND =
      KINDS_COMMAND + ", so that both programs have the same version";

  private UpgradeFindings() {}

  /**
   * What is to be reported of a set: the first reason, and every sentence; null if all fits
   * together.
   *
   * @param missing the fields that the cluster's kinds lack, by kind
   * @param unknown the fields of the set's spec that this version does not know
   * @param listener null while there is no listener object
   * @param policy what is to be reported of the admission policy; null for nothing
   */
  public static @Nullable Finding of(
      Map<String, NavigableSet<String>> missing,
      Collection<String> unknown,
      @Nullable AutoScalingListenerStatus listener,
      @Nullable Finding policy) {
    var found =
        Stream.of(kinds(missing), session(listener), spec(unknown), policy)
            .filter(Objects::nonNull)
            .map(Objects::requireNonNull)
            .toList();
    return found.isEmpty()
        ? null
        : new Finding(
            found.getFirst().reason(),
            found.stream().map(Finding::message).collect(Collectors.joining(". Also: ")));
  }

  private static @Nullable Finding kinds(Map<String, NavigableSet<String>> missing) {
    var lacking = missing.entrySet().stream().filter(e -> !e.getValue().isEmpty()).toList();
    if (lacking.isEmpty()) {
      return null;
    }
    var kinds =
        lacking.stream()
            .map(e -> e.getKey() + " lacks " + some(e.getValue()))
            .collect(Collectors.joining("; "));
    return new Finding(
        RunnerSetReason.KINDS_OUTDATED,
        "the kinds in the cluster are older than this controller: %s. The API server drops these fields"
                .formatted(kinds)
            + "; runners and jobs continue. To fix this: "
            + KINDS_COMMAND);
  }

  private static @Nullable Finding session(@Nullable AutoScalingListenerStatus listener) {
    if (listener == null || listener.holder() == null || listener.holder().isEmpty()) {
      return null;
    }
    int apart = ProtocolLevel.apart(ProtocolLevel.OURS, listener.protocolLevel());
    if (apart == 0) {
      return null;
    }
    return new Finding(
        apart < 0 ? RunnerSetReason.LISTENER_OUTDATED : RunnerSetReason.CONTROLLER_OUTDATED,
        "the listener process %s speaks level %d of the protocol, and this controller level %d: the"
                .formatted(
                    listener.holder(),
                    Objects.requireNonNullElse(listener.protocolLevel(), 0),
                    ProtocolLevel.OURS)
            + (apart < 0 ? " listener" : " controller")
            + " is too old for the other. To fix this: "
            + PROGRAM_COMMAND);
  }

  private static @Nullable Finding spec(Collection<String> unknown) {
    return unknown.isEmpty()
        ? null
        : new Finding(
            RunnerSetReason.CONTROLLER_OUTDATED,
            "this controller is older than the kinds in the cluster, and does not know %s: that has no"
                    .formatted(some(unknown))
                + " effect and stays as it is. To fix this: "
                + PROGRAM_COMMAND);
  }

  private static String some(Collection<String> fields) {
    var first = List.copyOf(fields).subList(0, Math.min(NAMED, fields.size()));
    int more = fields.size() - first.size();
    return String.join(", ", first) + (more == 0 ? "" : " and " + more + " more");
  }
}
