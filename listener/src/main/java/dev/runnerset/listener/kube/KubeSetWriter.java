package dev.runnerset.listener.kube;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.ListenerTarget;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.MergePatch;
import dev.runnerset.kube.Resource;
import dev.runnerset.listener.demand.DemandAction.Mark;
import dev.runnerset.listener.demand.DemandAction.WriteDemand;
import dev.runnerset.listener.session.context.KubeRefusal;
import dev.runnerset.listener.session.context.ListenerSnapshot;
import dev.runnerset.listener.session.context.SetWriter;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The listener's writes as single requests; see {@link StatusBodies} for what is in them. */
public final class KubeSetWriter implements SetWriter {
  /** What the name of a Kubernetes object can be; a runner with another name is not ours. */
  private static final Pattern OBJECT_NAME =
      Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

  private final KubeApi kube;

  /** Writes through the API given. */
  public KubeSetWriter(KubeApi kube) {
    this.kube = kube;
  }

  @Override
  public @Nullable FenceRead readFence(ListenerSnapshot listener) {
    var read =
        KubeSetWriter.<@Nullable AutoScalingListener>asked(
            () -> kube.get(AutoScalingListener.class, at(listener)));
    if (read == null || !listener.uid().equals(read.getMetadata().getUid())) {
      return null;
    }
    Former former = null;
    try {
      former = readFormer(listener.spec().runnerSet());
    } catch (KubeRefusal e) {
      // a controller to come grants it no more; else it is tried again with the demand
    }
    return new FenceRead(read.getMetadata().getResourceVersion(), read.statusOrNone(), former);
  }

  /** Reads with an empty patch, since patch is the only verb granted; null for another object. */
  private @Nullable Former readFormer(ListenerTarget target) {
    var set =
        asked(() ->
            kube.mergeStatusBody(
                EphemeralRunnerSet.class, at(target), JsonNodeFactory.instance.objectNode()));
    return target.uid().equals(set.getMetadata().getUid())
        ? new Former(set.getMetadata().getResourceVersion(), set.statusOrNone().demand())
        : null;
  }

  @Override
  public void raiseEpoch(ListenerSnapshot listener, FenceRead read, long epoch) {
    var last = read.demand();
    var demand = last == null ? null : last.withEpoch(epoch);
    if (read.former() != null) {
      raiseFormer(at(listener.spec().runnerSet()), read.former(), epoch);
    }
    var body = StatusBodies.epoch(read.resourceVersion(), epoch, demand);
    var _ = asked(() -> kube.mergeStatusBody(AutoScalingListener.class, at(listener), body));
  }

  private void raiseFormer(Resource at, Former former, long epoch) {
    try {
      var body = StatusBodies.formerEpoch(former.resourceVersion(), epoch);
      var _ = asked(() -> kube.mergeStatusBody(EphemeralRunnerSet.class, at, body));
    } catch (KubeRefusal e) {
      if (e.kind() == KubeRefusal.Kind.STALE) {
        throw e;
      }
      // tried again with the demand, which reports it
    }
  }

  @Override
  public void writeDemand(
      ListenerSnapshot listener,
      long epoch,
      int scaleSetId,
      long marksVersion,
      WriteDemand counts) {
    var demand = StatusBodies.demand(epoch, scaleSetId, marksVersion, counts);
    var operations = StatusBodies.writeDemand(listener.uid(), epoch, demand);
    var _ = asked(() -> kube.jsonPatchStatus(AutoScalingListener.class, at(listener), operations));
    writeFormer(listener.spec().runnerSet(), demand);
  }

  /** Writes the demand for a controller of protocol level 1 too, where that is still allowed. */
  private void writeFormer(ListenerTarget target, Demand demand) {
    var operations = StatusBodies.writeFormerDemand(target.uid(), demand);
    try {
      var _ = asked(() -> kube.jsonPatchStatus(EphemeralRunnerSet.class, at(target), operations));
    } catch (KubeRefusal e) {
      switch (e.kind()) {
        case FORBIDDEN, GONE -> {}
        case TEST_FAILED -> writeOverLower(target, demand, e);
        case STALE, UNAVAILABLE -> throw e;
      }
    }
  }

  /** The former place has another epoch: a lower one if it could not be raised with the fence. */
  private void writeOverLower(ListenerTarget target, Demand demand, KubeRefusal refusal) {
    var there = readFormer(target);
    if (there != null && there.epoch() >= demand.epoch()) {
      throw refusal;
    }
    if (there != null) {
      var body = StatusBodies.formerDemand(there.resourceVersion(), demand);
      var _ = asked(() -> kube.mergeStatusBody(EphemeralRunnerSet.class, at(target), body));
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>A mark is merged into that of its own registration, and replaces that of another one. The
   * listener may not read runners, and a test of {@code status.runnerId} would fail while it is not
   * known yet. So the mark is written first. The answer shows which registration the runner is. A
   * mark of another registration is taken back with a second request, which also restores the mark
   * that stood before. That happens only if a name was used twice: the controller never does, but a
   * person may make a standalone runner again under its name.
   */
  @Override
  public Marked mark(ListenerTarget target, Mark mark, @Nullable Mark standing) {
    if (!OBJECT_NAME.matcher(mark.runnerName()).matches()) {
      throw new KubeRefusal(KubeRefusal.Kind.GONE, "no object can have the name of this runner");
    }
    var at = Resource.of(EphemeralRunner.class, target.namespace(), mark.runnerName());
    var other =
        standing != null
            && standing.runnerId().value() > 0
            && mark.runnerId().value() > 0
            && !standing.runnerId().equals(mark.runnerId());
    var body = other ? StatusBodies.markInstead(mark) : StatusBodies.mark(mark);
    var runner = asked(() -> kube.mergeStatus(EphemeralRunner.class, at, body));
    var known = runner.statusOrNone().runnerId();
    var meant = mark.runnerId().value();
    if (known == null || known <= 0 || meant <= 0 || known == meant) {
      var labels = runner.getMetadata().getLabels();
      boolean ofSet = labels != null && labels.containsKey(Labels.SET);
      return new Marked(true, ofSet ? Resource.version(runner) : 0);
    }
    var before =
        standing != null && standing.runnerId().value() == known
            ? StatusBodies.markInstead(standing)
            : StatusBodies.noMark();
    var _ = asked(() -> kube.mergeStatus(EphemeralRunner.class, at, before));
    return new Marked(false, 0);
  }

  @Override
  public void writeStatus(ListenerSnapshot listener, long epoch, AutoScalingListenerStatus status) {
    var operations = StatusBodies.status(listener.uid(), epoch, MergePatch.tree(status));
    var _ = asked(() -> kube.jsonPatchStatus(AutoScalingListener.class, at(listener), operations));
  }

  /** The answer to a request; a refusal of the API server as the session knows it. */
  static <T extends @Nullable Object> T asked(Supplier<T> request) {
    try {
      return request.get();
    } catch (KubernetesClientException e) {
      throw KubeRefusal.of(e.getCode(), e.getMessage());
    }
  }

  private static Resource at(ListenerTarget target) {
    return Resource.of(EphemeralRunnerSet.class, target.namespace(), target.name());
  }

  private static Resource at(ListenerSnapshot listener) {
    return Resource.of(AutoScalingListener.class, listener.namespace(), listener.name());
  }
}
