package dev.runnerset.simulator.kube.read;

import dev.runnerset.simulator.kube.http.Call;
import dev.runnerset.simulator.kube.http.Query;
import dev.runnerset.simulator.kube.http.Reply;
import dev.runnerset.simulator.kube.kind.ResourceType;
import dev.runnerset.simulator.kube.status.ApiException;
import dev.runnerset.simulator.kube.store.Cluster;
import dev.runnerset.simulator.kube.store.ResourceStore;
import dev.runnerset.simulator.kube.store.StoredObject;
import dev.runnerset.simulator.kube.table.Tables;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;

/**
 * Lists, whole or in pages. A later page shows the objects of now, not of the first page; but its
 * resourceVersion is the first page's, so a watch from there misses nothing.
 */
public final class Lists {
  private final Cluster cluster;

  public Lists(Cluster cluster) {
    this.cluster = cluster;
  }

  public record Page(List<StoredObject> objects, long revision, String next, int remaining) {}

  public Page page(ResourceType type, String namespace, Query query) {
    Predicate<StoredObject> selector =
        Selector.of(type, "", query.text("labelSelector"), query.text("fieldSelector"));
    ResourceStore store = cluster.store(type);
    ResourceStore.Snapshot snapshot = store.snapshot(namespace);
    long revision = snapshot.revision();
    String after = "";
    if (query.has("continue")) {
      String[] token = decode(query.text("continue"));
      revision = Long.parseLong(token[0]);
      after = token[1];
      if (!store.log().remembers(revision)) {
        throw ApiException.expired(
            "The provided continue parameter is too old to display a consistent list result.");
      }
    }
    long limit = query.number("limit", 0) == 0 ? Long.MAX_VALUE : query.number("limit", 0);
    List<StoredObject> chosen = new ArrayList<>();
    int remaining = 0;
    for (StoredObject object : snapshot.objects()) {
      if (key(object).compareTo(after) > 0 && selector.test(object)) {
        if (chosen.size() < limit) {
          chosen.add(Cluster.view(type, object));
        } else {
          remaining++;
        }
      }
    }
    String next = remaining == 0 ? "" : encode(revision, key(chosen.getLast()));
    return new Page(chosen, revision, next, remaining);
  }

  public Reply reply(ResourceType type, String namespace, Call call) {
    Page page = page(type, namespace, call.query());
    if (call.wantsTable()) {
      Tables tables =
          new Tables(type.columns(), call.query().text("includeObject"), cluster.clock().instant());
      var table =
          tables.table(
              page.objects().stream().map(StoredObject::json).toList(),
              Long.toString(page.revision()),
              true);
      if (!page.next().isEmpty()) {
        table.withObjectProperty("metadata").put("continue", page.next());
      }
      return Reply.json(200, table);
    }
    return Reply.json(200, bytes(type, page), List.of());
  }

  /**
   * Put together from the texts of the objects, which are made once for lists, gets and watches.
   */
  private static byte[] bytes(ResourceType type, Page page) {
    String more =
        page.next().isEmpty()
            ? ""
            : ",\"continue\":\"" + page.next() + "\",\"remainingItemCount\":" + page.remaining();
    String head =
        "{\"kind\":\""
            + type.names().listKind()
            + "\",\"apiVersion\":\""
            + type.apiVersion()
            + "\",\"metadata\":{\"resourceVersion\":\""
            + page.revision()
            + '"'
            + more
            + "},\"items\":[";
    ByteArrayOutputStream out = new ByteArrayOutputStream(256 + page.objects().size() * 1024);
    out.writeBytes(head.getBytes(StandardCharsets.UTF_8));
    boolean first = true;
    for (StoredObject object : page.objects()) {
      if (!first) {
        out.write(',');
      }
      first = false;
      out.writeBytes(object.bytes());
    }
    out.writeBytes("]}\n".getBytes(StandardCharsets.UTF_8));
    return out.toByteArray();
  }

  private static String key(StoredObject object) {
    return ResourceStore.key(object.namespace(), object.name());
  }

  private static String encode(long revision, String key) {
    String token = revision + " " + key;
    return Base64.getUrlEncoder().encodeToString(token.getBytes(StandardCharsets.UTF_8));
  }

  private static String[] decode(String token) {
    try {
      String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
      String[] parts = text.split(" ", 2);
      if (parts.length == 2 && parts[0].matches("\\d{1,18}")) {
        return parts;
      }
    } catch (IllegalArgumentException _) {
      // refused below
    }
    throw ApiException.badRequest("continue key is not valid");
  }
}
