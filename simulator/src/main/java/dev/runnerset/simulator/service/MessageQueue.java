package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one scale set; they survive sessions (protocol 4.4). Job events gather until
 * somebody asks and are then put into envelopes of at most 50. Guarded by the {@link ServiceState}.
 */
final class MessageQueue {
  /** Most inner messages of one envelope (protocol 4.1). */
  static final int MAX_INNER = 50;

  record Message(long id, List<ObjectNode> inner) {}

  private final TreeMap<Long, Message> undeletedById = new TreeMap<>();
  private final ArrayDeque<ObjectNode> events = new ArrayDeque<>();
  private long nextId;
  private @Nullable Statistics reported;

  MessageQueue(long firstId) {
    nextId = firstId;
  }

  void add(ObjectNode event) {
    events.add(event);
  }

  /** Whether the statistics differ from those last sent. */
  boolean isStale(Statistics now) {
    return !now.equals(reported);
  }

  void reported(Statistics now) {
    reported = now;
  }

  /** The oldest undeleted message above {@code cursor}, made from waiting events if need be. */
  Optional<Message> after(long cursor) {
    var entry = undeletedById.higherEntry(cursor);
    if (entry == null && !events.isEmpty()) {
      var inner = new ArrayList<ObjectNode>();
      for (var e = events.poll(); e != null; e = inner.size() < MAX_INNER ? events.poll() : null) {
        inner.add(e);
      }
      return Optional.of(put(inner));
    }
    return Optional.ofNullable(entry).map(Map.Entry::getValue);
  }

  /** An envelope without inner messages. */
  Message statisticsOnly() {
    return put(List.of());
  }

  private Message put(List<ObjectNode> inner) {
    var message = new Message(nextId++, List.copyOf(inner));
    undeletedById.put(message.id(), message);
    return message;
  }

  /** Begins with that id again; what was not deleted comes again under the new ids. */
  void restart(long firstId) {
    undeletedById.descendingMap().values().stream()
        .flatMap(message -> message.inner().reversed().stream())
        .forEach(events::addFirst);
    undeletedById.clear();
    nextId = firstId;
    reported = null;
  }

  void delete(long id) {
    undeletedById.remove(id);
  }

  int backlog() {
    return undeletedById.size() + events.size();
  }
}
