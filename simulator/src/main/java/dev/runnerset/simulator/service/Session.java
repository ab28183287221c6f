package dev.runnerset.simulator.service;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** A message session: one a scale set. Guarded by the {@link ServiceState}. */
final class Session {
  final UUID id;
  final String owner;
  final ScaleSet set;
  private final Duration lease;
  private Instant lastContact;
  private int polls;
  boolean closed;

  Session(UUID id, String owner, ScaleSet set, Instant now, Duration lease) {
    this.id = id;
    this.owner = owner;
    this.set = set;
    this.lease = lease;
    this.lastContact = now;
  }

  /** A poll in progress counts as contact throughout (protocol 7.4). */
  boolean isLive(Instant now) {
    return !closed && (polls > 0 || now.isBefore(lastContact.plus(lease)));
  }

  void contact(Instant now) {
    lastContact = now;
  }

  void pollBegins(Instant now) {
    lastContact = now;
    polls++;
  }

  void pollEnds(Instant now) {
    lastContact = now;
    polls--;
  }
}
