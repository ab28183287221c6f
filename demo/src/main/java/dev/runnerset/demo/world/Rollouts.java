package dev.runnerset.demo.world;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.HistoryEntry;
import java.util.List;
import java.util.Objects;

/** Changes of the runners' image, and what the cluster's objects say of them. */
public final class Rollouts {
  public static final String IMAGE = "ghcr.io/actions/actions-runner:";

  private final World world;

  Rollouts(World world) {
    this.world = world;
  }

  /** What a person does: another image in the set. */
  public void version(String version) {
    world.spec(
        "{\"template\":{\"spec\":{\"containers\":[{\"name\":\"runner\",\"image\":\""
            + IMAGE
            + version
            + "\"}]}}}");
  }

  /** The newest entries of the history in words: state and version. */
  public List<String> newest(int count) {
    return entries().stream()
        .limit(count)
        .map(e ->
            (e.state() == HistoryEntry.State.COMPLETED ? "Completed " : "Partial ") + e.version())
        .toList();
  }

  /** The newest entry in words; "" while there is none. */
  public String current() {
    return newest(1).stream().findFirst().orElse("");
  }

  /** The revisions of the history, newest first. */
  public List<String> revisions() {
    return entries().stream().map(HistoryEntry::revision).toList();
  }

  private List<HistoryEntry> entries() {
    var set = world.set();
    return set == null ? List.of() : set.statusOrNone().history();
  }

  /** Runners without a job whose revision is the newest of the history, or another one. */
  public long free(boolean newest) {
    var entries = entries();
    var revision = entries.isEmpty() ? "" : entries.getFirst().revision();
    return world.runners().stream()
        .filter(r -> !isBusy(r) && Objects.equals(r.getSpec().revision(), revision) == newest)
        .count();
  }

  /** Runners that run a job on a revision that is no longer the newest. */
  public long busyOnAnOlderOne() {
    var newest = entries().getFirst().revision();
    return world.runners().stream()
        .filter(r -> isBusy(r) && !Objects.equals(r.getSpec().revision(), newest))
        .count();
  }

  /** How many distinct revisions the pods of idle runners have; read off the pods themselves. */
  public long imagesOfIdlePods() {
    var idle =
        world.runners().stream()
            .filter(r -> !isBusy(r))
            .map(r -> r.getMetadata().getName())
            .toList();
    return world.kube().pods().inNamespace(World.NAMESPACE).list().getItems().stream()
        .filter(p -> idle.contains(p.getMetadata().getName()))
        .map(p -> p.getSpec().getContainers().getFirst().getImage())
        .distinct()
        .count();
  }

  private static boolean isBusy(EphemeralRunner runner) {
    return runner.statusOrNone().isBusy();
  }
}
