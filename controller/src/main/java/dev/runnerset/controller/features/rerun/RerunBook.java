package dev.runnerset.controller.features.rerun;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.RepositoryName;
import dev.runnerset.controller.ephemeralrunner.LossBook;
import dev.runnerset.controller.events.SetOfRunner;
import dev.runnerset.controller.features.rerun.LostRuns.Run;
import dev.runnerset.controller.metrics.LostBy;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.LostJob;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.MergePatch;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The lost jobs that wait to run again, in the status of their set (RR2). Each is under the name of
 * its runner, so that writers do not collide: a merge patch adds or removes some, and leaves the
 * others. Thread-safe.
 */
public final class RerunBook implements LossBook {
  private final KubeApi kube;
  private final Function<SetKey, Optional<AutoScalingRunnerSet>> sets;
  private final RerunReports reports;
  private final Clock clock;

  /**
   * The book of all sets.
   *
   * @param sets as the cache has them
   */
  public RerunBook(
      KubeApi kube,
      Function<SetKey, Optional<AutoScalingRunnerSet>> sets,
      RerunReports reports,
      Clock clock) {
    this.kube = kube;
    this.sets = sets;
    this.reports = reports;
    this.clock = clock;
  }

  @Override
  public void keep(EphemeralRunner runner, EphemeralRunnerStatus status, LostBy cause) {
    var set = setOf(runner).orElse(null);
    var policy = set == null ? null : RerunPolicy.of(set).orElse(null);
    var name = runner.getMetadata().getName();
    if (set == null
        || policy == null
        || !policy.takes(cause.word())
        || set.statusOrNone().lostJobs().containsKey(name)) {
      return;
    }
    var loss = loss(status, cause);
    var why = whyNot(set, loss);
    if (why == null) {
      write(set, Map.of(name, loss));
    } else {
      reports.withheld(set, Run.of(loss), Set.of(name), why);
    }
  }

  /** The set that the runner was made for, and no later one of its name. */
  private Optional<AutoScalingRunnerSet> setOf(EphemeralRunner runner) {
    return SetOfRunner.of(runner)
        .map(owner -> owner.getMetadata())
        .flatMap(owner ->
            sets.apply(new SetKey(owner.getNamespace(), owner.getName()))
                .filter(set -> owner.getUid().equals(set.getMetadata().getUid())));
  }

  private LostJob loss(EphemeralRunnerStatus status, LostBy cause) {
    var job = status.job();
    var run = job == null ? null : job.workflowRunId();
    return new LostJob(
        job == null || job.repository() == null ? "" : job.repository(),
        Objects.requireNonNullElse(run, 0L),
        status.runnerId(),
        cause.word(),
        Objects.requireNonNullElseGet(status.completionTime(), clock::instant),
        null);
  }

  private static @Nullable Withheld whyNot(AutoScalingRunnerSet set, LostJob loss) {
    var repository = RepositoryName.parse(loss.repository());
    if (loss.workflowRunId() <= 0 || repository.isEmpty()) {
      return Withheld.RUN_UNKNOWN;
    }
    if (!isWithin(repository.get(), set)) {
      return Withheld.OTHER_OWNER;
    }
    return LostRuns.hasRoom(set.statusOrNone().lostJobs(), loss) ? null : Withheld.TOO_MANY_RUNS;
  }

  /** Whether jobs of that repository may be run again for the set. */
  static boolean isWithin(RepositoryName repository, AutoScalingRunnerSet set) {
    try {
      return repository.isWithin(ConfigUrl.parse(set.getSpec().githubConfigUrl()));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** GitHub is to be asked for that attempt, or was. Blocks for a request of the API server. */
  void begin(AutoScalingRunnerSet set, Map<String, LostJob> losses, int attempt) {
    var next = new HashMap<>(losses);
    next.replaceAll((_, loss) -> loss.withRerunAttempt(attempt));
    write(set, next);
  }

  private void write(AutoScalingRunnerSet set, Map<String, LostJob> losses) {
    var patch = JsonNodeFactory.instance.objectNode();
    var written = patch.withObject("status").withObject("lostJobs");
    losses.forEach((runner, loss) -> written.set(runner, MergePatch.tree(loss)));
    send(set, patch);
  }

  /** Nothing is to be done about the jobs of these runners any more. Blocks for a request. */
  void remove(AutoScalingRunnerSet set, Collection<String> runners) {
    var patch = JsonNodeFactory.instance.objectNode();
    var removed = patch.withObject("status").withObject("lostJobs");
    runners.forEach(removed::putNull);
    send(set, patch);
  }

  /** A set that is gone, or another one with its name, has no lost jobs. */
  private void send(AutoScalingRunnerSet set, ObjectNode patch) {
    var uid = set.getMetadata().getUid();
    patch.withObject("metadata").put("uid", uid);
    try {
      var _ = kube.mergeStatusBody(AutoScalingRunnerSet.class, Resource.of(set), patch);
    } catch (KubernetesClientException e) {
      if (e.getCode() != 404 && (e.getCode() != 409 || isThere(set, uid))) {
        throw e;
      }
    }
  }

  /** A 409 may also say that too many wrote at once. */
  private boolean isThere(AutoScalingRunnerSet set, String uid) {
    var there = kube.get(AutoScalingRunnerSet.class, Resource.of(set));
    return there != null && uid.equals(there.getMetadata().getUid());
  }
}
