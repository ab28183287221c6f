package dev.runnerset.simulator.service;

import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The registrations, and the only place where a runner changes state. Guarded by the {@link
 * ServiceState}.
 */
final class RunnerRegistry {
  private static final int RETIRED = 50_000;
  private final ServiceState state;
  private final Map<Integer, Runner> byId = new LinkedHashMap<>();
  private final Map<String, Runner> byName = new LinkedHashMap<>();
  private final Map<String, Runner> byClient = new LinkedHashMap<>();
  private final Map<String, Runner> byToken = new LinkedHashMap<>();

  /**
   * Those that had a session once and are gone: this tells a JIT configuration that is used again.
   */
  private final Map<String, String> retiredNameByClient = new LinkedHashMap<>();

  RunnerRegistry(ServiceState state) {
    this.state = state;
  }

  Runner register(String name, ScaleSet set, int key, boolean foreign, Instant now) {
    var runner =
        new Runner(state.nextNumber(), name, set, state.ids.get().toString(), key, now, foreign);
    byId.put(runner.id, runner);
    byName.put(nameKey(set.scope, name), runner);
    byClient.put(runner.clientId, runner);
    set.registered++;
    state.changed(set);
    return runner;
  }

  Optional<Runner> byId(Scope scope, int id) {
    return Optional.ofNullable(byId.get(id)).filter(r -> r.set.scope.equals(scope));
  }

  Optional<Runner> byName(Scope scope, String name) {
    return Optional.ofNullable(byName.get(nameKey(scope, name)));
  }

  Optional<Runner> byClient(String clientId) {
    return Optional.ofNullable(byClient.get(clientId));
  }

  Optional<String> retired(String clientId) {
    return Optional.ofNullable(retiredNameByClient.get(clientId));
  }

  Optional<Runner> byToken(String token) {
    return Optional.ofNullable(byToken.get(token));
  }

  String issueToken(Runner runner) {
    var token = "runner." + state.ids.get();
    byToken.put(token, runner);
    runner.tokens.add(token);
    return token;
  }

  Collection<Runner> all() {
    return byId.values();
  }

  void move(Runner runner, Runner.State next) {
    count(runner, -1);
    runner.state = next;
    count(runner, 1);
    if (next != Runner.State.IDLE) {
      runner.set.parked.remove(runner);
    }
    state.changed(runner.set);
  }

  private static void count(Runner runner, int by) {
    switch (runner.state) {
      case IDLE -> runner.set.idle += by;
      case BUSY, LINGERING -> runner.set.busy += by;
      case OFFLINE, OFFERED, GONE -> {}
    }
  }

  /** Ends the registration: its name is free, its tokens are worth nothing, its poll ends. */
  void remove(Runner runner) {
    if (runner.state == Runner.State.GONE) {
      return;
    }
    move(runner, Runner.State.GONE);
    byId.remove(runner.id);
    byName.remove(nameKey(runner.set.scope, runner.name));
    byClient.remove(runner.clientId);
    runner.tokens.forEach(byToken::remove);
    runner.set.registered--;
    state.removals.forget(runner);
    if (runner.sessions > 0) {
      retiredNameByClient.put(runner.clientId, runner.name);
      if (retiredNameByClient.size() > RETIRED) {
        retiredNameByClient.remove(retiredNameByClient.keySet().iterator().next());
      }
    }
    runner.look();
    state.changed(runner.set);
  }

  private static String nameKey(Scope scope, String name) {
    return scope.path() + "\n" + name.toLowerCase(Locale.ROOT);
  }
}
