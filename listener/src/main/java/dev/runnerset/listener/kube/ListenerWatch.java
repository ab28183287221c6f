package dev.runnerset.listener.kube;

import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Unreadable;
import dev.runnerset.listener.session.context.ListenerSnapshot;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listener objects of one namespace, watched. */
public final class ListenerWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ListenerWatch.class);

  private final SharedIndexInformer<AutoScalingListener> informer;

  /**
   * Starts to watch; goes on trying when the API server cannot be reached.
   *
   * @param seen called with each object that is new or changed; must not block
   * @param gone called with the uid of each object that was deleted; must not block
   */
  public ListenerWatch(
      KubernetesClient client,
      String namespace,
      Consumer<ListenerSnapshot> seen,
      Consumer<String> gone) {
    client.getKubernetesSerialization().registerKubernetesResource(AutoScalingListener.class);
    informer =
        client
            .resources(AutoScalingListener.class)
            .inNamespace(namespace)
            .withLimit(KubeApi.PAGE)
            .runnableInformer(0)
            .exceptionHandler((started, failure) -> {
              LOG.atWarn()
                  .addKeyValue("why", failure.toString())
                  .log("the watch of listener objects failed; it is started again");
              return true;
            });
    informer.addEventHandler(new ListenerEvents(seen, gone));
    var _ = informer.start();
  }

  /** Passes the events of the watch on. */
  private record ListenerEvents(Consumer<ListenerSnapshot> seen, Consumer<String> gone)
      implements ResourceEventHandler<AutoScalingListener> {
    @Override
    public void onAdd(AutoScalingListener listener) {
      seen(listener);
    }

    @Override
    public void onUpdate(AutoScalingListener before, AutoScalingListener now) {
      // deleted and created again while the watch was away; one whose status was wiped begins again
      boolean isWiped = before.statusOrNone().epoch() != null && now.statusOrNone().epoch() == null;
      if (isWiped || !before.getMetadata().getUid().equals(now.getMetadata().getUid())) {
        gone.accept(before.getMetadata().getUid());
      }
      seen(now);
    }

    /** The controller writes the spec again of one that was not read whole. */
    private void seen(AutoScalingListener listener) {
      Unreadable.of(listener)
          .ifPresentOrElse(
              why ->
                  LOG.atWarn()
                      .addKeyValue("listener", listener.getMetadata().getName())
                      .addKeyValue("why", why.sentence())
                      .log("a listener object cannot be read; its loop goes on as before"),
              () -> seen.accept(snapshot(listener)));
    }

    @Override
    public void onDelete(AutoScalingListener listener, boolean finalStateUnknown) {
      gone.accept(listener.getMetadata().getUid());
    }
  }

  private static ListenerSnapshot snapshot(AutoScalingListener listener) {
    var meta = listener.getMetadata();
    return new ListenerSnapshot(
        meta.getNamespace(),
        meta.getName(),
        meta.getUid(),
        meta.getGeneration() == null ? 0 : meta.getGeneration(),
        listener.getSpec(),
        meta.getDeletionTimestamp() != null);
  }

  /** Whether the objects were read and are followed. */
  public boolean isFollowing() {
    return informer.hasSynced() && informer.isWatching();
  }

  @Override
  public void close() {
    informer.stop();
  }
}
