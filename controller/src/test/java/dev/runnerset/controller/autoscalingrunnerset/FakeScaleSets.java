package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.CreateScaleSetResult;
import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSet;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.SessionId;
import dev.runnerset.actions.Statistics;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.crds.condition.Reason;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The scale sets of a service that can say no, in memory. It writes down what it was asked: {@code
 * GET 1}, {@code FIND linux}, {@code CREATE linux}, {@code UPDATE 1}, {@code DELETE 1}. No threads.
 */
public final class FakeScaleSets {
  public final List<String> asked = new ArrayList<>();
  public final Map<ScaleSetId, ScaleSet> byId = new LinkedHashMap<>();

  /** What every call meets, or null for an answer. */
  public @Nullable ServiceError fault;

  /** The reason why there are no credentials, or null. */
  public @Nullable String noConnection;

  /** As on servers that know one label a scale set. */
  public boolean keepsLabels;

  /** Runs once, inside the next call: what happens meanwhile. */
  public Runnable meanwhile = () -> {};

  /** The service's clock. */
  public Supplier<Instant> now = () -> Instant.EPOCH;

  /** The first word of a call that is carried out once and whose answer is lost; or empty. */
  public String lost = "";

  /** The first word of calls that the service fails to carry out; or empty. */
  public String failing = "";

  /** Who holds the session of every scale set, in the service's words; null for nobody. */
  public @Nullable String sessionHeld;

  private int lastId;

  public ServiceConnections connections() {
    var service =
        (ActionsService)
            Proxy.newProxyInstance(
                ActionsService.class.getClassLoader(),
                new Class<?>[] {ActionsService.class},
                (proxy, method, args) ->
                    switch (method.getName()) {
                      case "runnerGroup" -> group((String) args[0]);
                      case "scaleSet" -> get((ScaleSetId) args[0]);
                      case "findScaleSet" -> find((RunnerGroupId) args[0], (String) args[1]);
                      case "createScaleSet" -> create((NewScaleSet) args[0]);
                      case "updateScaleSet" -> update((ScaleSetId) args[0], (NewScaleSet) args[1]);
                      case "deleteScaleSet" -> delete((ScaleSetId) args[0]);
                      case "openSession" -> open((ScaleSetId) args[0]);
                      case "deleteSession" -> ended((SessionId) args[1]);
                      default -> throw new IllegalStateException("not expected: " + method);
                    });
    return key -> {
      if (noConnection != null) {
        throw new InvalidConnectionException(
            Reason.of(AccessReason.class, noConnection).orElseThrow(),
            "The secret is not what it should be");
      }
      return service;
    };
  }

  /** A scale set that somebody made. */
  public ScaleSet made(String name, RunnerGroupId group, String... labels) {
    var made =
        new ScaleSet(
            new ScaleSetId(++lastId),
            name,
            group,
            List.of(labels),
            new Statistics(0, 0, 0, 0, 0, 0, 0),
            now.get(),
            false);
    byId.put(made.id(), made);
    return made;
  }

  /** The server is restored to before anything was made: its ids are given again. */
  public void restore() {
    byId.clear();
    lastId = 0;
  }

  /** The same scale set under another name. */
  public static ScaleSet renamed(ScaleSet set, String name) {
    return new ScaleSet(
        set.id(),
        name,
        set.runnerGroupId(),
        set.labels(),
        set.statistics(),
        set.createdOn(),
        set.online());
  }

  /** An error that says no more than its status. */
  public static ServiceError.Details details(int status) {
    return new ServiceError.Details("GET x", status, "", "", "", "");
  }

  private void call(String words) {
    asked.add(words);
    var runs = meanwhile;
    meanwhile = () -> {};
    runs.run();
    if (!failing.isEmpty() && words.startsWith(failing)) {
      throw new ServiceException(new ServiceError.Unavailable(details(500), null));
    }
    if (fault != null) {
      throw new ServiceException(fault);
    }
  }

  private Optional<RunnerGroupId> group(String name) {
    call("GROUP " + name);
    return name.equals("gpu") ? Optional.of(new RunnerGroupId(2)) : Optional.empty();
  }

  private Optional<ScaleSet> get(ScaleSetId id) {
    call("GET " + id);
    return Optional.ofNullable(byId.get(id));
  }

  private Optional<ScaleSet> find(RunnerGroupId group, String name) {
    call("FIND " + name);
    return named(group, name);
  }

  private CreateScaleSetResult create(NewScaleSet wanted) {
    call("CREATE " + wanted.name());
    if (named(wanted.runnerGroupId(), wanted.name()).isPresent()) {
      return new CreateScaleSetResult.NameTaken();
    }
    var made = made(wanted.name(), wanted.runnerGroupId(), wanted.labels().toArray(new String[0]));
    if (lost.equals("CREATE")) {
      lost = "";
      throw new ServiceException(new ServiceError.Unavailable(details(0), null));
    }
    return new CreateScaleSetResult.Created(made);
  }

  private ScaleSet update(ScaleSetId id, NewScaleSet wanted) {
    call("UPDATE " + id);
    var before = java.util.Objects.requireNonNull(byId.get(id));
    var after =
        new ScaleSet(
            id,
            wanted.name(),
            wanted.runnerGroupId(),
            keepsLabels ? before.labels() : wanted.labels(),
            before.statistics(),
            before.createdOn(),
            before.online());
    byId.put(id, after);
    if (lost.equals("UPDATE")) {
      lost = "";
      throw new ServiceException(new ServiceError.Unavailable(details(0), null));
    }
    return after;
  }

  private OpenSessionResult open(ScaleSetId id) {
    call("OPEN " + id);
    return sessionHeld != null
        ? new OpenSessionResult.Conflict(sessionHeld)
        : new OpenSessionResult.Opened(session("of-" + id));
  }

  private @Nullable Object ended(SessionId session) {
    call("END " + session.value());
    return null;
  }

  private MessageSession session(String id) {
    return (MessageSession)
        Proxy.newProxyInstance(
            MessageSession.class.getClassLoader(),
            new Class<?>[] {MessageSession.class},
            (proxy, method, args) ->
                switch (method.getName()) {
                  case "id" -> new SessionId(id);
                  case "close" -> ended(new SessionId(id));
                  default -> throw new IllegalStateException("not expected: " + method);
                });
  }

  private @Nullable Object delete(ScaleSetId id) {
    call("DELETE " + id);
    byId.remove(id);
    return null;
  }

  private Optional<ScaleSet> named(RunnerGroupId group, String name) {
    return byId.values().stream()
        .filter(set -> set.runnerGroupId().equals(group) && set.name().equalsIgnoreCase(name))
        .findFirst();
  }
}
