package dev.runnerset.e2e.world;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.Credentials;
import dev.runnerset.actions.MessageSession;
import dev.runnerset.connection.ConnectionSettings;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.listener.config.ListenerSettings;
import dev.runnerset.listener.kube.KubeSetWriter;
import dev.runnerset.listener.session.LastingLoop;
import dev.runnerset.listener.session.context.DesiredState;
import dev.runnerset.listener.session.context.Inbox;
import dev.runnerset.listener.session.context.ListenerSnapshot;
import dev.runnerset.listener.session.context.LoopContext;
import dev.runnerset.listener.session.context.Polls;
import dev.runnerset.listener.session.context.SetSeries;
import dev.runnerset.testsupport.CallerThread;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.util.List;
import java.util.Random;

/**
 * One life of the listener: the real loop of our set. Where the loop waits, the world goes on; so
 * the loop runs on the one thread that there is.
 */
final class ListenerProcess extends LivingProcess implements Inbox, Polls {
  private final Cache cache;
  private DesiredState desired;
  private Polls.Answer answer;
  private Object polling;
  private long number;
  private boolean news;
  private String ended = ""; // the object whose loop has ended by itself

  ListenerProcess(World world, String name) {
    super(world, name);
    cache = new Cache(world, this, List.of(AutoScalingListener.class), this::changed);
  }

  /** The listener object that a loop would hold; null for none. */
  ListenerSnapshot toHold() {
    return cache.all(AutoScalingListener.class).stream()
        .map(ListenerProcess::snapshot)
        .filter(snapshot -> !snapshot.uid().equals(ended))
        .findFirst()
        .orElse(null);
  }

  /** Listens until this process dies, the object is gone, or it was asked to end. */
  void listen(ListenerSnapshot listener) {
    desired = new DesiredState.Hold(listener);
    world.trace.say(name(), "listens");
    var context =
        new LoopContext(
            new LoopContext.Cluster(
                new KubeSetWriter(world.bugs.listenerKube(world, this)),
                this::now,
                new CallerThread()),
            new LoopContext.Service(
                spec ->
                    ConnectionSettings.direct(
                        ConfigUrl.parse(World.URL), new Credentials.Token("token")),
                settings -> world.bugs.listenerService(new ServiceClient(world, this))),
            this,
            this,
            new Random(world.chance.random.nextLong()),
            ListenerSettings.of("trusted", name()),
            new SetSeries() {});
    new LastingLoop(context, listener, false).run();
    ended = listener.uid();
    world.trace.say(name(), "no longer listens");
  }

  @Override
  void died() {
    cache.close();
    desired = new DesiredState.Stop(DesiredState.StopReason.LEASE_LOST);
    world.listenerDied(this);
  }

  private static ListenerSnapshot snapshot(AutoScalingListener object) {
    var meta = object.getMetadata();
    return new ListenerSnapshot(
        meta.getNamespace(),
        meta.getName(),
        meta.getUid(),
        meta.getGeneration(),
        object.getSpec(),
        meta.getDeletionTimestamp() != null);
  }

  private void changed(HasMetadata before, HasMetadata after) {
    if (after instanceof AutoScalingListener object) {
      desired = new DesiredState.Hold(snapshot(object));
    } else {
      desired = new DesiredState.Stop(DesiredState.StopReason.GONE);
    }
    news = true;
  }

  // --- the inbox

  @Override
  public Instant now() {
    return world.time.instant();
  }

  @Override
  public DesiredState desired() {
    return world.isOver() ? new DesiredState.Stop(DesiredState.StopReason.LEASE_LOST) : desired;
  }

  @Override
  public Polls.Answer takeAnswer() {
    var taken = answer;
    answer = null;
    return taken;
  }

  @Override
  public void await(Instant until) {
    var end = until == null ? Long.MAX_VALUE : world.time.now() + world.time.until(until);
    while (!news && isAlive() && !world.isOver() && world.time.now() < end) {
      world.goOn(end);
    }
    news = false;
  }

  /** The capacity that the process has heard of. */
  int capacity() {
    return desired instanceof DesiredState.Hold(var listener) ? listener.spec().capacity() : 0;
  }

  // --- polls

  @Override
  public void start(long poll, MessageSession session, long lastMessageId, int capacity) {
    var it = new Object();
    polling = it;
    number = poll;
    world.poll(this, session.id().value(), it, lastMessageId, capacity);
  }

  @Override
  public void cancel() {
    if (polling != null) {
      world.service.giveUp(polling);
      polling = null;
    }
  }

  /** The poll has ended. */
  void answered(Object poll, java.util.function.LongFunction<Polls.Answer> with) {
    if (poll == polling && isAlive()) {
      polling = null;
      answer = with.apply(number);
      news = true;
    }
  }
}
