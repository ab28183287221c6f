package dev.runnerset.e2e.world;

import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.PollResult;
import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.Statistics;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What the service has of one scale set: the jobs that it got, its session, its messages. */
final class SetQueue {
  private static final long SESSION_LIFE = 90_000;
  private static final long POLL = 50_000;

  private final World world;
  private final Service service;
  final String name;
  private final int index;
  final TreeMap<Long, Message> messages = new TreeMap<>();
  final Deque<Service.Job> acquired = new ArrayDeque<>();
  final Deque<Service.Job> assigned = new ArrayDeque<>();
  final List<JobEvent> news = new ArrayList<>();
  private final Map<Statistics, Integer> wonBefore = new IdentityHashMap<>();
  int running;
  int capacity;
  int everWon; // jobs that were ever acquired
  boolean acquiredUnknown; // to the process that opened the session
  private long lastMessage;
  private boolean flushing;
  private String session = "";
  private long lastContact;
  private Consumer<PollResult> parked;
  private long parkedAfter;
  private Object parkedPoll;

  SetQueue(World world, Service service, String name, int index) {
    this.world = world;
    this.service = service;
    this.name = name;
    this.index = index;
    begins();
  }

  /** Messages have ids from here on, which no other set has. */
  void begins() {
    lastMessage = service.legacy ? 0 : 100_000_000L * (index + 1);
  }

  /** The jobs that the set has. */
  int taken() {
    return acquired.size() + assigned.size() + running;
  }

  // --- counts

  Statistics statistics() {
    int registered = 0;
    int busy = 0;
    int idle = 0;
    for (var registration : service.of(this)) {
      registered++;
      busy += registration.job != null ? 1 : 0;
      idle += registration.online && registration.job == null ? 1 : 0;
    }
    return new Statistics(
        service.available(),
        acquired.size(),
        assigned.size() + running + (world.countsAcquired ? acquired.size() : 0),
        running,
        registered,
        busy,
        idle);
  }

  /** Statistics for a message. */
  private Statistics counted() {
    var counts = statistics();
    wonBefore.put(counts, everWon);
    return counts;
  }

  /** How many jobs were acquired since the statistics of a message were counted; 0 of another. */
  int wonSince(Statistics counts) {
    return wonBefore.containsKey(counts) ? everWon - wonBefore.get(counts) : 0;
  }

  // --- the session

  boolean isHeld() {
    return !session.isEmpty() && world.time.now() < lastContact + SESSION_LIFE;
  }

  /** A new session's id, or empty while another is open. */
  String open(String next) {
    if (isHeld()) {
      return "";
    }
    session = next;
    lastContact = world.time.now();
    parked = null;
    acquiredUnknown = !acquired.isEmpty();
    return session;
  }

  boolean isOpen(String id) {
    return session.equals(id);
  }

  void close(String id) {
    if (session.equals(id)) {
      session = "";
      parked = null;
    }
  }

  // --- messages

  /** Messages that wait get new ids, as small as the first ones. */
  void renumber() {
    begins();
    var waiting = List.copyOf(messages.values());
    messages.clear();
    waiting.forEach(this::add);
  }

  private void add(Message message) {
    lastMessage++;
    messages.put(
        lastMessage,
        new Message(
            lastMessage, message.statistics(), message.events(), List.of(), message.full()));
  }

  /** Something happened: a message tells of it soon. */
  void changed() {
    if (flushing) {
      return;
    }
    flushing = true;
    world.time.in(
        world.chance.millis(10, world.clean ? 60 : 900),
        () -> {
          flushing = false;
          flush();
        });
  }

  private void flush() {
    var counts = counted();
    if (world.chance.fault(40)) {
      world.trace.say("service", "tells nothing but zeros");
      counts = new Statistics(0, 0, 0, 0, 0, 0, 0);
    }
    // the statistics of the first messages reckon with the events of the last
    do {
      var events = news.subList(0, Math.min(world.mostInAMessage, news.size()));
      var full = events.size() == world.mostInAMessage;
      add(new Message(0, counts, events, List.of(), full));
      events.clear();
    } while (!news.isEmpty());
    deliver();
  }

  /** Waits for the first message after the given one. */
  void poll(Object poll, long after, int offered, Consumer<PollResult> answer) {
    lastContact = world.time.now();
    world.rules.polled();
    parked = answer;
    parkedPoll = poll;
    parkedAfter = after;
    if (capacity != offered) {
      capacity = offered;
      service.fill();
    }
    world.time.in(
        POLL,
        () -> {
          if (parkedPoll == poll && parked != null) {
            parked = null;
            lastContact = world.time.now();
            answer.accept(new PollResult.Nothing());
          }
        });
    deliver();
  }

  void giveUp(Object poll) {
    if (parkedPoll == poll) {
      parked = null;
    }
  }

  private void deliver() {
    var next = parked == null ? null : messages.higherEntry(parkedAfter);
    if (next != null) {
      var to = parked;
      parked = null;
      var message = service.legacy ? ofNow(next.getValue()) : next.getValue();
      messages.put(message.messageId(), message);
      world.rules.delivered(message);
      world.time.in(world.chance.millis(1, world.clean ? 5 : 200), () -> to.accept(message));
    }
  }

  /** With the counts of its delivery; those of the other flavour may be older here. */
  private Message ofNow(Message message) {
    acquiredUnknown &= !acquired.isEmpty();
    return message.statistics().isAllZero()
        ? message
        : new Message(message.messageId(), counted(), message.events(), List.of(), message.full());
  }

  /** The listener is about to acknowledge the message, and may never come to it. */
  void applied(long id) {
    var message = messages.get(id);
    if (message != null) {
      world.rules.applied(message);
    }
  }

  void acknowledge(long id) {
    lastContact = world.time.now();
    var message = messages.get(id);
    if (message != null) {
      world.rules.acknowledged(message, this);
      messages.remove(id);
    }
  }
}
