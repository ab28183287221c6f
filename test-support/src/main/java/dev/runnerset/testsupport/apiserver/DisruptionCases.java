package dev.runnerset.testsupport.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Evictions and the budgets that refuse them. */
final class DisruptionCases {
  private static final String EVERY = "2147483647";
  private static final String READY =
      "{\"status\": {\"phase\": \"Running\", \"conditions\": [{\"type\": \"Ready\", \"status\":"
          + " \"True\"}]}}";
  private static final String NOT_READY = READY.replace("True", "False");

  private DisruptionCases() {}

  static List<Case> all() {
    return List.of(
        new Case("an eviction deletes a pod that no budget covers", DisruptionCases::uncovered),
        new Case("an eviction goes by the grace that it asks for", DisruptionCases::grace),
        new Case("an eviction is about the pod of its path", DisruptionCases::otherName),
        new Case("a budget of all pods refuses an eviction 429", DisruptionCases::refused),
        new Case("a budget with room for one lets one pod go", DisruptionCases::room),
        new Case("a budget does not guard pending and ended pods", DisruptionCases::unguarded),
        new Case("a budget guards a pod that is not ready, too", DisruptionCases::unready),
        new Case("two budgets of one pod are an error 500", DisruptionCases::two),
        new Case("a budget follows its pods and its spec", DisruptionCases::follows),
        new Case("a budget names one bound only", DisruptionCases::invalid));
  }

  private static String budgets(Target target) {
    return "/apis/policy/v1/namespaces/" + target.namespace() + "/poddisruptionbudgets";
  }

  private static String budget(String name, String spec) {
    return "{\"apiVersion\": \"policy/v1\", \"kind\": \"PodDisruptionBudget\", \"metadata\":"
        + " {\"name\": \""
        + name
        + "\"}, \"spec\": {\"selector\": {\"matchLabels\": {\"budget\": \""
        + name
        + "\"}}, "
        + spec
        + "}}";
  }

  private static String eviction(String pod, String options) {
    return "{\"apiVersion\": \"policy/v1\", \"kind\": \"Eviction\", \"metadata\": {\"name\": \""
        + pod
        + "\"}"
        + options
        + "}";
  }

  private static Api.Answer evict(Api api, String pod) throws Exception {
    return evict(api, pod, "");
  }

  /** Evicts; an answer that a budget is still being processed is no answer yet. */
  private static Api.Answer evict(Api api, String pod, String options) throws Exception {
    Api.Answer[] last = new Api.Answer[1];
    Api.await(
        "an answer to the eviction of " + pod,
        () -> {
          last[0] = api.create(api.core("pods") + "/" + pod + "/eviction", eviction(pod, options));
          return !last[0].body().at("/details/causes/0/message").asText().contains("processed");
        });
    return last[0];
  }

  /** A pod on a node that has no kubelet, with the label of a budget. */
  private static void pod(Api api, String name, String budget, String status) throws Exception {
    String labels = ", \"labels\": {\"budget\": \"" + budget + "\"}";
    api.create(api.core("pods"), Widgets.pod(name, labels, "\"nodeName\": \"node-1\","))
        .expect(201);
    if (!status.isEmpty()) {
      api.merge(api.core("pods") + "/" + name + "/status", status).expect(200);
    }
  }

  private static void awaitHealthy(Target target, String budget, int pods) throws Exception {
    Api api = new Api(target);
    String path = budgets(target) + "/" + budget;
    Api.await(
        budget + " to count " + pods + " healthy pods",
        () -> {
          JsonNode found = api.get(path).expect(200);
          return found.at("/status/currentHealthy").asInt(-1) == pods
              && found.at("/status/observedGeneration").equals(found.at("/metadata/generation"));
        });
  }

  private static void remove(Target target, String budget, String... pods) throws Exception {
    Api api = new Api(target);
    if (!budget.isEmpty()) {
      api.delete(budgets(target) + "/" + budget).expect(200);
    }
    for (String pod : pods) {
      String path = api.core("pods") + "/" + pod;
      if (api.get(path).code() == 200) {
        api.delete(path, "{\"gracePeriodSeconds\": 0}").expect(200);
      }
    }
  }

  private static void uncovered(Target target) throws Exception {
    Api api = new Api(target);
    pod(api, "free", "none", READY);
    String path = api.core("pods") + "/free";
    api.create(path + "/eviction?dryRun=All", eviction("free", "")).expect(201);
    Expect.absent(api.get(path).expect(200), "/metadata/deletionTimestamp");
    Expect.at(evict(api, "free").expect(201), "/status", "Success");
    JsonNode going = api.get(path).expect(200);
    Expect.isTrue("it is being deleted", going.at("/metadata").has("deletionTimestamp"));
    Expect.contains(
        "conditions", "EvictionByEvictionAPI", going.at("/status/conditions").toString());
    evict(api, "free").expect(201); // as kubectl drain does until it is gone
    remove(target, "", "free");
    api.create(path + "/eviction", eviction("free", "")).expect(404, "NotFound");
  }

  private static void grace(Target target) throws Exception {
    Api api = new Api(target);
    pod(api, "hasty", "none", READY);
    String path = api.core("pods") + "/hasty";
    String other = "{\"preconditions\": {\"uid\": \"00000000-0000-0000-0000-000000000000\"}}";
    api.create(path + "/eviction", eviction("hasty", ", \"deleteOptions\": " + other)).expect(409);
    Expect.absent(api.get(path).expect(200), "/metadata/deletionTimestamp");
    evict(api, "hasty", ", \"deleteOptions\": {\"gracePeriodSeconds\": 0}").expect(201);
    api.get(path).expect(404);
  }

