package dev.runnerset.e2e.world;

import dev.runnerset.controller.caches.WriteCache;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The caches of one process. Each kind has a watch of its own: its events come in their order, but
 * late, twice, or only the last of several, as after a watch was opened again; and one kind may be
 * far behind another, by a fault for once, and in every other world by up to some seconds all the
 * time. Our own writes are in at once, and their events wake nobody; an event of somebody else's
 * write does, for an object of ours also when the answer to a later write has come before it.
 */
final class Cache implements ApiServer.Watcher, WriteCache {
  /** Hears what is new in the cache. */
  interface News {
    void changed(HasMetadata before, HasMetadata after);
  }

  private static final class Kind {
    final TreeMap<String, HasMetadata> objects = new TreeMap<>();
    final Set<Long> own = new HashSet<>(); // the versions that we wrote
    final long behind;
    long version; // the highest that the list or the watch brought
    long deliveredAt;
    long stalledUntil;

    Kind(long behind) {
      this.behind = behind;
    }

    void listed(HasMetadata object) {
      objects.put(object.getMetadata().getName(), object);
      version = Math.max(version, version(object));
    }
  }

  private final World world;
  private final LivingProcess process;
  private final News news;
  private final Map<Class<?>, Kind> kinds = new HashMap<>();
  private final Set<String> gone = new HashSet<>();

  /** A process lists before it watches. */
  Cache(World world, LivingProcess process, List<Class<? extends HasMetadata>> watched, News news) {
    this.world = world;
    this.process = process;
    this.news = news;
    for (var kind : watched) {
      var ofKind = new Kind(world.chance.millis(0, world.mostBehind));
      world.server.all(kind).forEach(ofKind::listed);
      kinds.put(kind, ofKind);
    }
    world.server.watch(this);
  }

  void close() {
    world.server.unwatch(this);
  }

  <T extends HasMetadata> List<T> all(Class<T> kind) {
    return kinds.get(kind).objects.values().stream().map(kind::cast).toList();
  }

  <T extends HasMetadata> T get(Class<T> kind, String name) {
    return kind.cast(kinds.get(kind).objects.get(name));
  }

  /** The highest version of a kind that the list or the watch brought. */
  long version(Class<? extends HasMetadata> kind) {
    return kinds.get(kind).version;
  }

  @Override
  public void changed(HasMetadata before, HasMetadata after, long version) {
    var kind = kinds.get((after == null ? before : after).getClass());
    if (kind == null) {
      return;
    }
    var now = world.time.now();
    if (world.chance.fault(60)) {
      kind.stalledUntil = Math.max(kind.stalledUntil, now + world.chance.millis(500, 25_000));
      world.trace.say(
          process.name(), "hears late of " + (after == null ? before : after).getKind());
    }
    var lag = kind.behind + world.chance.millis(1, world.clean ? 10 : 120);
    kind.deliveredAt = Math.max(kind.deliveredAt, Math.max(now + lag, kind.stalledUntil));
    var times = world.chance.mayFail() && world.chance.oneIn(20) ? 2 : 1;
    for (int i = 0; i < times; i++) {
      world.time.in(kind.deliveredAt - now, () -> deliver(kind, before, after, version));
    }
  }

  private void deliver(Kind kind, HasMetadata before, HasMetadata after, long version) {
    if (!process.isAlive()) {
      return;
    }
    boolean isFirst = version > kind.version;
    kind.version = Math.max(kind.version, version);
    var name = (after == null ? before : after).getMetadata().getName();
    if (after == null) {
      var uid = before.getMetadata().getUid();
      var known = kind.objects.get(name);
      gone.add(uid);
      if (known != null && known.getMetadata().getUid().equals(uid)) {
        kind.objects.remove(name);
        news.changed(known, null);
      }
    } else if (isNewer(kind, after)) {
      news.changed(kind.objects.put(name, after), after);
    } else if (isFirst
        && after instanceof CustomResource<?, ?>
        && !kind.own.contains(version)
        && kind.objects.get(name) instanceof HasMetadata known) {
      news.changed(known, known);
    }
  }

  private boolean isNewer(Kind kind, HasMetadata object) {
    var known = kind.objects.get(object.getMetadata().getName());
    return !gone.contains(object.getMetadata().getUid())
        && (known == null || version(known) < version(object));
  }

  private static long version(HasMetadata object) {
    return Long.parseLong(object.getMetadata().getResourceVersion());
  }

  @Override
  public void created(HasMetadata made) {
    own(made);
  }

  @Override
  public void changed(HasMetadata before, HasMetadata after) {
    own(after);
  }

  private void own(HasMetadata object) {
    var kind = kinds.get(object.getClass());
    if (process.isAlive() && kind != null && isNewer(kind, object)) {
      kind.own.add(version(object));
      kind.objects.put(object.getMetadata().getName(), object);
    }
  }
}
