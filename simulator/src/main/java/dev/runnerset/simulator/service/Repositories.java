package dev.runnerset.simulator.service;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The repositories whose workflows run here. One that moves keeps its id and is found by its former
 * names, too. Guarded by the {@link ServiceState}.
 */
final class Repositories {
  private static final long FIRST_ID = 700_000_001;

  /** One repository; its name is {@code owner/name}. */
  static final class Repository {
    final long id;
    String name;

    /** The files of the workflows that can be dispatched. */
    final Set<String> workflows = new HashSet<>();

    private Repository(long id, String name) {
      this.id = id;
      this.name = name;
    }

    boolean isNamed(String other) {
      return name.equalsIgnoreCase(other);
    }
  }

  private final Map<String, Repository> byName = new HashMap<>();
  private final Map<Long, Repository> byId = new HashMap<>();
  private long next = FIRST_ID;

  /** The repository that has or had this name; a new one if there is none. */
  Repository named(String name) {
    return byName.computeIfAbsent(
        key(name),
        unknown -> {
          var made = new Repository(next++, name);
          byId.put(made.id, made);
          return made;
        });
  }

  Optional<Repository> find(String name) {
    return Optional.ofNullable(byName.get(key(name)));
  }

  Optional<Repository> find(long id) {
    return Optional.ofNullable(byId.get(id));
  }

  /** Gives the repository another owner or name. */
  void move(String from, String to) {
    var moved = named(from);
    moved.name = to;
    byName.put(key(to), moved);
  }

  /** Nobody finds it any more, by whatever name. */
  void delete(String name) {
    var gone = byName.get(key(name));
    if (gone != null) {
      byId.remove(gone.id);
      byName.values().removeIf(gone::equals);
    }
  }

  private static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
