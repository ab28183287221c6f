package dev.runnerset.listener.kube;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.ListenerTarget;
import dev.runnerset.kube.KubeApi;
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
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Writes through the API given. */
  public KubeSetWriter(KubeApi kube) {
    this.kube = kube;
  }

  @Override
  public FenceRead readFence(ListenerTarget target) {
    var set =
        asked(() ->
            kube.mergeStatusBody(
                EphemeralRunnerSet.class, at(target), JsonNodeFactory.instance.objectNode()));
    var demand = set.statusOrNone().demand();
    return new FenceRead(
        set.getMetadata().getUid(),
        set.getMetadata().getResourceVersion(),
        demand == null ? 0 : demand.epoch(),
        demand == null ? 0 : demand.messageId(),
        demand == null || demand.scaleSetId() == null ? 0 : demand.scaleSetId(),
        demand == null || demand.marksVersion() == null ? 0 : demand.marksVersion());
  }

  @Override
  public void raiseEpoch(ListenerTarget target, FenceRead read, long epoch) {
    var body = StatusBodies.epoch(read.resourceVersion(), epoch);
    var _ = asked(() -> kube.mergeStatusBody(EphemeralRunnerSet.class, at(target), body));
  }

  @Override
  public void writeDemand(
      ListenerTarget target, long epoch, int scaleSetId, long marksVersion, WriteDemand demand) {
    var operations = StatusBodies.demand(target.uid(), epoch, scaleSetId, marksVersion, demand);
    var _ = asked(() -> kube.jsonPatchStatus(EphemeralRunnerSet.class, at(target), operations));
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
  public @Nullable ListenerRead readListener(ListenerSnapshot listener) {
    var read =
        KubeSetWriter.<@Nullable AutoScalingListener>asked(
            () -> kube.get(AutoScalingListener.class, at(listener)));
    if (read == null || !listener.uid().equals(read.getMetadata().getUid())) {
      return null;
    }
    var status = read.statusOrNone();
    return new ListenerRead(read.getMetadata().getResourceVersion(), status);
  }

  @Override
  public void claimListener(
      ListenerSnapshot listener, String resourceVersion, AutoScalingListenerStatus status) {
    var body = StatusBodies.claim(resourceVersion, JSON.valueToTree(status));
    var _ = asked(() -> kube.mergeStatusBody(AutoScalingListener.class, at(listener), body));
  }

  @Override
  public void updateListener(
      ListenerSnapshot listener, long epoch, AutoScalingListenerStatus status) {
    var operations = StatusBodies.status(listener.uid(), epoch, JSON.valueToTree(status));
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