  private static void otherName(Target target) throws Exception {
    Api api = new Api(target);
    pod(api, "named", "none", READY);
    api.create(api.core("pods") + "/named/eviction", eviction("other", "")).expect(400);
    remove(target, "", "named");
  }

  private static void refused(Target target) throws Exception {
    Api api = new Api(target);
    pod(api, "kept", "all", READY);
    api.create(budgets(target), budget("all", "\"minAvailable\": " + EVERY)).expect(201);
    awaitHealthy(target, "all", 1);
    JsonNode status = api.get(budgets(target) + "/all").expect(200).path("status");
    Expect.at(status, "/desiredHealthy", EVERY);
    Expect.at(status, "/disruptionsAllowed", "0");
    JsonNode refusal = evict(api, "kept").expect(429, "TooManyRequests");
    Expect.at(refusal, "/details/causes/0/reason", "DisruptionBudget");
    Expect.at(
        refusal,
        "/details/causes/0/message",
        "The disruption budget all needs " + EVERY + " healthy pods and has 1 currently");
    String path = api.core("pods") + "/kept";
    Expect.absent(api.get(path).expect(200), "/metadata/deletionTimestamp");
    api.merge(path, "{\"metadata\": {\"labels\": {\"budget\": null}}}").expect(200);
    evict(api, "kept").expect(201);
    remove(target, "all", "kept");
  }

  private static void room(Target target) throws Exception {
    Api api = new Api(target);
    for (String name : List.of("room-1", "room-2", "room-3")) {
      pod(api, name, "room", READY);
    }
    api.create(budgets(target), budget("room", "\"minAvailable\": 2")).expect(201);
    awaitHealthy(target, "room", 3);
    evict(api, "room-1").expect(201);
    evict(api, "room-2").expect(429, "TooManyRequests");
    awaitHealthy(target, "room", 2);
    evict(api, "room-2").expect(429, "TooManyRequests");
    remove(target, "room", "room-1", "room-2", "room-3");
  }

  private static void unguarded(Target target) throws Exception {
    Api api = new Api(target);
    pod(api, "ended", "lax", "{\"status\": {\"phase\": \"Failed\"}}");
    pod(api, "waits", "lax", "");
    api.create(budgets(target), budget("lax", "\"minAvailable\": " + EVERY)).expect(201);
    awaitHealthy(target, "lax", 0);
    evict(api, "ended").expect(201);
    evict(api, "waits").expect(201);
    remove(target, "lax", "ended", "waits");
  }

  private static void unready(Target target) throws Exception {
    Api api = new Api(target);
    pod(api, "sick", "strict", NOT_READY);
    api.create(budgets(target), budget("strict", "\"minAvailable\": " + EVERY)).expect(201);
    awaitHealthy(target, "strict", 0);
    evict(api, "sick").expect(429, "TooManyRequests");
    api.merge(
            budgets(target) + "/strict",
            "{\"spec\": {\"unhealthyPodEvictionPolicy\": \"AlwaysAllow\"}}")
        .expect(200);
    evict(api, "sick").expect(201);
    remove(target, "strict", "sick");
  }

  private static void two(Target target) throws Exception {
    Api api = new Api(target);
    pod(api, "double", "first", READY);
    api.create(budgets(target), budget("first", "\"minAvailable\": 0")).expect(201);
    String second =
        budget("second", "\"minAvailable\": 0")
            .replace("\"budget\": \"second\"", "\"budget\": \"first\"");
    api.create(budgets(target), second).expect(201);
    awaitHealthy(target, "first", 1);
    awaitHealthy(target, "second", 1);
    evict(api, "double").expect(500);
    remove(target, "first");
    remove(target, "second", "double");
  }

  private static void follows(Target target) throws Exception {
    Api api = new Api(target);
    String path = budgets(target) + "/moving";
    api.create(budgets(target), budget("moving", "\"minAvailable\": 1")).expect(201);
    awaitHealthy(target, "moving", 0);
    pod(api, "moved", "elsewhere", READY);
    api.merge(
            path,
            "{\"spec\": {\"selector\": {\"matchLabels\": null, \"matchExpressions\": [{\"key\":"
                + " \"budget\", \"operator\": \"In\", \"values\": [\"elsewhere\", \"moon\"]}]}}}")
        .expect(200);
    awaitHealthy(target, "moving", 1);
    JsonNode status = api.get(path).expect(200);
    Expect.at(status, "/metadata/generation", "2");
    Expect.at(status, "/status/expectedPods", "1");
    Expect.at(status, "/status/disruptionsAllowed", "0");
    api.merge(api.core("pods") + "/moved/status", NOT_READY).expect(200);
    awaitHealthy(target, "moving", 0);
    remove(target, "moving", "moved");
  }

  private static void invalid(Target target) throws Exception {
    Api api = new Api(target);
    String both = "\"minAvailable\": 1, \"maxUnavailable\": 1";
    api.create(budgets(target), budget("both", both)).expect(422, "Invalid");
    api.create(budgets(target), budget("below", "\"minAvailable\": -1")).expect(422, "Invalid");
  }
}
