package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which other controllers live, by their leases. A lease counts from the moment at which this
 * process saw it changed, by a clock that nobody sets. Thread-safe; blocks for one request at most
 * once in {@link OwnershipTimes#READ_EVERY} for each controller.
 */
final class OtherControllers {
  /** What a read of a lease shows. */
  sealed interface Read {
    /**
     * It is there, or it is not: then version and duration are empty.
     *
     * @param version differs after each renewal
     */
    record Seen(String version, Duration lasts) implements Read {}

    /** No role lets this controller read it. */
    record NotAllowed() implements Read {}

    /** It could not be read now. */
    record Failed() implements Read {}
  }

  /** What is known of a controller. */
  enum State {
    FRESH,
    STALE,
    NOT_VISIBLE
  }

  private record Known(
      @Nullable String version, Duration lasts, long since, long readAt, State state) {}

  private final Function<String, Read> leases;
  private final LongSupplier nanoTime;
  private final Map<String, Known> knownByController = new HashMap<>(); // guarded by this

  /**
   * Knows none yet.
   *
   * @param leases reads the lease of a controller, by its namespace and name
   * @param nanoTime a clock that no administrator sets, as {@link System#nanoTime}
   */
  OtherControllers(Function<String, Read> leases, LongSupplier nanoTime) {
    this.leases = leases;
    this.nanoTime = nanoTime;
  }

  /** Reads leases from the API server. */
  static Read read(KubeApi kube, String controller) {
    int slash = controller.indexOf('/');
    var at =
        Resource.of(
            Lease.class,
            controller.substring(0, Math.max(0, slash)),
            controller.substring(slash + 1));
    try {
      var lease = kube.get(Lease.class, at);
      if (lease == null) {
        return new Read.Seen("", Duration.ZERO);
      }
      var seconds = lease.getSpec() == null ? null : lease.getSpec().getLeaseDurationSeconds();
      return new Read.Seen(
          Objects.requireNonNullElse(lease.getMetadata().getResourceVersion(), ""),
          Duration.ofSeconds(seconds == null ? 0 : seconds));
    } catch (KubernetesClientException e) {
      return e.getCode() == 403 ? new Read.NotAllowed() : new Read.Failed();
    }
  }

  /** Whether that controller lives; a lease that cannot be read for now leaves it as it was. */
  synchronized State of(String controller) {
    var now = nanoTime.getAsLong();
    var before = knownByController.get(controller);
    if (before != null && now - before.readAt() < OwnershipTimes.READ_EVERY.toNanos()) {
      return before.state();
    }
    var known = next(before, leases.apply(controller), now);
    knownByController.put(controller, known);
    return known.state();
  }

  private static Known next(@Nullable Known before, Read read, long now) {
    return switch (read) {
      case Read.NotAllowed() -> new Known(null, Duration.ZERO, now, now, State.NOT_VISIBLE);
      case Read.Failed() ->
          before == null
              ? new Known(null, Duration.ZERO, now, now, State.FRESH)
              : new Known(before.version(), before.lasts(), before.since(), now, before.state());
      case Read.Seen(var version, var lasts) -> {
        long since = before != null && version.equals(before.version()) ? before.since() : now;
        boolean over = now - since >= lasts.plus(OwnershipTimes.SLACK).toNanos();
        yield new Known(version, lasts, since, now, over ? State.STALE : State.FRESH);
      }
    };
  }
}
