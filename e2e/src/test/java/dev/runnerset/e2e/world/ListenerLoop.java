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
import dev.runnerset.listener.session.context.DesiredState.StopReason;
import dev.runnerset.listener.session.context.Inbox;
import dev.runnerset.listener.session.context.ListenerSnapshot;
import dev.runnerset.listener.session.context.LoopContext;
import dev.runnerset.listener.session.context.Polls;
import dev.runnerset.listener.session.context.SetSeries;
import dev.runnerset.testsupport.CallerThread;
import java.time.Instant;
import java.util.Random;
import java.util.function.LongFunction;

/** The real loop of one set in one life of the listener. Where it waits, the world goes on. */
final class ListenerLoop implements Inbox, Polls {
  private final World world;
  private final ListenerProcess process;
  private final ListenerSnapshot listener;
  private final Strand strand = new Strand(this::listen);
  private DesiredState desired;
  private Polls.Answer answer;
  private Object polling;
  private long number;
  private boolean news;
  private long until;

  ListenerLoop(World world, ListenerProcess process, ListenerSnapshot listener) {
    this.world = world;
    this.process = process;
    this.listener = listener;
    this.desired = new DesiredState.Hold(listener);
  }

  static ListenerSnapshot snapshot(AutoScalingListener object) {
    var meta = object.getMetadata();
    return new ListenerSnapshot(
        meta.getNamespace(),
        meta.getName(),
        meta.getUid(),
        meta.getGeneration(),
        object.getSpec(),
        meta.getDeletionTimestamp() != null);
  }

  String uid() {
    return listener.uid();
  }

  String name() {
    return listener.name();
  }

  // --- how it goes on

  boolean isOver() {
    return strand.isOver();
  }

  /** Whether it need not wait. */
  boolean isDue() {
    return news || !process.isAlive() || world.isOver() || world.time.now() >= until;
  }

  /** When it goes on without news, in milliseconds. */
  long until() {
    return until;
  }

  void goOn() {
    news = false;
    strand.goOn();
  }

  /** The object is another one; null if it is gone. */
  void changed(AutoScalingListener object) {
    desired =
        object == null
            ? new DesiredState.Stop(StopReason.GONE)
            : new DesiredState.Hold(snapshot(object));
    news = true;
  }

  /** Its process has died. */
  void died() {
    desired = new DesiredState.Stop(StopReason.LEASE_LOST);
  }

  /** Until its process dies, the object is gone, or it was asked to end. */
  private void listen() {
    world.trace.say(process.name(), "listens");
    var context =
        new LoopContext(
            new LoopContext.Cluster(
                new KubeSetWriter(world.bugs.listenerKube(world, process)),
                this::now,
                new CallerThread()),
            new LoopContext.Service(
                spec ->
                    ConnectionSettings.direct(
                        ConfigUrl.parse(World.URL), new Credentials.Token("token")),
                settings -> world.bugs.listenerService(new ServiceClient(world, process))),
            this,
            this,
            new Random(world.chance.random.nextLong()),
            ListenerSettings.of("trusted", process.name()),
            new SetSeries() {});
    new LastingLoop(context, listener, false).run();
    process.ended(this);
    world.trace.say(process.name(), "no longer listens");
  }

  // --- the inbox

  @Override
  public Instant now() {
    return world.time.instant();
  }

  @Override
  public DesiredState desired() {
    return world.isOver() ? new DesiredState.Stop(StopReason.LEASE_LOST) : desired;
  }

  @Override
  public Polls.Answer takeAnswer() {
    var taken = answer;
    answer = null;
    return taken;
  }

  @Override
  public void await(Instant end) {
    until = end == null ? Long.MAX_VALUE : world.time.now() + world.time.until(end);
    if (isDue()) {
      news = false;
    } else {
      strand.pause();
    }
  }

  /** The capacity that the process has heard of. */
  int capacity() {
    return desired instanceof DesiredState.Hold(var held) ? held.spec().capacity() : 0;
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
  void answered(Object poll, LongFunction<Polls.Answer> with) {
    if (poll == polling && process.isAlive()) {
      polling = null;
      answer = with.apply(number);
      news = true;
    }
  }
}
