package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The runners of one set, in the groups that somebody asked for. A runner that comes, changes or
 * goes is judged once for each group; what time changes is judged when that time has come. So to
 * ask costs as much as one takes of the answer, however many runners there are. Used by one thread
 * at a time.
 */
@Pure
public final class RunnersOfSet {
  private final Map<String, RunnerView> viewByUid = new HashMap<>();
  private final Map<Group, Members> membersByGroup = new HashMap<>();

  /** What those that changed since the last moment were like then; empty for new ones. */
  private final Map<String, Optional<RunnerView>> beforeByUid = new LinkedHashMap<>();

  private Instant now;
  private long visits;

  /**
   * A runner that is not as it was at the last moment, or that time alone brought into a group or
   * out of one; null for not there.
   */
  public record Change(@Nullable RunnerView before, @Nullable RunnerView after) {
    /** Whether the runner came into the group. */
    public boolean begins(Predicate<RunnerView> kind) {
      return after != null && kind.test(after) && !(before != null && kind.test(before));
    }
  }

  /** No runners yet. */
  public RunnersOfSet(Instant now) {
    this.now = now;
  }

  /** These runners, all of them new. */
  public static RunnersOfSet of(Collection<RunnerView> views, Instant now) {
    var all = new RunnersOfSet(now);
    views.forEach(all::put);
    return all;
  }

  /** Another moment begins, with changes of its own. */
  public void advance(Instant to) {
    beforeByUid.clear();
    resume(to);
  }

  /**
   * The same moment goes on later: what has changed still counts. A clock that was set back makes
   * all be judged again.
   */
  public void resume(Instant to) {
    if (to.isBefore(now)) {
      membersByGroup.clear();
    }
    now = to;
    membersByGroup.values().forEach(Members::advance);
  }

  /** The runner is like that now. */
  public void put(RunnerView view) {
    visits++;
    var before = viewByUid.put(view.uid(), view);
    beforeByUid.putIfAbsent(view.uid(), Optional.ofNullable(before));
    for (var members : membersByGroup.values()) {
      members.leave(view.uid());
      members.judge(view);
    }
  }

  /** The runner of that uid is gone. */
  public void remove(String uid) {
    var before = viewByUid.remove(uid);
    if (before != null) {
      beforeByUid.putIfAbsent(uid, Optional.of(before));
      membersByGroup.values().forEach(members -> members.leave(uid));
    }
  }

  /** What has changed since the last moment. */
  public List<Change> changes() {
    visits += beforeByUid.size();
    return beforeByUid.entrySet().stream()
        .map(entry -> new Change(entry.getValue().orElse(null), viewByUid.get(entry.getKey())))
        .toList();
  }

  /** Whether the runner was not there at the last moment. */
  public boolean isNew(RunnerView runner) {
    return beforeByUid.getOrDefault(runner.uid(), Optional.of(runner)).isEmpty();
  }

  /** Nobody asks for the group again. */
  public void drop(Group group) {
    membersByGroup.remove(group);
  }

  /** The runner of that uid; null for none. */
  public @Nullable RunnerView find(String uid) {
    return viewByUid.get(uid);
  }

  /** All of them, in no particular order. */
  public Stream<RunnerView> all() {
    return counted(viewByUid.values());
  }

  public int size() {
    return viewByUid.size();
  }

  /** How many are in the group. */
  public int count(Group group) {
    return members(group).in.size();
  }

  /** Whether that runner is in the group. */
  public boolean isIn(Group group, RunnerView runner) {
    return members(group).inByUid.containsKey(runner.uid());
  }

  /** Those of the group in its order; the stream reads no further than it is taken. */
  public Stream<RunnerView> in(Group group) {
    return counted(members(group).in);
  }

  /** Those of the group, the last one first. */
  public Stream<RunnerView> fromLast(Group group) {
    return counted(members(group).in.descendingSet());
  }

  /** When time alone may change who is in the group. */
  RequeueTime changesAt(Group group) {
    var turns = members(group).turns;
    return RequeueTime.at(turns.isEmpty() ? null : turns.first().at());
  }

  /** How many views were put in or read so far: what all decisions cost. */
  public long visits() {
    return visits;
  }

  private Stream<RunnerView> counted(Collection<RunnerView> views) {
    return views.stream().peek(view -> visits++);
  }

  private Members members(Group group) {
    var known = membersByGroup.get(group);
    if (known != null) {
      return known;
    }
    var members = new Members(group);
    viewByUid.values().forEach(view -> members.judge(view));
    visits += viewByUid.size();
    membersByGroup.put(group, members);
    return members;
  }

  /** When a runner may come into a group, or leave it. */
  private record Turn(Instant at, String uid) {
    private static final Comparator<Turn> FIRST =
        Comparator.comparing(Turn::at).thenComparing(Turn::uid);
  }

  private final class Members {
    private final Group group;
    private final NavigableSet<RunnerView> in;
    private final Map<String, RunnerView> inByUid = new HashMap<>();
    private final NavigableSet<Turn> turns = new TreeSet<>(Turn.FIRST);
    private final Map<String, Turn> turnByUid = new HashMap<>();

    Members(Group group) {
      this.group = group;
      this.in = new TreeSet<>(group.order());
    }

    /** Returns whether the runner is in. */
    boolean judge(RunnerView view) {
      var at = new Now(now);
      boolean holds = group.has(view, at);
      if (holds) {
        in.add(view);
        inByUid.put(view.uid(), view);
      }
      at.next()
          .toOptional()
          .map(next -> new Turn(next, view.uid()))
          .ifPresent(turn -> {
            turns.add(turn);
            turnByUid.put(view.uid(), turn);
          });
      return holds;
    }

    /** Returns whether the runner was in; the order is asked of members only. */
    boolean leave(String uid) {
      var turn = turnByUid.remove(uid);
      if (turn != null) {
        turns.remove(turn);
      }
      var member = inByUid.remove(uid);
      return member != null && in.remove(member);
    }

    void advance() {
      while (!turns.isEmpty() && !turns.first().at().isAfter(now)) {
        visits++;
        var view = Objects.requireNonNull(viewByUid.get(turns.first().uid()));
        if (leave(view.uid()) != judge(view)) {
          beforeByUid.putIfAbsent(view.uid(), Optional.of(view));
        }
      }
    }
  }
}
