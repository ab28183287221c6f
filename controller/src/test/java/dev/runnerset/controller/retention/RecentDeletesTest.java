package dev.runnerset.controller.retention;

import static dev.runnerset.controller.retention.rules.Finished.T0;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RecentDeletesTest {
  @ParameterizedTest(name = "{0} s after it was asked for")
  @CsvSource({"-3600,false", "-1,true", "0,true", "59,true", "60,false", "61,false"})
  void aDeletionIsRecentForAMinuteWhateverBecomesOfTheClock(long seconds, boolean recent) {
    var deletes = new RecentDeletes();
    deletes.add("a", T0);
    assertThat(deletes.uids(T0.plusSeconds(seconds)).contains("a")).isEqualTo(recent);
  }
}
