package dev.runnerset.controller.features.upgrade;

import dev.runnerset.base.Detail;
import dev.runnerset.base.Installation;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.FieldPaths;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the kinds that the API server has with those of this version: by its OpenAPI document,
 * which every identity may read, so that no permission is needed, with one namespace as with all.
 * Thread-safe.
 */
public final class InstalledKinds {
  private static final Logger LOG = LoggerFactory.getLogger(InstalledKinds.class);
  private static final String GROUP_AND_VERSION =
      HasMetadata.getApiVersion(AutoScalingRunnerSet.class);
  private static final Map<String, FieldPaths> OURS = FieldPaths.ofThisVersion();
  private static final String SET_KIND = HasMetadata.getKind(AutoScalingRunnerSet.class);

  /** How often the kinds are compared while they fit. */
  @Detail private static final Duration SELDOM = Duration.ofMinutes(10);

  private static final Slot<UnknownFields> UNKNOWN = new Slot<>();

  private final KubeApi kube;
  private final Clock clock;
  private final Memories memories;
  private volatile Comparison last = Comparison.EQUAL;
  private volatile Instant nextAt = Instant.MIN;

  /**
   * How the kinds differ.
   *
   * @param missing the fields that the cluster's kinds lack, by kind; no kind without any
   * @param setsMayHaveMore whether a set may have fields in its spec that this version lacks
   */
  private record Comparison(Map<String, NavigableSet<String>> missing, boolean setsMayHaveMore) {
    static final Comparison EQUAL = new Comparison(Map.of(), false);
  }

  /** What was found in the spec of a set of that generation, after that comparison. */
  private record UnknownFields(
      Comparison after, @Nullable Long generation, NavigableSet<String> paths) {}

  public InstalledKinds(KubeApi kube, Memories memories, Clock clock) {
    this.memories = memories;
    this.kube = kube;
    this.clock = clock;
  }

  /**
   * Compares, if that is due: seldom while the kinds fit, each time while they are too old. Blocks
   * for a request then. What cannot be read changes nothing.
   *
   * @return whether what sets must tell may have changed
   */
  public boolean compare() {
    var now = clock.instant();
    if (now.isBefore(nextAt)) {
      return false;
    }
    Comparison found;
    try {
      found = comparison(FieldPaths.served(kube.openApi(GROUP_AND_VERSION)));
    } catch (KubernetesClientException e) {
      LOG.atDebug().addKeyValue("why", e.getMessage()).log("the installed kinds cannot be read");
      return false;
    }
    nextAt = found.missing().isEmpty() ? now.plus(SELDOM) : now;
    if (found.equals(last)) {
      return false;
    }
    if (!found.missing().isEmpty()) {
      LOG.atWarn()
          .addKeyValue("missing", found.missing())
          .log(
              "the kinds in the cluster are older than this controller: run "
                  + Installation.UPGRADE);
    }
    last = found;
    return true;
  }

  private Comparison comparison(Map<String, FieldPaths> served) {
    var missing = new TreeMap<String, NavigableSet<String>>();
    OURS.forEach((kind, fields) -> {
      // a kind that is not served at all is reported elsewhere, with the same command
      var lacked = fields.lackedBy(served.getOrDefault(kind, fields));
      if (!lacked.isEmpty()) {
        missing.put(kind, lacked);
      }
    });
    var more = served.getOrDefault(SET_KIND, FieldPaths.NONE).lackedBy(ofSets());
    return new Comparison(missing, more.stream().anyMatch(path -> path.startsWith("spec.")));
  }

  private FieldPaths ofSets() {
    return Objects.requireNonNull(OURS.get(SET_KIND));
  }

  /**
   * What the set must tell; null if all fits together. Blocks for a request only where the
   * cluster's kind is newer than this version, once for each generation of the set.
   *
   * @param policy what is to be reported of the admission policy; null for nothing
   */
  private @Nullable Finding of(
      AutoScalingRunnerSet set,
      @Nullable AutoScalingListenerStatus listener,
      @Nullable Finding policy) {
    var seen = last;
    var unknown = seen.setsMayHaveMore() ? unknown(set, seen) : new TreeSet<String>();
    return UpgradeFindings.of(seen.missing(), unknown, listener, policy);
  }

  /**
   * Whether the kinds, a program, or what the set asks for is of another version than the rest.
   *
   * @param policy what a set must say of the admission policy; null for nothing
   */
  public ConditionRule<RunnerSetFacts> upgradeRequired(
      Function<AutoScalingRunnerSet, @Nullable Finding> policy) {
    return new ConditionRule<>(
        ConditionType.UPGRADE_REQUIRED,
        facts ->
            Optional.ofNullable(of(facts.set(), facts.heard(), policy.apply(facts.set())))
                .map(Finding::yes));
  }

  private NavigableSet<String> unknown(AutoScalingRunnerSet set, Comparison seen) {
    var memory = memories.of(set);
    var generation = set.getMetadata().getGeneration();
    var stored = memory.find(UNKNOWN);
    var known = stored != null && stored.after() == seen ? stored : null;
    if (known != null && Objects.equals(known.generation(), generation)) {
      return known.paths();
    }
    try {
      var paths = ofSets().unknownIn(kube.getWhole(Resource.of(set)));
      memory.put(UNKNOWN, new UnknownFields(seen, generation, paths));
      return paths;
    } catch (KubernetesClientException e) {
      return known == null ? new TreeSet<>() : known.paths(); // the next pass looks again
    }
  }
}
