package dev.runnerset.simulator.kube;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.http.Call;
import dev.runnerset.simulator.kube.http.Reply;
import dev.runnerset.simulator.kube.http.ResourcePath;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.json.Patch;
import dev.runnerset.simulator.kube.kind.ResourceType;
import dev.runnerset.simulator.kube.read.Lists;
import dev.runnerset.simulator.kube.read.Watches;
import dev.runnerset.simulator.kube.status.ApiException;
import dev.runnerset.simulator.kube.status.Cause;
import dev.runnerset.simulator.kube.store.Cluster;
import dev.runnerset.simulator.kube.store.ObjectRef;
import dev.runnerset.simulator.kube.store.ResourceStore;
import dev.runnerset.simulator.kube.store.StoredObject;
import dev.runnerset.simulator.kube.write.Deletes;
import dev.runnerset.simulator.kube.write.Incoming;
import dev.runnerset.simulator.kube.write.Writes;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Carries out the verbs on resources and their subresources. */
final class ResourceVerbs {
  private final Cluster cluster;
  private final Writes writes;
  private final Deletes deletes;
  private final Lists lists;
  private final Watches watches;

  ResourceVerbs(
      Cluster cluster, Writes writes, Deletes deletes, Function<ResourceType, Duration> watchLag) {
    this.cluster = cluster;
    this.writes = writes;
    this.deletes = deletes;
    this.lists = new Lists(cluster);
    this.watches = new Watches(cluster, watchLag);
  }

  /** The verb in the words of the audit log. */
  static String verb(Call call, ResourcePath path) {
    boolean one = !path.name().isEmpty();
    return switch (call.method()) {
      case "GET" -> {
        String many = call.query().isTrue("watch") ? "watch" : "list";
        yield one ? "get" : many;
      }
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> one ? "delete" : "deletecollection";
      default -> "other";
    };
  }

  Reply carryOut(String verb, ResourceType type, ResourcePath path, Call call) {
    if (!path.sub().isEmpty() && !type.has(path.sub())) {
      throw ApiException.noSuchPath();
    }
    if (path.name().isEmpty() && (verb.equals("update") || verb.equals("patch"))) {
      throw ApiException.methodNotAllowed();
    }
    if (type.is(ResourceType.REVIEWS)) {
      return verb.equals("create")
          ? Reply.json(201, Reviews.answer(type, call.body()))
          : notAllowed();
    }
    return switch (verb) {
      case "list" -> lists.reply(type, path.namespace(), call.query());
      case "watch" -> watches.begin(type, path.namespace(), call);
      case "get" -> get(type, path);
      case "create" ->
          path.sub().equals("binding") ? bind(type, path, call) : create(type, path, call);
      case "update" -> update(type, path, call);
      case "patch" -> patch(type, path, call);
      case "delete" -> delete(type, path, call);
      case "deletecollection" -> deleteCollection(type, path, call);
      default -> notAllowed();
    };
  }

  private static Reply notAllowed() {
    throw ApiException.methodNotAllowed();
  }

  private static ObjectRef ref(ResourceType type, ResourcePath path) {
    return new ObjectRef(type, ResourceStore.key(path.namespace(), path.name()));
  }

  private Reply get(ResourceType type, ResourcePath path) {
    StoredObject found = cluster.store(type).find(ref(type, path).key());
    if (found == null) {
      throw ApiException.notFound(type.resource(), path.name());
    }
    return one(200, found);
  }

  private static Reply one(int code, StoredObject object) {
    return Reply.json(code, object.bytes());
  }

  private Reply create(ResourceType type, ResourcePath path, Call call) {
    if (!path.name().isEmpty()) {
      throw ApiException.methodNotAllowed();
    }
    var created = writes.create(type, path.namespace(), call.body(), options(call));
    return one(201, created);
  }

  private static Writes.Options options(Call call) {
    boolean strict = call.query().text("fieldValidation").equals("Strict");
    return new Writes.Options(call.query().dryRun(), strict);
  }

