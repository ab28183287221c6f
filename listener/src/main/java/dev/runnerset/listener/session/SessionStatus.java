package dev.runnerset.listener.session;

import dev.runnerset.base.BriefThread;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.AutoScalingListenerStatusBuilder;
import dev.runnerset.crds.ProtocolLevel;
import dev.runnerset.crds.ServiceConnection;
import dev.runnerset.crds.Timestamps;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.ListenerReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import dev.runnerset.listener.session.context.Inbox;
import dev.runnerset.listener.session.context.KubeRefusal;
import dev.runnerset.listener.session.context.ListenerSnapshot;
import dev.runnerset.listener.session.context.LoopContext;
import dev.runnerset.listener.session.context.LoopExit;
import dev.runnerset.listener.session.context.SetSeries;
import dev.runnerset.listener.session.context.SetWriter;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the status of one listener object says of its session, written on change only. Each write
 * tests the epoch, so that a process that lost the fence can write nothing (SF3). Used by the
 * loop's thread.
 */
final class SessionStatus {
  private static final Logger LOG = LoggerFactory.getLogger(SessionStatus.class);

  private final SetWriter writer;
  private final Inbox inbox;
  private final String identity;
  private final SetSeries series;
  private final Map<ConditionType, String> keyByCondition = new EnumMap<>(ConditionType.class);

  private ListenerSnapshot listener;
  private AutoScalingListenerStatus written = AutoScalingListenerStatus.NONE;
  private AutoScalingListenerStatus wanted = AutoScalingListenerStatus.NONE;
  private long epoch;
  private String formerHolder = "";
  private boolean doubted;
  private int heldInVain;

  SessionStatus(LoopContext context, ListenerSnapshot listener) {
    this.writer = context.cluster().writer();
    this.inbox = context.inbox();
    this.identity = context.settings().identity();
    this.series = context.series();
    this.listener = listener;
  }

  /** The listener object as it is now. */
  void seen(ListenerSnapshot latest) {
    listener = latest;
  }

  /** After a take-over: adopts the status that was there. Writes nothing yet. */
  void claim(TakeOver.Fence fence) {
    var there = fence.before();
    epoch = fence.epoch();
    written = AutoScalingListenerStatusBuilder.builder(there).epoch(epoch).demand(null).build();
    if (there.holder() != null && !there.holder().equals(identity)) {
      formerHolder = there.holder();
    }
    wanted =
        ours(
            there.sessionId(),
            there.connection(),
            wanted.conditions().isEmpty() ? there.conditions() : wanted.conditions());
  }

  /** Who held the set before, or empty. */
  String formerHolder() {
    return formerHolder;
  }

  /** The session that stands in the status, ours or a former holder's; or empty. */
  String sessionId() {
    return wanted.sessionId() == null ? "" : wanted.sessionId();
  }

  /** The session that may be open at the service, or null. Written with the next flush. */
  void sessionId(@Nullable String id) {
    wanted = ours(id, wanted.connection(), wanted.conditions());
  }

  /**
   * The session is open. Written with the next flush. After a poll that failed, a session alone
   * shows nothing: what was reported stays until a poll succeeds.
   */
  void opened(String sessionId, ServiceConnection with) {
    // the hash is made of JSON, whose buffers would stay with this thread
    wanted = ours(sessionId, BriefThread.call(with::hash), wanted.conditions());
    if (!doubted || !isNotConnected()) {
      connected();
    }
  }

  private void connected() {
    set(
        ConditionType.CONNECTED,
        true,
        SessionFinding.of(ListenerReason.SESSION_OPEN, "the message session is open"));
  }

  /** The service answered a poll: writes at once if the status says anything else. */
  void answered() {
    heldInVain = 0;
    pollStands();
  }

  /** The service holds a poll for so long that it will answer. Written like {@link #answered}. */
  void pollStands() {
    doubted = false;
    if (isFalse(ConditionType.CONNECTED) || isDirty()) {
      connected();
      tryFlush();
    }
  }

  /** Something keeps the set from being listened for: logged, and written at once if it is new. */
  void notConnected(SessionFinding finding) {
    LOG.atWarn()
        .addKeyValue("listener", listener.name())
        .addKeyValue("reason", finding.reason().word())
        .addKeyValue("why", finding.message())
        .log("not connected");
    set(ConditionType.CONNECTED, false, finding);
    tryFlush();
  }

  /** Like {@link #notConnected}, and no session counts as connected until a poll succeeds. */
  void pollFailed(SessionFinding finding) {
    doubted = true;
    notConnected(finding);
  }

  /** A poll was held for long, and yet the service did not answer it. */
  void pollHeldInVain() {
    heldInVain++;
  }

  /** Forgets what earlier polls showed: they used another connection. */
  void otherConnection() {
    doubted = false;
    heldInVain = 0;
  }

