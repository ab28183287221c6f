package dev.runnerset.simulator.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.testsupport.TestClock;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs over HTTP: the control interface of programs, and answers without a body. */
final class WorkflowRunsIT {
  private ActionsServiceServer server;
  private ServiceClient client;
  private long run;

  @BeforeEach
  void start() {
    server = ActionsServiceServer.start(Options.accepting(ServiceClient.TOKEN), new TestClock());
    client = new ServiceClient(server);
    var body =
        "{\"repository\":\"o/r\",\"jobs\":[{\"labels\":[\"x\"],\"displayName\":\"a\",\"count\":2}]}";
    run = control("POST", "runs", body).json().get("id").asLong();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private ServiceClient.Answer control(String method, String what, String body) {
    return client.call(method, "/_control/" + what, "none", body);
  }

  private ServiceClient.Answer rest(String method, String what) {
    return client.call(
        method, "/api/v3/repos/o/r/actions/" + what, "Bearer " + ServiceClient.TOKEN, "");
  }

  private JsonNode view() {
    return control("GET", "runs", "").json().at("/runs/0");
  }

  @Test
  void aProgramQueuesCancelsAndRunsAgain() {
    assertThat(view().at("/attempts/0/jobs")).hasSize(2);
    assertThat(control("POST", "runs/" + run + "/rerun", "").status()).isEqualTo(403);
    assertThat(control("POST", "runs/" + run + "/cancel", "").status()).isEqualTo(204);
    assertThat(control("POST", "runs/" + run + "/cancel", "").status()).isEqualTo(409);
    assertThat(view().at("/attempts/0/conclusion").asText()).isEqualTo("cancelled");
    assertThat(control("POST", "runs/" + run + "/rerun-failed-jobs", "").status()).isEqualTo(204);
    var rerun = control("GET", "reruns", "").json().at("/reruns/0");
    assertThat(rerun.get("by").asText()).isEqualTo("person");
    assertThat(rerun.get("ofCancelledRun").asBoolean()).isTrue();
    assertThat(rerun.get("jobs").findValuesAsText("name")).containsExactly("a (1)", "a (2)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POST | runs/RUN/age             | {\"days\":31}                             | 403",
        "POST | runs/RUN/delete-workflow |                                           | 403",
        "POST | runs/RUN/delete          |                                           | 404",
        "POST | runs/RUN/fork            | {\"repository\":\"p/fork\"}               | 201",
        "PUT  | repositories             | {\"repository\":\"o/r\"}                  | 404",
        "PUT  | repositories             | {\"repository\":\"o/r\",\"movedTo\":\"o/s\"} | 307",
        "PUT  | rights                   | {\"scopes\":[\"admin:org\"]}              | 404",
        "PUT  | rights                   | {\"permissions\":{\"actions\":\"write\"}} | 201"
      })
  void whatAProgramChangesRefusesTheRerun(String method, String what, String body, int status) {
    control("POST", "runs/" + run + "/cancel", "");
    var changed = control(method, what.replace("RUN", "" + run), body == null ? "" : body);
    assertThat(changed.status()).isEqualTo(204);
    assertThat(rest("POST", "runs/" + run + "/rerun-failed-jobs").status()).isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource({
    "POST, runs, {}, 422",
    "POST, runs/1/cancel, '', 422",
    "POST, runs/1/jump, '', 404",
    "PUT, runs, {}, 404",
    "PUT, workflows, {}, 422"
  })
  void whatCannotBeIsRefused(String method, String what, String body, int status) {
    assertThat(control(method, what, body).status()).isEqualTo(status);
  }

  @Test
  void aProgramNamesWhatCanBeDispatched() {
    var dispatch = "/api/v3/repos/o/r/actions/workflows/jobs.yml/dispatches";
    var body = "{\"ref\":\"main\",\"inputs\":{\"runs-on\":\"x\",\"title\":\"mine\"}}";
    var token = "Bearer " + ServiceClient.TOKEN;
    assertThat(client.call("POST", dispatch, token, body).status()).isEqualTo(404);
    var workflow = "{\"repository\":\"o/r\",\"file\":\"jobs.yml\"}";
    assertThat(control("PUT", "workflows", workflow).status()).isEqualTo(204);
    assertThat(client.call("POST", dispatch, token, body).status()).isEqualTo(204);
    assertThat(
            rest("GET", "runs?event=workflow_dispatch").json().at("/workflow_runs/0/display_title"))
        .hasToString("\"mine\"");
  }

  @Test
  void theSameAnswerHasNoBodyAndTheConnectionGoesOn() {
    var tag = rest("GET", "runs/" + run).response().headers().firstValue("ETag").orElseThrow();
    var request =
        client
            .request(
                "GET", "/api/v3/repos/o/r/actions/runs/" + run, "Bearer " + ServiceClient.TOKEN, "")
            .header("If-None-Match", tag);
    for (var _ : List.of(1, 2)) {
      var same = client.send(request.build());
      assertThat(same.status()).isEqualTo(304);
      assertThat(same.text()).isEmpty();
      assertThat(same.response().headers().firstValue("ETag")).hasValue(tag);
    }
    assertThat(rest("GET", "runs/" + run + "/jobs").json().get("jobs")).hasSize(2);
  }
}
