package dev.runnerset.simulator.node;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When things happened to a pod, as this node saw them.
 *
 * @param created when the node first saw it
 * @param running when its containers had started
 * @param finished when the runner had ended
 * @param gone when the object had disappeared
 * @param exitCode of the runner container
 */
public record PodTimings(
    String namespace,
    String name,
    String uid,
    Instant created,
    @Nullable Instant bound,
    @Nullable Instant running,
    @Nullable Instant finished,
    @Nullable Instant gone,
    @Nullable Integer exitCode) {

  static PodTimings created(PodIdentity pod, Instant at) {
    return new PodTimings(pod.namespace(), pod.name(), pod.uid(), at, null, null, null, null, null);
  }

  PodTimings bound(Instant at) {
    return new PodTimings(namespace, name, uid, created, at, running, finished, gone, exitCode);
  }

  PodTimings running(Instant at) {
    return new PodTimings(namespace, name, uid, created, bound, at, finished, gone, exitCode);
  }

  PodTimings finished(Instant at, int code) {
    return new PodTimings(namespace, name, uid, created, bound, running, at, gone, code);
  }

  PodTimings gone(Instant at) {
    return new PodTimings(namespace, name, uid, created, bound, running, finished, at, exitCode);
  }
}
