package dev.runnerset.controller.sweep;

import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.events.SetOfRunner;
import dev.runnerset.controller.metrics.LeftOver;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.condition.EventReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells what a sweep found: a counter, an event on the set, a line of the log. */
final class LeftOverEvents {
  private static final Logger LOG = LoggerFactory.getLogger(LeftOverEvents.class);

  private final Events events;
  private final Meters meters;

  LeftOverEvents(Events events, Meters meters) {
    this.events = events;
    this.meters = meters;
  }

  /**
   * Tells of one.
   *
   * @param name of the runner that it was
   * @param why what is without what, and what became of it
   */
  void report(
      EphemeralRunnerSet set, LeftOver kind, LeftOver.Result result, String name, String why) {
    count(set.getMetadata().getNamespace(), set.getMetadata().getName(), kind, result);
    log(set.getMetadata().getNamespace(), name, kind, result, why);
    boolean gone = result == LeftOver.Result.REMOVED || result == LeftOver.Result.GONE;
    event(set, gone ? EventReason.LEFT_OVER_REMOVED : EventReason.LEFT_OVER_STAYS, name + why);
  }

  /** Tells of one whose set is gone. */
  void reportWithoutSet(OrphanPod pod, LeftOver kind, LeftOver.Result result, String why) {
    count(pod.namespace(), pod.set(), kind, result);
    log(pod.namespace(), pod.name(), kind, result, why);
  }

  /** An event on the set. */
  void event(EphemeralRunnerSet set, EventReason reason, String message) {
    SetOfRunner.of(set).ifPresent(about -> events.warn(about, reason, message));
  }

  private void count(String namespace, String set, LeftOver kind, LeftOver.Result result) {
    meters.count(Meter.LEFT_OVERS, namespace, set, kind.word(), result.word());
  }

  private static void log(
      String namespace, String name, LeftOver kind, LeftOver.Result result, String why) {
    LOG.atInfo()
        .addKeyValue("namespace", namespace)
        .addKeyValue("runner", name)
        .addKeyValue("kind", kind.word())
        .addKeyValue("result", result.word())
        .addKeyValue("why", why.strip())
        .log("the sweep found a left-over");
  }
}
