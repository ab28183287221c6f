package dev.runnerset.cli.ui;

import dev.runnerset.base.ShortText;
import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.ClusterException;
import dev.runnerset.cli.view.EventView;
import dev.runnerset.cli.view.Texts;
import dev.runnerset.crds.EphemeralRunner;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads from the cluster what a page needs when a person opens it, with that person's rights. */
final class Answers {
  /** Events that are shown, the newest ones. */
  private static final int EVENTS = 50;

  private static final int LOG_LINES = 500;
  private static final int LOG_LETTERS = 200_000;
  private static final String CONTAINER = "runner";

  private final Cluster cluster;

  Answers(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Events, the newest first; or the right that is missing. */
  record Events(List<EventView> events, String gap) {}

  /**
   * What is known of a runner that failed.
   *
   * @param evidence of its pod; empty if it did not fail
   * @param lostBy what ended its job; empty if none was lost
   */
  record Evidence(
      String reason,
      String message,
      @Nullable Integer exitCode,
      String lostBy,
      Map<String, Object> evidence) {}

  /** The last lines of a log; or why there are none. */
  record Log(String text, String gap) {}

  /** The events of an object. */
  Events events(String kind, String namespace, String name) {
    try {
      var found =
          cluster
              .client()
              .v1()
              .events()
              .inNamespace(namespace)
              .withField("involvedObject.kind", kind)
              .withField("involvedObject.name", name)
              .list()
              .getItems();
      return new Events(
          found.stream()
              .map(EventView::of)
              .sorted(Comparator.comparing(EventView::at).reversed())
              .limit(EVENTS)
              .toList(),
          "");
    } catch (KubernetesClientException e) {
      return new Events(List.of(), cluster.unread(e, "list", "events", namespace));
    }
  }

  /** Why a runner failed; empty if there is no such runner, or it did not fail. */
  Optional<Evidence> evidence(String namespace, String name) {
    return cluster
        .get(EphemeralRunner.class, namespace, name)
        .map(runner -> runner.statusOrNone().failure())
        .map(failure ->
            new Evidence(
                Texts.line(failure.reason()),
                Texts.line(failure.message()),
                failure.exitCode(),
                Texts.line(failure.jobLostBy()),
                failure.evidence()));
  }

  /** The last lines of the log of a runner's container. */
  Log log(String namespace, String name) {
    try {
      var runner = cluster.get(EphemeralRunner.class, namespace, name);
      var pod = runner.map(each -> each.statusOrNone().podName()).orElse(null);
      if (pod == null) {
        return new Log("", runner.isEmpty() ? "The runner is gone." : "The runner has no pod.");
      }
      var text = cluster.log(namespace, pod, CONTAINER, LOG_LINES);
      if (text == null) {
        return new Log("", "The pod is gone.");
      }
      var lines = ShortText.lines(text);
      return new Log(lines.substring(Math.max(0, lines.length() - LOG_LETTERS)), "");
    } catch (KubernetesClientException e) {
      return new Log("", cluster.unread(e, "get", "pods/log", namespace));
    } catch (ClusterException e) {
      return new Log("", e.getMessage());
    }
  }
}
