package dev.runnerset.controller.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.controller.testing.Fakes;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What of events is sent to the API server, and when (EV4). */
final class KubeEventsTest {
  private final TestClock clock = new TestClock();
  private final List<String> sent = new ArrayList<>();
  private boolean dropped;

  private final KubeApi kube =
      new KubeApi(Fakes.fake(KubernetesClient.class, Map.of())) {
        @Override
        public <T extends HasMetadata> T create(T object) {
          var event = (Event) object;
          sent.add("create %d %s".formatted(event.getCount(), event.getMessage()));
          return object;
        }

        @Override
        public <T extends HasMetadata> T merge(Class<T> kind, Resource at, JsonNode body) {
          if (dropped) {
            throw new KubernetesClientException("not found", 404, null);
          }
          sent.add(
              "count %d %s"
                  .formatted(body.get("count").intValue(), body.get("message").textValue()));
          return kind.cast(new Event());
        }
      };

  private final KubeEvents events =
      new KubeEvents(kube, clock, () -> "x", (about, write) -> write.getAsBoolean());

  private void lose(int jobs) {
    for (int i = 1; i <= jobs; i++) {
      events.warn(Fakes.set(), EventReason.JOB_LOST, "job " + i);
    }
  }

  /** P-I: eight jobs lost within 30 s stayed one event with the count 1. */
  @Test
  void ev4TheCountOfABurstIsWrittenWhenItIsDueThoughNothingElseHappens() {
    lose(8);
    events.writeDue();
    assertThat(sent).containsExactly("create 1 job 1");
    clock.advance(Duration.ofSeconds(30));
    events.writeDue();
    events.writeDue();
    assertThat(sent).containsExactly("create 1 job 1", "count 8 job 8");
  }

  @Test
  void ev4TheCountOfABurstIsWrittenAtTheEndOfTheProcess() {
    lose(3);
    events.writeAll();
    assertThat(sent).containsExactly("create 1 job 1", "count 3 job 3");
  }

  /** The API server drops events after an hour, or somebody deletes them. */
  @Test
  void anEventThatIsGoneIsWrittenAgainWithItsCount() {
    lose(2);
    dropped = true;
    events.writeAll();
    assertThat(sent).containsExactly("create 1 job 1", "create 2 job 2");
  }
}
