package dev.runnerset.simulator.kube.store;

import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Objects that a controller is to look at, each at most once: never more than there are objects.
 */
public final class ObjectQueue {
  private final BlockingQueue<ObjectRef> queue = new LinkedBlockingQueue<>();
  private final Set<ObjectRef> waiting = ConcurrentHashMap.newKeySet();

  void add(ObjectRef ref) {
    if (waiting.add(ref)) {
      queue.add(ref);
    }
  }

  /** The next one; waits for it. */
  public ObjectRef take() throws InterruptedException {
    ObjectRef ref = queue.take();
    waiting.remove(ref); // before it is looked at: a change during the look queues it again
    return ref;
  }
}
