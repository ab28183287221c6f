package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.audit.RegisteredRunners;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.RunnersOfSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Retention;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The runners of one set as its passes see them: kept from pass to pass, so that a pass makes the
 * views of those only that changed. Used by one thread at a time.
 */
final class GatheredRunners {
  /** What the views depend on beside their runners; all are made again if it changes. */
  record Basis(
      String revision,
      @Nullable Integer scaleSet,
      @Nullable Retention retention,
      RunnerView.OfSet ofSet,
      long nodes) {}

  private final RunnersOfSet runners = new RunnersOfSet(Instant.MIN);
  private final RegisteredRunners registered = new RegisteredRunners();
  private final Map<String, String> uidByName = new HashMap<>();
  private @Nullable Basis basis; // null before the first pass
  private boolean complete;
  private boolean learned;

  RunnersOfSet all() {
    return runners;
  }

  RegisteredRunners registered() {
    return registered;
  }

  /** Whether no pass has seen the set. */
  boolean isUnseen() {
    return basis == null;
  }

  /**
   * A pass begins, and takes what changed.
   *
   * @return whether all runners have to be read: none was yet, or the last pass failed before it
   *     had read those that changed
   */
  boolean startsOver() {
    boolean first = !complete;
    complete = false;
    return first;
  }

  /** What changed at this moment was learned: the next one has changes of its own. */
  void learned() {
    learned = true;
  }

  /** The names of those that are known. */
  Set<String> names() {
    return Set.copyOf(uidByName.keySet());
  }

  /**
   * The names of those of whose removal something changed; of those that are gone, nothing stays.
   */
  List<String> takeChanged(RemovalMemory removals) {
    var names = new ArrayList<String>();
    for (var uid : removals.takeChanged()) {
      var known = runners.find(uid);
      if (known == null) {
        removals.isGone(uid);
      } else {
        names.add(known.name());
      }
    }
    return names;
  }

  /**
   * Another moment begins.
   *
   * @param changed runners that came or changed, by name; empty for one that is gone, or not of the
   *     set
   * @param removals forgets those that are gone
   * @param view makes the view of a runner, by its last one
   */
  void update(
      Basis next,
      Map<String, Optional<EphemeralRunner>> changed,
      RemovalMemory removals,
      BiFunction<EphemeralRunner, @Nullable RunnerView, RunnerView> view,
      Instant now) {
    if (learned) {
      runners.advance(now);
    } else {
      runners.resume(now); // the last pass failed before what had changed was learned
    }
    learned = false;
    changed.forEach((name, runner) -> {
      var uid = runner.map(one -> one.getMetadata().getUid()).orElse(null);
      var before = uid == null ? uidByName.remove(name) : uidByName.put(name, uid);
      if (before != null && !before.equals(uid)) {
        runners.remove(before);
        removals.isGone(before);
      }
      runner.ifPresent(one -> put(one, view));
    });
    if (!next.equals(basis)) {
      runners.all().toList().forEach(known -> put(known.resource(), view));
      basis = next;
    }
    complete = true;
  }

  private void put(
      EphemeralRunner runner, BiFunction<EphemeralRunner, @Nullable RunnerView, RunnerView> view) {
    runners.put(view.apply(runner, runners.find(runner.getMetadata().getUid())));
  }
}
