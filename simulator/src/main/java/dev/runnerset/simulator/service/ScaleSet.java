package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One scale set and what waits in it. Guarded by the {@link ServiceState} it belongs to. */
final class ScaleSet {
  record Label(String type, String name) {}

  final int id;
  final Scope scope;
  final Instant created;
  final MessageQueue queue;
  String name;
  int groupId;
  String groupName;
  List<Label> labels = List.of();
  boolean disableUpdate;
  boolean deleted;
  @Nullable Session session;

  /** What the last poll advertised; null before the first. */
  @Nullable Integer capacity;

  int assigned;
  int running;
  int busy;
  int idle;
  int registered;

  /** Jobs acquired and not yet assigned, oldest first; none of a broker. */
  final Set<Job> acquired = new LinkedHashSet<>();

  /** Assigned jobs that wait for a runner, oldest first. */
  final Set<Job> toRun = new LinkedHashSet<>();

  /** Idle runners whose poll is parked, longest first. */
  final Set<Runner> parked = new LinkedHashSet<>();

  /** When removals were last answered JobStillRunning, since the last 204. */
  final ArrayDeque<Instant> uselessRemovals = new ArrayDeque<>();

  Instant statisticsReported = Instant.EPOCH;
  CompletableFuture<Void> wake = new CompletableFuture<>();

  ScaleSet(int id, Scope scope, String name, Instant created, MessageQueue queue) {
    this.id = id;
    this.scope = scope;
    this.name = name;
    this.created = created;
    this.queue = queue;
    this.groupId = 1;
    this.groupName = "Default";
  }

  boolean mayTakeMore(Instant now) {
    return isLive(now) && room() > 0;
  }

  /** Whether somebody listens to it. */
  boolean isLive(Instant now) {
    return !deleted && session != null && session.isLive(now);
  }

  /** How many more jobs it takes by its last poll. */
  int room() {
    return capacity == null ? 0 : Math.max(0, capacity - assigned);
  }

  Set<String> labelNames() {
    return labels.stream().map(l -> l.name().toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
  }

  /** Makes {@link #wake} wait again; concurrent polls share it. */
  void rearm() {
    if (wake.isDone()) {
      wake = new CompletableFuture<>();
    }
  }

  void look() {
    wake.complete(null);
  }

  /** The session has ended, whoever has it. */
  void endSession() {
    if (session != null) {
      session.closed = true;
      session = null;
      look();
    }
  }

  ObjectNode json(Statistics statistics) {
    var node =
        Json.object()
            .put("id", id)
            .put("name", name)
            .put("runnerGroupId", groupId)
            .put("runnerGroupName", groupName)
            .put("createdOn", created.toString())
            .put("status", session == null ? "offline" : "online")
            .put("enabled", true);
    node.putObject("runnerSetting").put("disableUpdate", disableUpdate);
    node.set("statistics", statistics.json());
    var array = node.putArray("labels");
    labels.forEach(l -> array.addObject().put("type", l.type()).put("name", l.name()));
    return node;
  }

  List<String> labelList() {
    var names = new ArrayList<String>();
    labels.forEach(l -> names.add(l.name()));
    return names;
  }
}
