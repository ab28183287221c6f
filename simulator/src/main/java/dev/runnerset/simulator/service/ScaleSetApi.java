package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runner groups and scale sets (protocol 3.1, protocol 3.7). */
final class ScaleSetApi {
  private static final String SPACE = "GitHub.Actions.Runtime.WebApi.";
  private final ServiceState state;
  private final AdminAccess access;
  private final JobFlow flow;
  private final RunnerRegistry runners;
  private final Map<Integer, String> groups = new LinkedHashMap<>();

  ScaleSetApi(ServiceState state, AdminAccess access, JobFlow flow, RunnerRegistry runners) {
    this.state = state;
    this.access = access;
    this.flow = flow;
    this.runners = runners;
    groups.put(1, "Default");
    state.options.groups().forEach(name -> groups.put(groups.size() + 1, name));
  }

  Reply groups(Request request) {
    var wanted = request.parameter("groupName");
    return access.with(
        request,
        (scope, now) -> {
          var found = new ArrayList<ObjectNode>();
          groups(scope)
              .forEach((id, name) -> {
                if (wanted.isEmpty() || wanted.get().equalsIgnoreCase(name)) {
                  found.add(
                      Json.object().put("id", id).put("name", name).put("isDefaultGroup", id == 1));
                }
              });
          return Reply.json(200, Json.counted(found));
        });
  }

  /** A repository has the default group only (protocol 3.1). */
  private Map<Integer, String> groups(Scope scope) {
    return scope.isRepository() ? Map.of(1, "Default") : groups;
  }

  Reply find(Request request) {
    var name = request.parameter("name");
    var group = request.parameter("runnerGroupId").flatMap(Numbers::parse);
    return access.with(
        request,
        (scope, now) ->
            Reply.json(
                200,
                Json.counted(
                    state.sets.values().stream()
                        .filter(s -> s.scope.equals(scope))
                        .filter(s -> name.isEmpty() || name.get().equalsIgnoreCase(s.name))
                        .filter(s -> group.isEmpty() || group.get() == s.groupId)
                        .map(this::json)
                        .toList())));
  }

  Reply get(Request request) {
    return withSet(request, (set, now) -> Reply.json(200, json(set)));
  }

  Reply create(Request request) {
    var body = request.json();
    return access.with(
        request,
        (scope, now) -> {
          var name = Json.field(body, "name").asText();
          int group = Json.field(body, "runnerGroupId").asInt(1);
          var refused = refused(scope, name, group, Optional.empty());
          if (refused.isPresent()) {
            return refused.get();
          }
          var set = add(scope, name, now);
          set.groupId = group;
          set.groupName = groups.getOrDefault(group, "Default");
          set.labels = labels(body, name);
          set.disableUpdate = disableUpdate(body).orElse(false);
          flow.announceAll(set);
          return Reply.json(200, json(set));
        });
  }

  /** A new set in the default group. */
  ScaleSet add(Scope scope, String name, Instant now) {
    var queue = new MessageQueue(state.flavour().firstMessageId());
    var set = new ScaleSet(state.nextNumber(), scope, name, now, queue);
    set.labels = List.of(new ScaleSet.Label("System", name));
    state.sets.put(set.id, set);
    return set;
  }

  Reply update(Request request) {
    var body = request.json();
    return withSet(
        request,
        (set, now) -> {
          var name = Json.field(body, "name").asText(set.name);
          int group = Json.field(body, "runnerGroupId").asInt(set.groupId);
          var newName = name.isEmpty() ? set.name : name;
          int newGroup = group == 0 ? set.groupId : group;
          var refused = refused(set.scope, newName, newGroup, Optional.of(set));
          if (refused.isPresent()) {
            return refused.get();
          }
          set.name = newName;
          set.groupId = newGroup;
          set.groupName = groups.getOrDefault(newGroup, "Default");
          if (!Json.field(body, "labels").isEmpty()) {
            set.labels = labels(body, newName);
          }
          disableUpdate(body).ifPresent(value -> set.disableUpdate = value);
          flow.announceAll(set);
          flow.fill(set, now);
          return Reply.json(200, json(set));
        });
  }

  /** Refused while a job runs; what was assigned and not taken is queued again (protocol 3.6). */
  Reply delete(Request request) {
    return withSet(
        request,
        (set, now) -> {
          if (set.running > 0) {
            return Reply.fault(
                400,
                SPACE + "RunnerScaleSetInUseException",
                "The runner scale set has running jobs.");
          }
          remove(set, now);
          return Reply.empty(204);
        });
  }

  /** The set goes with its session and its registrations. */
  void remove(ScaleSet set, Instant now) {
    set.deleted = true;
    state.sets.remove(set.id);
    if (set.session != null) {
      set.session.closed = true;
    }
    runners.all().stream()
        .filter(r -> r.set == set)
        .toList()
        .forEach(runner -> {
          if (runner.job != null) {
            flow.withdraw(runner.job, runner, now);
          }
          runners.remove(runner);
        });
    flow.release(set, now);
    set.look();
    flow.fillAll(now);
  }

  private interface SetBody {
    Reply reply(ScaleSet set, Instant now);
  }

  private Reply withSet(Request request, SetBody body) {
    var id = request.segments().get(3);
    return access.with(
        request,
        (scope, now) ->
            access
                .set(scope, id)
                .map(set -> body.reply(set, now))
                .orElseGet(() -> AdminAccess.setNotFound(id)));
  }

  private Optional<Reply> refused(Scope scope, String name, int group, Optional<ScaleSet> self) {
    if (name.isEmpty()) {
      return Optional.of(Reply.fault(400, SPACE + "InvalidScaleSetException", "A name is needed."));
    }
    if (!groups(scope).containsKey(group)) {
      return Optional.of(
          Reply.fault(
              404,
              SPACE + "RunnerGroupNotFoundException",
              "No runner group found with identifier " + group + "."));
    }
    var taken =
        state.sets.values().stream()
            .filter(s -> self.isEmpty() || s != self.get())
            .anyMatch(
                s -> s.scope.equals(scope) && s.groupId == group && s.name.equalsIgnoreCase(name));
    return taken
        ? Optional.of(
            Reply.fault(
                400,
                SPACE + "RunnerScaleSetExistsException",
                "Runner scale set " + name + " already exists."))
        : Optional.empty();
  }

  private List<ScaleSet.Label> labels(JsonNode body, String name) {
    var labels = new ArrayList<ScaleSet.Label>();
    for (var label : Json.field(body, "labels")) {
      var type = Json.field(label, "type").asText();
      labels.add(
          new ScaleSet.Label(type.isEmpty() ? "System" : type, Json.field(label, "name").asText()));
    }
    if (labels.isEmpty()) {
      return List.of(new ScaleSet.Label("System", name));
    }
    return state.faults.plan().legacy().firstLabelOnly()
        ? List.of(labels.getFirst())
        : List.copyOf(labels);
  }

  /** Empty for {@code "RunnerSetting": {}}, which means unchanged (protocol 3.5). */
  private static Optional<Boolean> disableUpdate(JsonNode body) {
    var value = Json.field(Json.field(body, "runnerSetting"), "disableUpdate");
    return value.isBoolean() ? Optional.of(value.asBoolean()) : Optional.empty();
  }

  ObjectNode json(ScaleSet set) {
    var node = set.json(state.statistics(set));
    if (state.faults.plan().noCreatedOn()) {
      node.remove("createdOn");
    }
    return node.put("runnerJitConfigUrl", state.url(set) + "/generatejitconfig");
  }
}
