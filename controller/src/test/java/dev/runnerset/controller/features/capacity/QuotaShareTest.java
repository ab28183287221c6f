package dev.runnerset.controller.features.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.features.capacity.QuotaShare.Claimant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How sets share the room that they have together (39.3). */
class QuotaShareTest {
  /** Sets are {@code name:waits/most}, with {@code *cpus} if a runner takes more than one. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "nothing to share | cpu=5/5 | a:3/9 b:1/9 | a=0 b=0",
        "each has one place first | cpu=0/2 | a:9/9 b:1/9 | a=1 b=1",
        "also a set that waits for nothing | cpu=0/3 | a:9/9 b:0/9 | a=2 b=1",
        "too few for each: the one that waits for more | cpu=0/1 | a:1/9 b:2/9 | a=0 b=1",
        "of equal ones, the first by name | cpu=0/1 | b:2/9 a:2/9 | a=1 b=0",
        "the rest in proportion | cpu=0/12 | a:20/90 b:10/90 | a=8 b=4",
        "the rest in proportion, though that be none | cpu=0/10 | a:2/90 b:20/90 | a=1 b=9",
        "no more than it waits for, while another waits | cpu=0/7 | a:2/90 b:5/90 | a=2 b=5",
        "what nobody waits for, in equal parts | cpu=0/10 | a:2/90 b:0/90 | a=5 b=5",
        "no more than it may have | cpu=0/10 | a:9/3 b:9/90 | a=3 b=7",
        "none for a set that may have none | cpu=0/10 | a:2/0 b:0/4 | a=0 b=4",
        "runners of different cost | cpu=0/10 | a:4/9*3 b:4/9 | a=2 b=4",
        "a smaller one fits where a larger one does not | cpu=0/4 | a:9/9*3 b:0/9 | a=1 b=1",
        "no quota counts them | configmaps=0/1 | a:1/7 b:0/8 | a=7 b=8",
      })
  void ofTheRoom(String name, String pairs, String sets, String shares) {
    var claimants = new ArrayList<Claimant>();
    for (var set : sets.split(" ")) {
      var parts = set.split("[:/*]");
      var cpus = parts.length > 3 ? parts[3] : "1";
      claimants.add(
          new Claimant(
              parts[0],
              Costs.cost("requests: {cpu: %s}".formatted(cpus)),
              Integer.parseInt(parts[1]),
              Integer.parseInt(parts[2])));
    }
    var given = QuotaShare.of(List.of(Costs.quota("q", pairs)), claimants);
    assertThat(
            new TreeMap<>(given)
                .entrySet().stream().map(Object::toString).collect(Collectors.joining(" ")))
        .as(name)
        .isEqualTo(shares);
  }
}
