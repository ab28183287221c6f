package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
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
  private Instant now;
  private long visits;

  /** No runners yet. */
  public RunnersOfSet(Instant now) {
    this.now = now;
  }

  /** These runners. */
  public static RunnersOfSet of(Collection<RunnerView> views, Instant now) {
    var all = new RunnersOfSet(now);
    views.forEach(all::put);
    return all;
  }

  /** The time is that now. A clock that was set back makes all be judged again. */
  public void advance(Instant to) {
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
    for (var members : membersByGroup.values()) {
      members.leave(before);
      members.judge(view);
    }
  }

  /** The runner of that uid is gone; returns what it was like. */
  public @Nullable RunnerView remove(String uid) {
    var before = viewByUid.remove(uid);
    membersByGroup.values().forEach(members -> members.leave(before));
    return before;
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
    return members(group).in.contains(runner);
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
    var changes = members(group).changes;
    return RequeueTime.at(changes.isEmpty() ? null : changes.first().at());
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
    viewByUid.values().forEach(members::judge);
    membersByGroup.put(group, members);
    return members;
  }

  /** When a runner may come into a group, or leave it. */
  private record Change(Instant at, String uid) {
    private static final Comparator<Change> FIRST =
        Comparator.comparing(Change::at).thenComparing(Change::uid);
  }

  private final class Members {
    private final Group group;
    private final NavigableSet<RunnerView> in;
    private final NavigableSet<Change> changes = new TreeSet<>(Change.FIRST);
    private final Map<String, Change> changeByUid = new HashMap<>();

    Members(Group group) {
      this.group = group;
      this.in = new TreeSet<>(group.order());
    }

    void judge(RunnerView view) {
      var moment = new Now(now);
      if (group.has(view, moment)) {
        in.add(view);
      }
      var at = moment.next().at();
      if (at != null) {
        var change = new Change(at, view.uid());
        changes.add(change);
        changeByUid.put(view.uid(), change);
      }
    }

    void leave(@Nullable RunnerView view) {
      if (view != null) {
        in.remove(view);
        var change = changeByUid.remove(view.uid());
        if (change != null) {
          changes.remove(change);
        }
      }
    }

    void advance() {
      while (!changes.isEmpty() && !changes.first().at().isAfter(now)) {
        visits++;
        var view = viewByUid.get(changes.first().uid());
        leave(view);
        if (view != null) {
          judge(view);
        }
      }
    }
  }
}
