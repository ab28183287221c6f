package dev.runnerset.simulator.kube.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.runnerset.simulator.kube.http.Query;
import dev.runnerset.simulator.kube.http.Reply;
import dev.runnerset.simulator.kube.kind.ResourceType;
import dev.runnerset.simulator.kube.store.Cluster;
import dev.runnerset.simulator.kube.store.ResourceStore;
import dev.runnerset.simulator.kube.store.StoredObject;
import java.io.ByteArrayOutputStream;
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;

/** Lists, whole or in pages. */
public final class Lists {
  private final Cluster cluster;

  public Lists(Cluster cluster) {
    this.cluster = cluster;
  }

  public record Found(List<StoredObject> objects, long revision) {}

  /**
   * A part of a list.
   *
   * @param next the token of the next page; empty for none. It names the revision of the first page
   *     and the last object of this one, so an object that comes or goes between pages shifts none
   */
  private record Page(List<StoredObject> objects, long revision, String next) {
    static Page of(Found found, Query query) {
      var token = new String(Base64.getUrlDecoder().decode(query.text("continue")), UTF_8);
      int slash = token.indexOf('/');
      long revision = slash < 0 ? found.revision() : Long.parseLong(token.substring(0, slash));
      var after = token.substring(slash + 1);
      var rest =
          after.isEmpty()
              ? found.objects()
              : found.objects().stream().filter(o -> key(o).compareTo(after) > 0).toList();
      long limit = query.number("limit", 0);
      if (limit <= 0 || rest.size() <= limit) {
        return new Page(rest, revision, "");
      }
      var page = rest.subList(0, (int) limit);
      var next = revision + "/" + key(page.getLast());
      return new Page(page, revision, Base64.getUrlEncoder().encodeToString(next.getBytes(UTF_8)));
    }

    private static String key(StoredObject object) {
      return ResourceStore.key(object.namespace(), object.name());
    }
  }

  public Found find(ResourceType type, String namespace, Query query) {
    Predicate<StoredObject> selector =
        Selector.of(type, "", query.text("labelSelector"), query.text("fieldSelector"));
    ResourceStore.Snapshot snapshot = cluster.store(type).snapshot(namespace);
    return new Found(snapshot.objects().stream().filter(selector).toList(), snapshot.revision());
  }

  /**
   * Put together from the texts of the objects, which are made once for lists, gets and watches.
   */
  public Reply reply(ResourceType type, String namespace, Query query) {
    Page found = Page.of(find(type, namespace, query), query);
    String head =
        "{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"metadata\":{\"resourceVersion\":\"%d\",\"continue\":\"%s\"},\"items\":["
            .formatted(type.names().listKind(), type.apiVersion(), found.revision(), found.next());
    ByteArrayOutputStream out = new ByteArrayOutputStream(256 + found.objects().size() * 1024);
    out.writeBytes(head.getBytes(UTF_8));
    String separator = "";
    for (StoredObject object : found.objects()) {
      out.writeBytes(separator.getBytes(UTF_8));
      out.writeBytes(object.bytes());
      separator = ",";
    }
    out.writeBytes("]}\n".getBytes(UTF_8));
    return Reply.json(200, out.toByteArray());
  }
}
