package dev.runnerset.listener.kube;

import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.listener.session.ListenerSnapshot;
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
   * @param seen told of every object, new or changed; must not block
   * @param gone told the uid of every object that was deleted
   */
  public ListenerWatch(
      KubernetesClient client,
      String namespace,
      Consumer<ListenerSnapshot> seen,
      Consumer<String> gone) {
    informer =
        client
            .resources(AutoScalingListener.class)
            .inNamespace(namespace)
            .runnableInformer(0)
            .exceptionHandler((started, failure) -> {
              LOG.atWarn().addKeyValue("why", failure.toString()).log("watch failed; again");
              return true;
            });
    informer.addEventHandler(new Told(seen, gone));
    var _ = informer.start();
  }

  /** Passes events on. */
  private record Told(Consumer<ListenerSnapshot> seen, Consumer<String> gone)
      implements ResourceEventHandler<AutoScalingListener> {
    @Override
    public void onAdd(AutoScalingListener listener) {
      seen.accept(listened(listener));
    }

    @Override
    public void onUpdate(AutoScalingListener before, AutoScalingListener now) {
      if (!before.getMetadata().getUid().equals(now.getMetadata().getUid())) {
        gone.accept(before.getMetadata().getUid()); // deleted and made again behind our back
      }
      seen.accept(listened(now));
    }

    @Override
    public void onDelete(AutoScalingListener listener, boolean finalStateUnknown) {
      gone.accept(listener.getMetadata().getUid());
    }
  }

  private static ListenerSnapshot listened(AutoScalingListener listener) {
    var meta = listener.getMetadata();
    return new ListenerSnapshot(
        meta.getNamespace(),
        meta.getName(),
        meta.getUid(),
        meta.getGeneration() == null ? 0 : meta.getGeneration(),
        listener.getSpec(),
        meta.getDeletionTimestamp() != null);
  }

  @Override
  public void close() {
    informer.stop();
  }
}
