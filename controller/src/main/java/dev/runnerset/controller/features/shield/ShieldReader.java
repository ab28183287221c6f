package dev.runnerset.controller.features.shield;

import dev.runnerset.base.Installation;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.config.Places;
import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Protection;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions.Value;
import dev.runnerset.kube.KubeApi;
import java.time.Clock;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the shield of running jobs lacks: budget (SH2), policy (SH3), sight of nodes that are to be
 * left (SD10). Thread-safe.
 */
public final class ShieldReader {
  private static final Finding ONE_NAMESPACE =
      new Finding(
          RunnerSetReason.NODES_NOT_VISIBLE,
          "a controller of one namespace does not see which nodes are cordoned or about to go, so"
              + " idle runners stay there, and a drain waits until they have been idle for"
              + " 10 minutes: kubectl get"
              + " ephemeralrunners.runnerset.dev -o wide shows their nodes"
              + " (docs/operate/drain.md)");

  private static final Finding REFUSED =
      new Finding(
          RunnerSetReason.NODES_NOT_VISIBLE,
          "the controller may not list and watch nodes, so idle runners stay on nodes that are"
              + " cordoned or about to go, and a drain waits until they have been idle for"
              + " 10 minutes (docs/operate/drain.md):"
              + " run "
              + Installation.UPGRADE);

  private final AdmissionPolicyReader policy;
  private final boolean ofOneNamespace;
  private volatile BooleanSupplier nodesAreRefused = () -> false;
  private volatile @Nullable Finding ofNodes;

  public ShieldReader(KubeApi kube, Places places, Clock clock) {
    policy = new AdmissionPolicyReader(kube, places, clock);
    ofOneNamespace = !places.watched().isEmpty();
    ofNodes = ofOneNamespace ? ONE_NAMESPACE : null;
  }

  /**
   * Takes what tells from now on whether the right to list and watch nodes is missing; false before
   * the first answer. It must not block.
   */
  void nodesAreRefusedIf(BooleanSupplier value) {
    nodesAreRefused = value;
  }

  /**
   * Looks what the cluster has, as far as that is due. Blocks for two reads at most. What cannot be
   * read for the time being changes nothing.
   *
   * @return whether what sets must tell has changed
   */
  public boolean check() {
    var before = ofNodes;
    ofNodes = ofOneNamespace ? ONE_NAMESPACE : nodesAreRefused.getAsBoolean() ? REFUSED : null;
    return policy.check() || !Objects.equals(before, ofNodes);
  }

  /**
   * Whether a part of what shields running jobs is missing, and which; not if none is asked for.
   */
  public ConditionRule<RunnerSetFacts> incomplete() {
    return new ConditionRule<>(
        ConditionType.SHIELD_INCOMPLETE,
        facts ->
            facts.set().getSpec().protection() == Protection.NONE
                ? Optional.empty()
                : verdict(facts.withoutBudget(), ofPolicy(false), ofNodes));
  }

  /** What the set must tell of a policy of another version; null if nothing. */
  public @Nullable Finding outdatedFor(AutoScalingRunnerSet set) {
    return set.getSpec().protection() == Protection.NONE ? null : ofPolicy(true);
  }

  private @Nullable Finding ofPolicy(boolean ofAnotherVersion) {
    var lacks = policy.lacks();
    return lacks == null || (lacks.reason() == RunnerSetReason.POLICY_OUTDATED) != ofAnotherVersion
        ? null
        : lacks;
  }

  /** What is missing comes before what is not seen; the message names all of it. */
  static Optional<Verdict> verdict(
      @Nullable String withoutBudget, @Nullable Finding policy, @Nullable Finding nodes) {
    var budget =
        withoutBudget == null ? null : new Finding(RunnerSetReason.BUDGET_MISSING, withoutBudget);
    var all = Stream.of(budget, policy, nodes).filter(Objects::nonNull).toList();
    if (all.isEmpty()) {
      return Optional.empty();
    }
    var first = all.getFirst().reason();
    boolean isNotSeen = // then the user is no worse off than he asked for
        first == RunnerSetReason.POLICY_NOT_VISIBLE || first == RunnerSetReason.NODES_NOT_VISIBLE;
    return Optional.of(
        new Verdict(
            isNotSeen ? Value.UNKNOWN : Value.TRUE,
            first,
            all.stream().map(Finding::message).collect(Collectors.joining("; "))));
  }
}
