package dev.runnerset.controller.sweep;

import dev.runnerset.actions.RunnerList;
import dev.runnerset.connection.NeededRights;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.metrics.LeftOver;
import dev.runnerset.controller.metrics.LeftOver.Result;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.condition.EventReason;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks for registrations of a set that have no resource, and removes them (I5, RN20). */
final class RegistrationSweep {
  private static final Logger LOG = LoggerFactory.getLogger(RegistrationSweep.class);

  private final SetsToSweep sets;
  private final Supplier<Stream<Pod>> pods;
  private final RunnerLists lists;
  private final LeftOverObjects objects;
  private final LeftOverEvents events;
  private final Clock clock;

  /** Names of registrations of other scale sets, as the service told; they are asked for once. */
  private final Map<String, Set<String>> foreignByUid = new ConcurrentHashMap<>();

  RegistrationSweep(
      SetsToSweep sets,
      Supplier<Stream<Pod>> pods,
      RunnerLists lists,
      LeftOverObjects objects,
      LeftOverEvents events,
      Clock clock) {
    this.sets = sets;
    this.pods = pods;
    this.lists = lists;
    this.objects = objects;
    this.events = events;
    this.clock = clock;
  }

  /** There are only these sets. */
  void retain(Set<String> uids) {
    foreignByUid.keySet().retainAll(uids);
  }

  /**
   * Looks. Blocks for its requests.
   *
   * @param excess at most so many are removed
   */
  SweepState sweep(EphemeralRunnerSet set, int excess, SweepState state) {
    return switch (lists.of(RunnerConnections.keyOf(set))) {
      case RunnerLists.Reading.Listed(var list) ->
          state.looked(tryRemove(set, list, excess), clock.instant());
      case RunnerLists.Reading.Not(var until, var refusal) -> {
        if (refusal != null) {
          var rights = NeededRights.at(set.getSpec().githubConfigUrl());
          events.event(
              set,
              EventReason.RUNNER_LIST_REFUSED,
              "the service counts "
                  + (excess == 1 ? "1 registration" : excess + " registrations")
                  + " more than there are runners, and GitHub does not show its list"
                  + " of runners to these credentials: "
                  + refusal.details().sentence()
                  + "; "
                  + rights);
        }
        yield state.refused(until, clock.instant());
      }
    };
  }

  private boolean tryRemove(EphemeralRunnerSet set, RunnerList list, int excess) {
    try {
      return remove(set, list, excess);
    } catch (KubernetesClientException e) {
      warn(set, e, "the API server cannot be asked about runners; a later sweep tries again");
      return false;
    }
  }

  /** Whether something was removed or learned, so that another look is worth while. */
  private boolean remove(EphemeralRunnerSet set, RunnerList list, int excess) {
    var namespace = set.getMetadata().getNamespace();
    var foreign =
        foreignByUid.computeIfAbsent(
            set.getMetadata().getUid(), uid -> ConcurrentHashMap.newKeySet());
    foreign.retainAll(list.runners().stream().map(RunnerList.Listed::name).toList());
    var known = sets.knownNames(set);
    known.addAll(foreign);
    // a registration that has a pod goes with it: it is the pod's only one (PodSweep)
    pods.get()
        .map(pod -> pod.getMetadata())
        .filter(pod -> namespace.equals(pod.getNamespace()))
        .forEach(pod -> known.add(pod.getName()));
    var choice = RegistrationChoice.of(list, name -> sets.isNameOf(set, name), known);
    choice
        .busy()
        .forEach(runner ->
            events.report(
                set,
                LeftOver.REGISTRATION,
                Result.BUSY,
                runner.name(),
                ": the service has a registration without a runner here, and it has a job; it is"
                    + " looked at again"));
    var leftOvers =
        choice.idle().stream()
            // INVARIANT (I5): the server, not a cache, says that there is no such runner
            .filter(runner -> !objects.hasRunner(namespace, runner.name()))
            .map(runner -> sets.leftOver(set, runner.name(), runner.id().value()))
            .toList();
    boolean progress = false;
    int removed = 0;
    int failed = 0;
    for (var leftOver : leftOvers) {
      var result =
          removed < excess && failed < 2 // the next ones would fail, too
              ? sets.removeRegistration(set, leftOver)
              : Optional.<Result>empty();
      if (result.isEmpty()) {
        break;
      }
      heard(set, leftOver, result.get());
      switch (result.get()) {
        case REMOVED, GONE -> removed++;
        case FOREIGN -> foreign.add(leftOver.getMetadata().getName());
        case FAILED -> failed++;
        case BUSY -> {}
      }
      progress |= result.get() == Result.REMOVED || result.get() == Result.FOREIGN;
    }
    return progress;
  }

  private void heard(EphemeralRunnerSet set, EphemeralRunner leftOver, Result result) {
    var name = leftOver.getMetadata().getName();
    if (result == Result.FOREIGN) {
      return; // another set, here or in another cluster, has such names too
    }
    events.report(
        set,
        LeftOver.REGISTRATION,
        result,
        name,
        ": the service has a registration without a runner here; "
            + switch (result) {
              case REMOVED -> "it is removed";
              case GONE -> "it went by itself";
              case BUSY -> "it has a job, and is looked at again";
              case FOREIGN, FAILED -> "it could not be removed, and is tried again";
            });
    if (result == Result.REMOVED) {
      deleteSecret(set, name);
    }
  }

  private void deleteSecret(EphemeralRunnerSet set, String name) {
    var meta = set.getMetadata();
    try {
      if (objects.deleteSecret(meta.getNamespace(), name, meta.getName())) {
        events.report(
            set, LeftOver.SECRET, Result.REMOVED, name, ": its secret stood without a runner");
      }
    } catch (KubernetesClientException e) {
      // the registration is gone, so nobody can use the secret
      warn(set, e, "the secret of a registration that was removed could not be deleted");
    }
  }

  private static void warn(EphemeralRunnerSet set, KubernetesClientException e, String what) {
    LOG.atWarn()
        .addKeyValue("namespace", set.getMetadata().getNamespace())
        .addKeyValue("set", set.getMetadata().getName())
        .addKeyValue("error", e.getMessage())
        .log(what);
  }
}
