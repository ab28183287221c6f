package dev.runnerset.controller.autoscalingrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.memory.Memories;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingListenerStatusBuilder;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetStatusBuilder;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** DM7: where the demand of a set is, and what counts while it cannot be read. */
final class DemandsTest {
  private final Memories ofSets = new Memories();
  private @Nullable AutoScalingListener listener;
  private final Demands demands = new Demands(name -> Optional.ofNullable(listener), ofSets);

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    // listener object: uid of its set, epoch, assigned; EphemeralRunnerSet: epoch, assigned
    "a listener of level 3,                               set-uid, 2, 5,  ,  , 5",
    "UP2 a listener of level 2 has written one place,     set-uid, 2, 5, 2, 4, 5",
    "UP2 a holder of level 1 after one of level 2,        set-uid, 2, 5, 3, 7, 7",
    "UP2 a holder of level 1,                             set-uid,  ,  , 3, 7, 7",
    "UP2 a fence of level 1 without counts,               set-uid, 2, 5, 3,  , 5",
    "the cache of listener objects is behind,             set-uid, 1, 5, 2, 7, 7",
    "DM7 nothing is there: unknown and not zero,          set-uid,  ,  ,  ,  ,",
    "DL2 an object of that name that is of another set,   other,   2, 5, 1, 7, 7",
  })
  void theLaterDemandOfBothPlacesCounts(
      String rule,
      String uid,
      @Nullable Integer epoch,
      @Nullable Integer assigned,
      @Nullable Integer formerEpoch,
      @Nullable Integer former,
      @Nullable Integer wanted) {
    listener = listener(uid, demand(epoch, assigned));
    assertThat(assigned(demands.put(set(demand(formerEpoch, former))))).isEqualTo(wanted);
  }

  @Test
  void dm7TheLastDemandStaysWhileTheListenerObjectCannotBeRead() {
    listener = listener("set-uid", demand(2, 5));
    assertThat(assigned(demands.put(set(null)))).isEqualTo(5);
    listener = null;
    assertThat(assigned(demands.put(set(null)))).isEqualTo(5);
    listener = listener("set-uid", null);
    assertThat(assigned(demands.put(set(null)))).as("made again").isNull();
    listener = null;
    assertThat(assigned(demands.put(set(null)))).as("unknown stays, too").isNull();
    ofSets.isGone("set-uid");
    assertThat(assigned(demands.put(set(demand(1, 3))))).as("nothing was seen").isEqualTo(3);
  }

  private static @Nullable Integer assigned(EphemeralRunnerSet set) {
    var demand = set.knownDemand();
    return demand == null ? null : demand.assigned();
  }

  private static EphemeralRunnerSet set(@Nullable Demand former) {
    var set = new EphemeralRunnerSet();
    set.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("team")
            .withName("linux")
            .withAnnotations(Map.of(Labels.SET_UID, "set-uid"))
            .build());
    set.setStatus(EphemeralRunnerSetStatusBuilder.builder().demand(former).build());
    return set;
  }

  private static AutoScalingListener listener(String setUid, @Nullable Demand demand) {
    var listener = new AutoScalingListener();
    listener.setMetadata(
        new ObjectMetaBuilder()
            .withLabels(Map.of(Labels.SET_NAMESPACE, "team", Labels.SET, "linux"))
            .withAnnotations(Map.of(Labels.SET_UID, setUid))
            .build());
    listener.setStatus(AutoScalingListenerStatusBuilder.builder().demand(demand).build());
    return listener;
  }

  private static @Nullable Demand demand(@Nullable Integer epoch, @Nullable Integer assigned) {
    return epoch == null
        ? null
        : new Demand(epoch, 1, null, assigned, 0, null, null, null, null, null, null);
  }
}
