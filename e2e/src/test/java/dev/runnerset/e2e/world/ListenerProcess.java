package dev.runnerset.e2e.world;

import dev.runnerset.crds.AutoScalingListener;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One life of the listener: a real loop of each of our sets, by its object's name. */
final class ListenerProcess extends LivingProcess {
  private final Cache cache;
  private final Map<String, ListenerLoop> loops = new HashMap<>();
  private final Map<String, String> endedUids = new HashMap<>(); // loops that ended by themselves

  ListenerProcess(World world, String name) {
    super(world, name);
    cache = new Cache(world, this, List.of(AutoScalingListener.class), this::changed);
  }

  /** New loops for the listener objects that have none. */
  List<ListenerLoop> begins() {
    var begun = new ArrayList<ListenerLoop>();
    if (isAlive()) {
      for (var object : cache.all(AutoScalingListener.class)) {
        var listener = ListenerLoop.snapshot(object);
        if (!loops.containsKey(listener.name())
            && !listener.uid().equals(endedUids.get(listener.name()))) {
          var loop = new ListenerLoop(world, this, listener);
          loops.put(listener.name(), loop);
          begun.add(loop);
        }
      }
    }
    return begun;
  }

  void ended(ListenerLoop loop) {
    loops.remove(loop.name());
    endedUids.put(loop.name(), loop.uid());
  }

  @Override
  void died() {
    cache.close();
    loops.values().forEach(ListenerLoop::died);
    world.listenerDied(this);
  }

  private void changed(HasMetadata before, HasMetadata after) {
    var loop = loops.get((after == null ? before : after).getMetadata().getName());
    if (loop != null) {
      loop.changed((AutoScalingListener) after);
    }
  }

  /** The capacity that the only loop has heard of. */
  int capacity() {
    return loops.values().stream().mapToInt(ListenerLoop::capacity).findFirst().orElse(0);
  }
}
