package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One registration. Guarded by the {@link ServiceState} it belongs to. */
final class Runner {
  /**
   * States of protocol 7.3; OFFERED: a job is in flight to it; LINGERING: its job has just ended.
   */
  enum State {
    OFFLINE,
    IDLE,
    OFFERED,
    BUSY,
    LINGERING,
    GONE
  }

  final int id;
  final String name;
  final ScaleSet set;
  final String clientId;
  final int key;
  final Instant created;

  /** Registered by the control interface as somebody else's: removing it is a violation. */
  final boolean foreign;

  State state = State.OFFLINE;
  @Nullable Job job;

  /** As it said when it connected; null before. */
  @Nullable String version;

  @Nullable String sessionId;
  final List<String> tokens = new ArrayList<>();
  int sessions;
  int polls;
  Instant lastContact;

  /** Completed when the parked poll, if there is one, is to look again. */
  CompletableFuture<Void> wake = new CompletableFuture<>();

  Runner(
      int id,
      String name,
      ScaleSet set,
      String clientId,
      int key,
      Instant created,
      boolean foreign) {
    this.id = id;
    this.name = name;
    this.set = set;
    this.clientId = clientId;
    this.key = key;
    this.created = created;
    this.foreign = foreign;
    this.lastContact = created;
  }

  boolean isBusy() {
    return state == State.BUSY || state == State.LINGERING || state == State.OFFERED;
  }

  boolean isOnline() {
    return state != State.OFFLINE && state != State.GONE;
  }

  void rearm() {
    if (wake.isDone()) {
      wake = new CompletableFuture<>();
    }
  }

  void look() {
    wake.complete(null);
  }

  /** A RunnerReference (protocol 3.8). */
  ObjectNode json() {
    return Json.object()
        .put("id", id)
        .put("name", name)
        .put("runnerScaleSetId", set.id)
        .put("runnerGroupId", set.groupId)
        .put("createdOn", created.toString())
        .put("version", version)
        .put("enabled", true)
        .put("ephemeral", true)
        .put("status", isOnline() ? "online" : "offline")
        .put("provisioningState", "Provisioned");
  }
}
