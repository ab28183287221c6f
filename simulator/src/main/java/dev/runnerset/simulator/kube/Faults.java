package dev.runnerset.simulator.kube;

import dev.runnerset.simulator.kube.kind.ResourceType;
import dev.runnerset.simulator.kube.status.ApiException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Switches that make the server slow or unkind. All off at the start. Thread-safe. */
public final class Faults {
  private record Failure(int code, AtomicInteger left) {}

  private record Hidden(String writer, String resource) {}

  private static final Set<String> SHOWING_VERBS = Set.of("list", "watch");

  private final Map<String, Failure> failureByResource = new ConcurrentHashMap<>();
  private final Map<String, Duration> watchLagByResource = new ConcurrentHashMap<>();
  private final Set<Hidden> hidden = ConcurrentHashMap.newKeySet();
  private volatile Duration latency = Duration.ZERO;

  /** Every request waits that long before it is looked at. */
  public void latency(Duration perRequest) {
    latency = perRequest;
  }

  /**
   * The next writes on a resource are refused and do nothing.
   *
   * @param resource plural with group, as in {@link RequestCounters.Key}
   * @param code 409, 429, 500 or any other HTTP error
   * @param times how many; 0 switches it off
   */
  public void failNextWrites(String resource, int code, int times) {
    failureByResource.put(resource, new Failure(code, new AtomicInteger(times)));
  }

  /**
   * A client may neither list nor watch a resource, as without a role; watches that are open go on.
   *
   * @param writer the client, as in {@link RequestCounters.Key}
   * @param resource plural with group, as there
   */
  public void hide(String writer, String resource) {
    hidden.add(new Hidden(writer, resource));
  }

  /** The client may list and watch it again. */
  public void show(String writer, String resource) {
    hidden.remove(new Hidden(writer, resource));
  }

  /**
   * Watches of a resource tell of each change that much later, in order; reads and lists are
   * prompt.
   *
   * @param resource plural with group, as in {@link RequestCounters.Key}
   */
  public void watchLag(String resource, Duration lag) {
    watchLagByResource.put(resource, lag);
  }

  Duration latency() {
    return latency;
  }

  Duration watchLag(ResourceType type) {
    return watchLagByResource.getOrDefault(type.qualified(), Duration.ZERO);
  }

  void check(String writer, ResourceType type, String verb) {
    if (SHOWING_VERBS.contains(verb) && hidden.contains(new Hidden(writer, type.qualified()))) {
      throw ApiException.of(403, reason(403), "no role lets you " + verb + " " + type.qualified());
    }
    Failure failure = failureByResource.get(type.qualified());
    if (failure != null
        && RequestCounters.WRITE_VERBS.contains(verb)
        && failure.left().getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      throw ApiException.of(failure.code(), reason(failure.code()), "injected fault");
    }
  }

  private static String reason(int code) {
    return switch (code) {
      case 401 -> "Unauthorized";
      case 403 -> "Forbidden";
      case 409 -> "Conflict";
      case 422 -> "Invalid";
      case 429 -> "TooManyRequests";
      case 503 -> "ServiceUnavailable";
      default -> "InternalError";
    };
  }
}
