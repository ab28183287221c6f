package dev.runnerset.controller.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.ServiceOperation;
import dev.runnerset.testsupport.Exposition;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Calls of the service are counted by operation and outcome. */
final class CountedServiceTest {
  private static final ServiceError.Details DETAILS =
      new ServiceError.Details("GET https://s", 403, "", "", "", "");

  private final Meters meters = Meter.series();

  /** A service that answers each call with that. */
  private ActionsService answering(Supplier<Object> answer) {
    var service =
        (ActionsService)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ActionsService.class},
                (proxy, method, arguments) -> answer.get());
    return CountedService.counted(settings -> service, meters).connect(null);
  }

  private String shown() {
    return Exposition.of(meters::snapshots).text();
  }

  private String series(String operation, String outcome) {
    return "runnerset_service_requests_total{operation=\""
        + operation
        + "\",outcome=\""
        + outcome
        + "\"} ";
  }

  @Test
  void everyOperationBeginsWithZeroOnceTheProcessLeads() {
    answering(Optional::empty);
    assertThat(shown())
        .as("row 14: of one that stands by")
        .doesNotContain("service_requests_total{");
    CountedService.begin(meters);
    assertThat(shown())
        .contains(series("jit_config", "ok") + "0.0", series("remove_runner", "ok") + "0.0");
  }

  @Test
  void anAnswerIsOk() {
    answering(Optional::empty).runnerNamed("r");
    assertThat(shown()).contains(series("runner_named", "ok") + "1.0");
  }

  @Test
  void aFailureIsCountedByItsKindAndPassedOn() {
    var service =
        answering(() -> {
          throw new ServiceException(new ServiceError.Forbidden(DETAILS));
        });
    assertThatThrownBy(() -> service.runnerGroup("g")).isInstanceOf(ServiceException.class);
    assertThat(shown()).contains(series("runner_group", "forbidden") + "1.0");
  }

  @Test
  void aRunnerWithAJobIsNoError() {
    var removed = answering(RemoveRunnerResult.JobStillRunning::new).removeRunner(new RunnerId(7));
    assertThat(removed).isEqualTo(new RemoveRunnerResult.JobStillRunning());
    assertThat(shown()).contains(series("remove_runner", "busy") + "1.0");
  }

  @Test
  void aFailedRemovalIsCountedByItsKindAndReturned() {
    var failed = new RemoveRunnerResult.Failed(new ServiceError.Forbidden(DETAILS));
    assertThat(answering(() -> failed).removeRunner(new RunnerId(7))).isEqualTo(failed);
    assertThat(shown()).contains(series("remove_runner", "forbidden") + "1.0");
  }

  /** Of the offers only the listener asks; what credentials may do is known without a call. */
  @Test
  void eachCallHasAnOperation() {
    assertThat(ActionsService.class.getDeclaredMethods())
        .extracting(Method::getName)
        .filteredOn(name -> !List.of("close", "acquirableJobs", "mayRerun").contains(name))
        .hasSize(ServiceOperation.values().length)
        .allMatch(name -> ServiceOperation.of(name).isPresent());
  }

  @Test
  void aCountedServiceEqualsItselfAndIsClosedUncounted() {
    var service = answering(() -> 1);
    service.close();
    assertThat(List.of(service).contains(service)).isTrue();
    assertThat(service).isNotEqualTo(answering(() -> 1));
    assertThat(shown()).doesNotContain("ok\"} 1.0");
  }
}
