package dev.runnerset.testsupport.apiserver;

import static dev.runnerset.testsupport.apiserver.Api.MAPS;
import static dev.runnerset.testsupport.apiserver.Api.PODS;
import static dev.runnerset.testsupport.apiserver.Api.SECRETS;
import static dev.runnerset.testsupport.apiserver.Api.WIDGETS;
import static dev.runnerset.testsupport.apiserver.Api.revision;
import static dev.runnerset.testsupport.apiserver.Api.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** Create, read, replace. */
final class ObjectCases {
  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/NS/leases";

  private ObjectCases() {}

  static List<Case> all() {
    return List.of(
        new Case("an object lives from create to delete", ObjectCases::life),
        new Case("a second create is refused 409 AlreadyExists", ObjectCases::twice),
        new Case("what is not there is 404, with a Status", ObjectCases::missing),
        new Case("names that are no DNS names are refused", ObjectCases::names),
        new Case("generateName makes a name", ObjectCases::generateName),
        new Case("dryRun checks and stores nothing", ObjectCases::dryRun),
        new Case("a PUT of an old version or without one is refused", ObjectCases::stalePut),
        new Case("a lease goes to one of two who update it", ObjectCases::lease),
        new Case("the pod template's mistakes are found by a dry run", ObjectCases::badPods),
        new Case("a pod gets its defaults, and its spec is frozen", ObjectCases::pod),
        new Case("stringData of a secret becomes data", ObjectCases::secret),
        new Case("rules review is answered", ObjectCases::rulesReview));
  }

  private static void life(Api api) throws Exception {
    try (var widget = api.widget("life")) {
      var made = widget.first();
      assertThat(text(made, "/metadata/generation")).isEqualTo("1");
      assertThat(text(made, "/metadata/namespace")).isEqualTo(api.target().namespace());
      assertThat(text(made, "/metadata/uid")).isNotEmpty();
      assertThat(text(made, "/metadata/creationTimestamp")).endsWith("Z");
      assertThat(revision(widget.get())).isEqualTo(revision(made));
      var changed = widget.copy();
      changed.withObjectProperty("spec").put("replicas", 4);
      var put = api.put(widget.path(), changed).expect(200);
      assertThat(text(put, "/metadata/generation")).isEqualTo("2");
      assertThat(put.at("/metadata/uid")).isEqualTo(made.at("/metadata/uid"));
      widget.delete("").expect(200);
      api.get(widget.path()).expect(404, "NotFound");
    }
  }

  private static void twice(Api api) throws Exception {
    var body = Bodies.configMap("twice", "");
    try (var _ = api.make(MAPS, body)) {
      assertThat(api.create(MAPS, body).expect(409, "AlreadyExists"))
          .isEqualTo("configmaps \"twice\" already exists");
    }
  }

  private static void missing(Api api) throws Exception {
    var path = WIDGETS + "/none";
    assertThat(api.get(path).expect(404, "NotFound"))
        .isEqualTo("widgets.contract.runnerset.dev \"none\" not found");
    api.delete(path, "").expect(404, "NotFound");
    api.merge(path + "/status", "{}").expect(404, "NotFound");
    var elsewhere = "/api/v1/namespaces/no-such-namespace/configmaps";
    api.create(elsewhere, Bodies.configMap("lost", "")).expect(404, "NotFound");
  }

  private static void names(Api api) throws Exception {
    for (var name : List.of("Upper", "under_score", "-dash", "dot.")) {
      assertThat(api.create(WIDGETS, Bodies.widget(name)).expect(422, "Invalid"))
          .contains("metadata.name: Invalid value");
    }
    var label = Bodies.widget("labels", ", labels: {a: '-'}", "mode: 'Fast'");
    api.create(WIDGETS, label).expect(422, "Invalid");
  }

  private static void generateName(Api api) throws Exception {
    var body = Bodies.widget("").replace("name: ''", "generateName: 'gen-'");
    try (var first = api.make(WIDGETS, body);
        var second = api.make(WIDGETS, body)) {
      assertThat(text(first.first(), "/metadata/name")).matches("gen-[a-z0-9]{5}");
      assertThat(first.path()).isNotEqualTo(second.path());
    }
  }

