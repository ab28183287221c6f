package dev.runnerset.cli.why;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.Gap;
import dev.runnerset.cli.cluster.Listing;
import dev.runnerset.cli.cluster.Selection;
import dev.runnerset.cli.view.RunnerState;
import dev.runnerset.cli.view.RunnerView;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Reads what explanations are made of; blocks. What may not be read is left out, and is among the
 * gaps. For one command.
 */
public final class WhyReader {
  private final Cluster cluster;
  private final Set<Gap> gaps = new LinkedHashSet<>();
  private final Map<String, List<Event>> eventsByNamespace = new HashMap<>();

  /** Reads from that cluster. */
  public WhyReader(Cluster cluster) {
    this.cluster = cluster;
  }

  /** What could not be read. */
  public List<Gap> gaps() {
    return List.copyOf(gaps);
  }

  /** The sets of a namespace; of all for the empty one. */
  public List<AutoScalingRunnerSet> sets(String namespace) {
    return kept(cluster.list(AutoScalingRunnerSet.class, Selection.of(namespace)));
  }

  /** The runners of a namespace; of all for the empty one. */
  public List<EphemeralRunner> runners(String namespace) {
    return kept(cluster.list(EphemeralRunner.class, Selection.of(namespace)));
  }

  /** The events of a namespace; of all for the empty one. */
  public List<Event> events(String namespace) {
    return eventsByNamespace.computeIfAbsent(
        namespace, in -> kept(cluster.list(Event.class, Selection.of(in))));
  }

  /** Why that set is as it is. */
  public Explanation explain(AutoScalingRunnerSet set) {
    var meta = set.getMetadata();
    var inNamespace = new Selection(meta.getNamespace(), "").and(Labels.SET, meta.getName());
    var example =
        kept(cluster.list(EphemeralRunner.class, inNamespace)).stream()
            .filter(WhyReader::hurts)
            .min(
                Comparator.comparing((EphemeralRunner r) -> RunnerView.of(r).why().isEmpty())
                    .thenComparing(r ->
                        Objects.requireNonNullElse(r.getMetadata().getCreationTimestamp(), "")));
    return WhySet.of(
        new SetMaterial(
            set,
            listener(set),
            eventsOf(meta.getNamespace(), meta.getName()),
            example.map(this::material)));
  }

  private static boolean hurts(EphemeralRunner runner) {
    var state = RunnerState.of(runner);
    return state == RunnerState.STARTING || state == RunnerState.FAILED;
  }

  /** Listener objects have other names than their sets, in a namespace of their own. */
  private Optional<AutoScalingListener> listener(AutoScalingRunnerSet set) {
    var meta = set.getMetadata();
    var ofSet =
        new Selection("", "")
            .and(Labels.SET, meta.getName())
            .and(Labels.SET_NAMESPACE, meta.getNamespace());
    return kept(cluster.list(AutoScalingListener.class, ofSet)).stream().findFirst();
  }

  /** Why that runner is as it is. */
  public Explanation explain(EphemeralRunner runner) {
    return WhyRunner.of(material(runner));
  }

  /** What became of each job that is meant; empty if nobody knows of one. */
  public List<Explanation> explain(JobQuery query, String namespace) {
    var found = new ArrayList<Explanation>();
    var kept = new ArrayList<String>();
    for (var runner : runners(namespace)) {
      if (query.matches(runner)) {
        kept.add(runner.getMetadata().getName());
        var job = RunnerView.of(runner).job();
        if (job != null) {
          found.add(WhyRunner.ofJob(material(runner), job));
        }
      }
    }
    sets(namespace).forEach(set -> WhyGone.ofLostJobs(set, query, kept).forEach(found::add));
    if (found.isEmpty()) {
      WhyGone.ofEvents(query, events(namespace)).ifPresent(found::add);
    }
    return found;
  }

  private RunnerMaterial material(EphemeralRunner runner) {
    var meta = runner.getMetadata();
    var status = runner.statusOrNone();
    var podName = status.podName() == null ? meta.getName() : status.podName();
    var pod = kept(cluster.find(Pod.class, meta.getNamespace(), podName)).stream().findFirst();
    var node =
        pod.flatMap(p -> Optional.ofNullable(p.getSpec()).map(spec -> spec.getNodeName()))
            .or(() -> Optional.ofNullable(status.nodeName()))
            .flatMap(name -> kept(cluster.find(Node.class, "", name)).stream().findFirst());
    return new RunnerMaterial(runner, pod, node, eventsOf(meta.getNamespace(), meta.getName()));
  }

  private List<Event> eventsOf(String namespace, String name) {
    return events(namespace).stream()
        .filter(e -> e.getInvolvedObject() != null && name.equals(e.getInvolvedObject().getName()))
        .toList();
  }

  private <T> List<T> kept(Listing<T> listing) {
    listing.gap().ifPresent(gaps::add);
    return listing.items();
  }
}