  /** Puts a pod onto a node, as schedulers do. */
  private Reply bind(ResourceType type, ResourcePath path, Call call) {
    String node = call.body().at("/target/name").asText();
    var _ =
        writes.modify(
            ref(type, path),
            path.name(),
            Writes.Part.INTERNAL,
            pod -> bound(type, pod, node),
            new Writes.Options(call.query().dryRun(), false));
    return Reply.json(201, success(Json.object()));
  }

  private ObjectNode bound(ResourceType type, ObjectNode pod, String node) {
    String name = pod.at("/metadata/name").asText();
    String current = pod.at("/spec/nodeName").asText();
    if (!current.isEmpty()) {
      throw ApiException.conflict(
          type.resource(), name, "pod " + name + " is already assigned to node \"" + current + '"');
    }
    if (pod.path("metadata").has("deletionTimestamp")) {
      throw ApiException.conflict(
          type.resource(), name, "pod " + name + " is being deleted, cannot be assigned to a host");
    }
    pod.withObjectProperty("spec").put("nodeName", node);
    ObjectNode condition = Json.object().put("type", "PodScheduled").put("status", "True");
    condition.put("lastTransitionTime", cluster.timestamp());
    ArrayNode conditions = pod.withObjectProperty("status").withArrayProperty("conditions");
    conditions.removeIf(c -> c.path("type").asText().equals("PodScheduled"));
    conditions.add(condition);
    return pod;
  }

  private Reply update(ResourceType type, ResourcePath path, Call call) {
    ObjectNode wanted = Incoming.decode(type, call.body());
    if (type.custom() && wanted.at("/metadata/resourceVersion").asText().isEmpty()) {
      throw ApiException.invalid(
          type.resource(),
          path.name(),
          List.of(
              Cause.invalid("metadata.resourceVersion", "0x0", "must be specified for an update")));
    }
    return modify(type, path, call, _ -> wanted);
  }

  private Reply patch(ResourceType type, ResourcePath path, Call call) {
    Patch patch = Patch.of(call.contentType(), call::body);
    return modify(type, path, call, old -> Incoming.decode(type, patch.apply(old)));
  }

  private Reply modify(
      ResourceType type, ResourcePath path, Call call, UnaryOperator<ObjectNode> change) {
    Writes.Part part = path.sub().equals("status") ? Writes.Part.STATUS : Writes.Part.MAIN;
    var modified = writes.modify(ref(type, path), path.name(), part, change, options(call));
    return one(200, modified);
  }

  private Reply delete(ResourceType type, ResourcePath path, Call call) {
    var options = Deletes.Options.parse(call.optionalBody(), call.query());
    var outcome = deletes.delete(ref(type, path), path.name(), options);
    if (!outcome.gone() || type.is(ResourceType.PODS)) {
      return one(200, outcome.object());
    }
    ObjectNode details = Json.object().put("name", path.name());
    if (!type.group().isEmpty()) {
      details.put("group", type.group());
    }
    details.put("kind", type.plural()).put("uid", outcome.object().uid());
    return Reply.json(200, success(details));
  }

  private static ObjectNode success(ObjectNode details) {
    ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
    status.putObject("metadata");
    status.put("status", "Success");
    if (!details.isEmpty()) {
      status.set("details", details);
    }
    return status;
  }

  private Reply deleteCollection(ResourceType type, ResourcePath path, Call call) {
    var options = Deletes.Options.parse(call.optionalBody(), call.query());
    Lists.Found found = lists.find(type, path.namespace(), call.query());
    ObjectNode list = Json.object().put("kind", type.names().listKind());
    list.put("apiVersion", type.apiVersion());
    list.putObject("metadata").put("resourceVersion", Long.toString(found.revision()));
    ArrayNode items = list.putArray("items");
    for (StoredObject object : found.objects()) {
      String key = ResourceStore.key(object.namespace(), object.name());
      try {
        items.add(deletes.delete(new ObjectRef(type, key), object.name(), options).object().json());
      } catch (ApiException e) {
        if (e.code() != 404) { // gone meanwhile is what was wanted
          throw e;
        }
      }
    }
    return Reply.json(200, list);
  }
}
