package dev.runnerset.listener.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.AutoScalingListenerStatusBuilder;
import dev.runnerset.crds.Demand;
import dev.runnerset.listener.session.context.SetWriter.FenceRead;
import dev.runnerset.listener.session.context.SetWriter.Former;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** SF2, UP2: which demand and which epoch a process takes over, while there are two places. */
final class FenceReadTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    // listener object: epoch, message; former place: epoch, message; what is taken: both
    "nothing is there,                             ,  ,  ,  , 0, ",
    "level 1 wrote in the former place only,       ,  , 3, 7, 3, 7",
    "level 1 followed level 2,                    3, 5, 4, 7, 4, 7",
    "level 2 wrote both,                          3, 8, 3, 7, 3, 8",
    "the former place may not be read,            3, 8,  ,  , 3, 8",
  })
  void theLaterDemandIsTakenUnderTheHigherEpoch(
      String name,
      @Nullable Long epoch,
      @Nullable Long message,
      @Nullable Long formerEpoch,
      @Nullable Long formerMessage,
      long wantedEpoch,
      @Nullable Long wantedMessage) {
    var former =
        formerEpoch == null || formerMessage == null
            ? null
            : new Former("rv", demand(formerEpoch, formerMessage));
    var read = read(epoch, message, former);
    assertThat(read.epoch()).isEqualTo(wantedEpoch);
    var demand = read.demand();
    assertThat(demand == null ? null : demand.messageId()).isEqualTo(wantedMessage);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "both have it,                    5, 5, true",
    "the former place may not be read, 5,  , true",
    "the former place was made again, 5, 0, true",
    "level 2 took it,                 6, 6, false",
    "level 1 took it,                 5, 6, false",
    "the status was wiped,             , 5, false",
  })
  void aHolderHasItUntilOneOfThemIsHigherOrItIsGone(
      String name, @Nullable Long epoch, @Nullable Long formerEpoch, boolean held) {
    var former = formerEpoch == null ? null : new Former("rv", demand(formerEpoch, 1));
    assertThat(read(epoch, 1L, former).isHeldBy(5)).isEqualTo(held);
  }

  private static FenceRead read(
      @Nullable Long epoch, @Nullable Long message, @Nullable Former former) {
    var status =
        AutoScalingListenerStatusBuilder.builder()
            .epoch(epoch)
            .demand(message == null || epoch == null ? null : demand(epoch, message))
            .build();
    return new FenceRead("rv", status, former);
  }

  private static Demand demand(long epoch, long message) {
    return new Demand(epoch, message, null, 0, 0, null, null, null, null, null, null);
  }
}
