package dev.runnerset.simulator.kube.read;

import dev.runnerset.simulator.kube.http.Query;
import dev.runnerset.simulator.kube.http.Reply;
import dev.runnerset.simulator.kube.kind.ResourceType;
import dev.runnerset.simulator.kube.store.Cluster;
import dev.runnerset.simulator.kube.store.ResourceStore;
import dev.runnerset.simulator.kube.store.StoredObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;

/** Lists: always whole, as a server may answer one that was asked for in pages. */
public final class Lists {
  private final Cluster cluster;

  public Lists(Cluster cluster) {
    this.cluster = cluster;
  }

  public record Found(List<StoredObject> objects, long revision) {}

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
    Found found = find(type, namespace, query);
    String head =
        "{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"metadata\":{\"resourceVersion\":\"%d\"},\"items\":["
            .formatted(type.names().listKind(), type.apiVersion(), found.revision());
    ByteArrayOutputStream out = new ByteArrayOutputStream(256 + found.objects().size() * 1024);
    out.writeBytes(head.getBytes(StandardCharsets.UTF_8));
    String separator = "";
    for (StoredObject object : found.objects()) {
      out.writeBytes(separator.getBytes(StandardCharsets.UTF_8));
      out.writeBytes(object.bytes());
      separator = ",";
    }
    out.writeBytes("]}\n".getBytes(StandardCharsets.UTF_8));
    return Reply.json(200, out.toByteArray());
  }
}