  /**
   * Whether a poll that is held would show that the service answers again. Where one poll after the
   * other is held in vain, as behind a proxy that drops what is idle, only an answer shows it.
   */
  boolean isProvenByHeldPoll() {
    return isNotConnected() && heldInVain < 2;
  }

  /** Whether the status says that the set is not listened for. */
  boolean isNotConnected() {
    return isFalse(ConditionType.CONNECTED);
  }

  /** The session was ended on purpose. Written with the next flush. */
  void ended(SessionFinding finding) {
    set(ConditionType.CONNECTED, false, finding);
  }

  /** Messages can be applied. Written at once if the status says anything else. */
  void applied() {
    set(ConditionType.MESSAGES_APPLIED, true, SessionFinding.of(ListenerReason.APPLIED, ""));
    tryFlush();
  }

  /** A message could not be applied, or not wholly. Written at once if that is new. */
  void notApplied(SessionFinding finding) {
    set(ConditionType.MESSAGES_APPLIED, false, finding);
    tryFlush();
  }

  /** Whether the status says that messages cannot be applied. */
  boolean isNotApplied() {
    return isFalse(ConditionType.MESSAGES_APPLIED);
  }

  /** Marks were dropped, with what to tell of the last one. Written at once if that is new. */
  void marksDropped(SessionFinding finding) {
    set(ConditionType.MARKS_DROPPED, true, finding);
    tryFlush();
  }

  /** Since when the status tells of dropped marks, also those of a former process; or null. */
  @Nullable Instant marksDroppedSince() {
    var dropped =
        StatusConditions.find(wanted.conditions(), ConditionType.MARKS_DROPPED).orElse(null);
    return dropped == null ? null : Timestamps.parse(dropped.getLastTransitionTime());
  }

  /** No mark was dropped lately. Written at once if the status says anything else. */
  void noMarksDropped() {
    if (has(ConditionType.MARKS_DROPPED)) {
      keyByCondition.remove(ConditionType.MARKS_DROPPED);
      conditions(StatusConditions.without(wanted.conditions(), ConditionType.MARKS_DROPPED));
      tryFlush();
    }
  }

  private void conditions(List<Condition> next) {
    wanted = ours(wanted.sessionId(), wanted.connection(), next);
  }

  private AutoScalingListenerStatus ours(
      @Nullable String sessionId, @Nullable String connection, List<Condition> conditions) {
    return new AutoScalingListenerStatus(
        identity, epoch, sessionId, connection, conditions, ProtocolLevel.OURS, null);
  }

  private boolean isFalse(ConditionType type) {
    return StatusConditions.isFalse(wanted.conditions(), type);
  }

  private void set(ConditionType type, boolean status, SessionFinding f) {
    var key = status + f.key();
    if (key.equals(keyByCondition.put(type, key)) && has(type)) {
      return;
    }
    List<Condition> next =
        StatusConditions.with(
            wanted.conditions(),
            StatusConditions.build(
                wanted.conditions(),
                type,
                Value.of(status),
                f.reason(),
                f.message(),
                listener.generation(),
                inbox.now()));
    conditions(next);
  }

  private boolean has(ConditionType type) {
    return StatusConditions.find(wanted.conditions(), type).isPresent();
  }

  private boolean isDirty() {
    return !wanted.equals(written);
  }

  /** Like {@link #flush}; what is refused for now is written with the next change. */
  private void tryFlush() {
    try {
      flush();
    } catch (KubeRefusal e) {
      // stays wanted
    }
  }

  /**
   * Writes what is wanted, if it is not written.
   *
   * @throws KubeRefusal when it could not be written for now
   * @throws LoopExit when the fence is another holder's, or the object is gone
   */
  void flush() {
    if (!isDirty()) {
      return;
    }
    try {
      writer.writeStatus(listener, epoch, wanted);
    } catch (KubeRefusal e) {
      series.refused(e.kind());
      switch (e.kind()) {
        case GONE -> throw new LoopExit(LoopExit.Why.GONE);
        case TEST_FAILED -> {
          exitIfFenced();
          throw e;
        }
        case STALE, FORBIDDEN, UNAVAILABLE -> throw e;
      }
    } finally {
      inbox.progress();
    }
    written = wanted;
  }

  /**
   * A test of the epoch failed: another holder has the fence, or somebody else refuses the write.
   *
   * @throws LoopExit when the fence is another holder's, or the object is gone
   */
  void exitIfFenced() {
    var there = writer.readFence(listener);
    inbox.progress();
    if (there == null) {
      throw new LoopExit(LoopExit.Why.GONE);
    }
    if (!there.isHeldBy(epoch)) {
      throw new LoopExit(LoopExit.Why.FENCED);
    }
  }
}