  private static void dryRun(Api api) throws Exception {
    api.create(WIDGETS + "?dryRun=All", Bodies.widget("dry")).expect(201);
    api.get(WIDGETS + "/dry").expect(404);
    try (var widget = api.widget("dry")) {
      var dry = widget.path() + "?dryRun=All";
      var merged = api.merge(dry, "{spec: {replicas: 9}}").expect(200);
      assertThat(text(merged, "/spec/replicas")).isEqualTo("9");
      api.delete(dry, "").expect(200);
      assertThat(revision(widget.get())).isEqualTo(revision(widget.first()));
    }
  }

  private static void stalePut(Api api) throws Exception {
    try (var widget = api.widget("stale")) {
      widget.merge("{spec: {replicas: 2}}").expect(200);
      var old = widget.copy();
      old.withObjectProperty("spec").put("replicas", 3);
      assertThat(api.put(widget.path(), old).expect(409, "Conflict"))
          .isEqualTo(
              "Operation cannot be fulfilled on widgets.contract.runnerset.dev \"stale\": the object"
                  + " has been modified; please apply your changes to the latest version and try"
                  + " again");
      api.put(widget.path() + "/status", old).expect(409, "Conflict");
      old.withObjectProperty("metadata").remove("resourceVersion");
      api.put(widget.path(), old).expect(422, "Invalid");
      var other = widget.copy();
      other.withObjectProperty("metadata").put("uid", "00000000-0000-0000-0000-000000000000");
      api.put(widget.path(), other).expect(409, "Conflict");
    }
  }

  private static void lease(Api api) throws Exception {
    var body =
        "{apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: {name: 'leader'}, spec: {holderIdentity: 'a', leaseDurationSeconds: 15}}";
    try (var lease = api.make(LEASES, body)) {
      var mine = lease.copy();
      mine.withObjectProperty("spec").put("holderIdentity", "b");
      var theirs = lease.copy();
      theirs.withObjectProperty("spec").put("holderIdentity", "c");
      api.put(lease.path(), mine).expect(200);
      api.put(lease.path(), theirs).expect(409, "Conflict");
      assertThat(text(lease.get(), "/spec/holderIdentity")).isEqualTo("b");
    }
  }

  private static void badPods(Api api) throws Exception {
    var dry = PODS + "?dryRun=All";
    var good = Bodies.pod("bad");
    api.create(dry, good).expect(201);
    var bad =
        List.of(
            good.replace("image: 'example.com/runner:1'", "image: ''"),
            good.replace("name: 'runner'", "name: ''"),
            good.replace("name: 'runner'", "name: 'Bad_Name'"),
            good.replace("}]}}", "}, {name: 'runner', image: 'x'}]}}"),
            good.replaceAll("\\[.*\\]", "[]"),
            Bodies.pod("bad", "", "restartPolicy: 'Odd',"));
    for (var pod : bad) {
      assertThat(api.create(dry, pod).expect(422, "Invalid"))
          .contains("Pod \"bad\" is invalid: spec.");
    }
  }

  private static void pod(Api api) throws Exception {
    try (var made = api.make(PODS, Bodies.pod("frozen"))) {
      var pod = made.first();
      assertThat(text(pod, "/spec/restartPolicy")).isEqualTo("Always");
      assertThat(text(pod, "/spec/terminationGracePeriodSeconds")).isEqualTo("30");
      assertThat(text(pod, "/spec/dnsPolicy")).isEqualTo("ClusterFirst");
      assertThat(text(pod, "/spec/containers/0/imagePullPolicy")).isEqualTo("IfNotPresent");
      assertThat(text(pod, "/status/phase")).isEqualTo("Pending");
      made.merge("{spec: {restartPolicy: 'Never'}}").expect(422, "Invalid");
      made.merge("{metadata: {labels: {busy: 'true'}}}").expect(200);
    }
  }

  private static void secret(Api api) throws Exception {
    var body =
        "{apiVersion: 'v1', kind: 'Secret', metadata: {name: 'text'}, stringData: {a: 'plain'}}";
    try (var made = api.make(SECRETS, body)) {
      assertThat(text(made.first(), "/data/a")).isEqualTo("cGxhaW4=");
      assertThat(text(made.first(), "/type")).isEqualTo("Opaque");
      assertThat(made.first().has("stringData")).isFalse();
    }
  }

  private static void rulesReview(Api api) throws Exception {
    var review =
        api.create(
                "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
                "{apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: {namespace: 'default'}}")
            .expect(201);
    assertThat(review.at("/status/resourceRules")).isNotEmpty();
  }
}
