package dev.runnerset.controller.features.leftovers;

import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerList;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.connection.NeededRights;
import dev.runnerset.controller.audit.AuditTimes;
import dev.runnerset.controller.audit.AuditedSets;
import dev.runnerset.controller.audit.Doubt;
import dev.runnerset.controller.audit.SeenRunners;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.metrics.LeftOver;
import dev.runnerset.controller.metrics.LeftOver.Result;
import dev.runnerset.controller.ownership.LogLines;
import dev.runnerset.controller.removal.Now;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.condition.EventReason;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Searches for registrations of a set that have no resource, and for runners that have no
 * registration, and removes them (I5, RN20). Blocks for its requests.
 */
record LeftOverSearch(
    AuditedSets sets,
    Supplier<Stream<Pod>> pods,
    ServiceConnections connections,
    RunnerLists lists,
    LeftOvers leftOvers,
    Clock clock) {
  private static final Logger LOG = LoggerFactory.getLogger(LeftOverSearch.class);

  /** Upper bound of service requests for a search. */
  private static final int MOST_ASKED = 20;

  /**
   * Searches for registrations without a runner.
   *
   * @param excess at most so many are removed
   * @return what is known after that
   */
  Doubt registrations(EphemeralRunnerSet set, int excess, Doubt doubt) {
    var reading = lists.of(RunnerConnections.keyOf(set));
    var list = reading.list();
    if (list == null) {
      if (reading.refusal() != null) {
        leftOvers.warn(
            set,
            EventReason.RUNNER_LIST_REFUSED,
            ("the service counts %d registration%s more than there are runners, and GitHub does not"
                    + " show its list of runners to these credentials: %s; %s")
                .formatted(
                    excess,
                    excess == 1 ? "" : "s",
                    reading.refusal().details().sentence(),
                    NeededRights.at(set.getSpec().githubConfigUrl())));
      }
      return doubt.refused(reading.until(), clock.instant());
    }
    var foreign = new HashSet<>(doubt.foreign());
    foreign.retainAll(
        list.runners().stream().map(RunnerList.Listed::name).collect(Collectors.toSet()));
    boolean progress = tryRemove(set, list, excess, foreign);
    // once: where runners come and go all the time there is always one that went just now
    var soon =
        progress || doubt.fruitless() > 0 ? Optional.<Instant>empty() : searchableFrom(set, list);
    return soon.map(from -> doubt.searchedTooSoon(from, foreign))
        .orElseGet(() -> doubt.searched(progress, foreign, clock.instant()));
  }

  /** When the next registration may be a left-over whose runner went lately; empty for none. */
  private Optional<Instant> searchableFrom(EphemeralRunnerSet set, RunnerList list) {
    var seen = sets.memory(set).get().seen();
    return list.runners().stream()
        .filter(each -> !each.busy())
        .flatMap(each -> seen.knownUntil(each.name()).stream())
        .min(Comparator.naturalOrder());
  }

  private boolean tryRemove(
      EphemeralRunnerSet set, RunnerList list, int excess, Set<String> foreign) {
    try {
      return remove(set, list, excess, foreign);
    } catch (KubernetesClientException e) {
      warn(set, e, "the API server cannot be asked about runners; a later sweep tries again");
      return false;
    }
  }

  /**
   * Removes them.
   *
   * @param foreign names of registrations of other scale sets; this method adds those it finds
   * @return whether something was removed or learned, so that another search is worth while
   */
  private boolean remove(EphemeralRunnerSet set, RunnerList list, int excess, Set<String> foreign) {
    var namespace = set.getMetadata().getNamespace();
    var known = new HashSet<>(sets.memory(set).get().seen().names());
    known.addAll(foreign);
    // a registration that has a pod goes with it: it is the pod's only one (PodSweep)
    pods.get()
        .map(pod -> pod.getMetadata())
        .filter(pod -> namespace.equals(pod.getNamespace()))
        .forEach(pod -> {
          known.add(pod.getName());
          pod.getOwnerReferences().forEach(owner -> known.add(owner.getName()));
        });
    // whether they are of the set's scale set, the service tells; the oldest come first
    var isBusy =
        list.runners().stream()
            .filter(each -> sets.isNameOf(set, each.name()) && !known.contains(each.name()))
            .filter(each -> sets.runner(namespace, each.name()).isEmpty())
            .sorted(Comparator.comparingLong(each -> each.id().value()))
            .collect(Collectors.partitioningBy(RunnerList.Listed::busy));
    some(isBusy, true)
        .forEach(busy -> report(set, LeftOver.REGISTRATION, busy.name(), Result.BUSY));
    boolean progress = false;
    int removed = 0;
    int failed = 0;
    for (var left : some(isBusy, false)) {
      var name = left.name();
      if (removed >= excess || failed == 2) {
        break; // the next ones would fail, too
      }
      // INVARIANT (I5): the API server, not a cache, says that no such runner exists
      if (leftOvers.runner(namespace, name).isPresent()) {
        continue;
      }
      var result = sets.removeRegistration(set, name, left.id().value()).orElse(null);
      if (result == null) {
        break;
      }
      switch (result) {
        case REMOVED, GONE -> removed++;
        case FOREIGN -> foreign.add(name);
        case FAILED -> failed++;
        case BUSY -> {}
      }
      progress |= result == Result.REMOVED || result == Result.FOREIGN;
      if (result != Result.FOREIGN) { // another set, here or elsewhere, has such names too
        report(set, LeftOver.REGISTRATION, name, result);
      }
      if (result == Result.REMOVED) {
        leftOvers.deleteSecret(namespace, set.getMetadata().getName(), name);
      }
    }
    return progress;
  }

  private static List<RunnerList.Listed> some(
      Map<Boolean, List<RunnerList.Listed>> isBusy, boolean busy) {
    return isBusy.getOrDefault(busy, List.of()).stream().limit(MOST_ASKED).toList();
  }

  /**
   * Searches for runners whose container runs and that the service does not know: no job comes to
   * them. Each is asked for by id and by name before it goes.
   *
   * @param deficit at most so many are removed
   * @return what is known after that
   */
  Doubt runners(EphemeralRunnerSet set, int deficit, Doubt doubt) {
    var now = clock.instant();
    var since = now.minus(AuditTimes.CONFIRMED_AFTER);
    var asked =
        sets.memory(set).get().seen().missingSince(since, Integer.MAX_VALUE).stream()
            .map(SeenRunners.Missing::runner)
            .filter(runner -> runner.isFree(new Now(now)))
            .limit(MOST_ASKED)
            .toList();
    int unknown = 0;
    boolean removed = false;
    try {
      for (var runner : asked) {
        if (unknown < deficit && isUnknown(set, runner)) {
          unknown++;
          var result = sets.removeRunner(set, runner);
          result.ifPresent(became -> report(set, LeftOver.RESOURCE, runner.name(), became));
          removed |= result.equals(Optional.of(Result.REMOVED));
        }
      }
    } catch (ServiceException | InvalidConnectionException | KubernetesClientException e) {
      warn(set, e, "the service cannot be asked about runners; the next sweep tries again");
    }
    return doubt.searched(removed, doubt.foreign(), clock.instant());
  }

  private boolean isUnknown(EphemeralRunnerSet set, RunnerView view) {
    var id =
        sets.runner(set.getMetadata().getNamespace(), view.name())
            .filter(runner -> view.uid().equals(runner.getMetadata().getUid()))
            .map(runner -> runner.statusOrNone().runnerId());
    if (id.isEmpty()) {
      return false;
    }
    var service = connections.toCleanUp(RunnerConnections.keyOf(set));
    // a restored service gives ids again: one of another name is somebody else's
    return service
            .runner(new RunnerId(id.get()))
            .filter(found -> found.name().equalsIgnoreCase(view.name()))
            .isEmpty()
        && service.runnerNamed(view.name()).isEmpty();
  }

  private void report(EphemeralRunnerSet set, LeftOver kind, String name, Result result) {
    var meta = set.getMetadata();
    var why =
        kind == LeftOver.RESOURCE
            ? unknown(result)
            : "the service has a registration without a runner here; " + unexplained(result);
    leftOvers.report(meta.getNamespace(), meta.getName(), name, kind, result, why);
  }

  private static String unexplained(Result result) {
    return switch (result) {
      case REMOVED -> "it is removed";
      case GONE -> "it went by itself";
      case BUSY -> "it has a job, and is looked at again";
      case FAILED, FOREIGN -> "it could not be removed, and is tried again";
    };
  }

  private static String unknown(Result result) {
    return switch (result) {
      case REMOVED, GONE -> "removed; the service did not know it, so no job could come";
      case BUSY -> "stays; the service did not know it, and says now that it has a job";
      case FAILED, FOREIGN -> "cannot be removed yet; the service does not know it";
    };
  }

  private static void warn(EphemeralRunnerSet set, RuntimeException e, String what) {
    LogLines.about(set, LOG.atWarn()).addKeyValue("error", e.getMessage()).log(what);
  }
}
