package dev.runnerset.controller.features.rerun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.metrics.LostBy;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RR1, RR2: which losses are written down, and what is said of the others. */
final class RerunBookTest {
  private static final String RUNNER =
      """
      apiVersion: runnerset.dev/v1alpha1
      kind: EphemeralRunner
      metadata:
        namespace: ci
        name: linux-1
        labels: {runnerset.dev/set: linux}
        annotations: {runnerset.dev/set-uid: uid-1}
      """;

  private final List<String> written = new ArrayList<>();
  private final List<String> reported = new ArrayList<>();

  /** The code that the API server answers a patch with; 0 takes it. */
  private int refusal;

  /** The set that is there when it is read. */
  private @Nullable AutoScalingRunnerSet there = set("uid-1", "{lostJobs: true}");

  private final class Server extends KubeApi {
    Server() {
      super(new KubernetesClientBuilder().build());
    }

    @Override
    public <T extends HasMetadata> T mergeStatusBody(Class<T> kind, Resource at, JsonNode body) {
      if (refusal != 0) {
        throw new KubernetesClientException("refused", refusal, null);
      }
      written.add(body.toString());
      return kind.cast(there);
    }

    @Override
    public <T extends HasMetadata> @Nullable T get(Class<T> kind, Resource at) {
      return kind.cast(there);
    }
  }

  private static AutoScalingRunnerSet set(String uid, String rerun) {
    return Serialization.unmarshal(
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: AutoScalingRunnerSet
        metadata: {namespace: ci, name: linux, uid: %s}
        spec:
          githubConfigUrl: https://github.com/my-org
          githubConfigSecret: {name: github}
          rerun: %s
          template: {spec: {containers: [{name: runner, image: i}]}}
        """
            .formatted(uid, rerun),
        AutoScalingRunnerSet.class);
  }

  private void keep(AutoScalingRunnerSet cached, String job, LostBy cause) {
    Events events =
        new Events() {
          @Override
          public void warn(HasMetadata about, Reason reason, String message) {
            reported.add(message);
          }

          @Override
          public void note(HasMetadata about, Reason reason, String subject, String message) {
            reported.add(message);
          }
        };
    Meters meters = Meter.series();
    var book =
        new RerunBook(
            new Server(),
            key -> Optional.of(cached),
            new RerunReports(events, meters),
            Clock.fixed(Instant.parse("2026-11-01T10:00:00Z"), ZoneOffset.UTC));
    var status =
        Serialization.unmarshal(
            "runnerId: 7\njobId: j\njob: %s".formatted(job), EphemeralRunnerStatus.class);
    book.keep(Serialization.unmarshal(RUNNER, EphemeralRunner.class), status, cause);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{lostJobs: true} | NODE_DOWN | written",
        "{lostJobs: true} | OUT_OF_MEMORY | nothing",
        "{lostJobs: true, causes: [out_of_memory]} | OUT_OF_MEMORY | written",
        "{lostJobs: true, causes: [out_of_memory]} | NODE_DOWN | nothing",
        "{lostJobs: true} | FORCED | nothing",
        "{lostJobs: true} | LIFETIME | nothing",
        "{lostJobs: true} | EXITED | nothing",
        "{budget: 3} | NODE_DOWN | nothing",
      })
  void rr1ACauseThatTheSpecNamesIsWrittenDown(String rerun, LostBy cause, String becomes) {
    keep(set("uid-1", rerun), "{repository: my-org/app, workflowRunId: 5}", cause);
    assertThat(written).hasSize(becomes.equals("written") ? 1 : 0);
    assertThat(reported).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{workflowRunId: 5} | no workflow run",
        "{repository: my-org/app} | no workflow run",
        "{repository: 'my-org/..', workflowRunId: 5} | no workflow run",
        "{repository: other/app, workflowRunId: 5} | not within githubConfigUrl",
      })
  void rr1WhatCannotRunAgainIsSaid(String job, String words) {
    keep(set("uid-1", "{lostJobs: true}"), job, LostBy.NODE_DOWN);
    assertThat(written).isEmpty();
    assertThat(reported).hasSize(1).first().asString().contains(words);
  }

  @Test
  void rr2TheEntryIsForTheSetOfTheRunnerOnly() {
    keep(
        set("uid-2", "{lostJobs: true}"),
        "{repository: my-org/app, workflowRunId: 5}",
        LostBy.EVICTED);
    assertThat(written).isEmpty();
    keep(
        set("uid-1", "{lostJobs: true}"),
        "{repository: My-Org/App, workflowRunId: 5}",
        LostBy.EVICTED);
    assertThat(written).hasSize(1).first().asString().contains("\"uid\":\"uid-1\"", "\"linux-1\"");
  }

  @Test
  void rr2ASetThatIsGoneHasNoLostJobsAndAServerThatIsBusyIsAskedAgain() {
    var cached = set("uid-1", "{lostJobs: true}");
    var job = "{repository: my-org/app, workflowRunId: 5}";
    refusal = 409;
    assertThatThrownBy(() -> keep(cached, job, LostBy.EVICTED))
        .isInstanceOf(KubernetesClientException.class);
    there = set("uid-2", "{lostJobs: true}");
    keep(cached, job, LostBy.EVICTED);
    there = null;
    keep(cached, job, LostBy.EVICTED);
    refusal = 500;
    assertThatThrownBy(() -> keep(cached, job, LostBy.EVICTED))
        .isInstanceOf(KubernetesClientException.class);
  }
}
