package dev.runnerset.testsupport.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Owner references and the garbage collector. */
final class OwnerCases {
  private static final String HOLD = ", \"finalizers\": [\"contract.runnerset.dev/hold\"]";

  private OwnerCases() {}

  static List<Case> all() {
    return List.of(
        new Case("background: dependents go after their owner", OwnerCases::background),
        new Case("an object whose owner never was goes", OwnerCases::neverThere),
        new Case("an object with a second owner stays", OwnerCases::secondOwner),
        new Case("orphan: dependents stay, without the reference", OwnerCases::orphan),
        new Case(
            "foreground: dependents go at once though the owner has a finalizer",
            target -> foreground(target, false)),
        new Case(
            "foreground: the same with blockOwnerDeletion", target -> foreground(target, true)));
  }

  static String ownedBy(JsonNode owner, boolean block) {
    return ", \"ownerReferences\": [" + reference(owner, block) + "]";
  }

  private static String reference(JsonNode owner, boolean block) {
    return "{\"apiVersion\": \""
        + owner.path("apiVersion").asText()
        + "\", \"kind\": \""
        + owner.path("kind").asText()
        + "\", \"name\": \""
        + owner.at("/metadata/name").asText()
        + "\", \"uid\": \""
        + owner.at("/metadata/uid").asText()
        + "\", \"blockOwnerDeletion\": "
        + block
        + "}";
  }

  private static void background(Target target) throws Exception {
    Api api = new Api(target);
    JsonNode owner = api.create(api.widgets(), Widgets.named("owner")).expect(201);
    String middle = Widgets.with("middle", ownedBy(owner, false), "\"mode\": \"Fast\"");
    JsonNode child = api.create(api.widgets(), middle).expect(201);
    api.create(api.core("configmaps"), Widgets.configMap("leaf", ownedBy(child, false)))
        .expect(201);
    api.delete(api.widgets() + "/owner", "{\"propagationPolicy\": \"Background\"}").expect(200);
    api.get(api.widgets() + "/owner").expect(404);
    api.awaitGone(api.widgets() + "/middle");
    api.awaitGone(api.core("configmaps") + "/leaf");
  }

  private static void neverThere(Target target) throws Exception {
    Api api = new Api(target);
    String reference =
        ", \"ownerReferences\": [{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"name\":"
            + " \"ghost\", \"uid\": \"00000000-0000-0000-0000-000000000001\"}]";
    api.create(api.core("configmaps"), Widgets.configMap("stray", reference)).expect(201);
    api.awaitGone(api.core("configmaps") + "/stray");
  }

  private static void secondOwner(Target target) throws Exception {
    Api api = new Api(target);
    JsonNode first = api.create(api.core("configmaps"), owner("first")).expect(201);
    JsonNode second = api.create(api.core("configmaps"), owner("second")).expect(201);
    String both =
        ", \"ownerReferences\": [" + reference(first, false) + "," + reference(second, false) + "]";
    api.create(api.core("configmaps"), Widgets.configMap("shared", both)).expect(201);
    String path = api.core("configmaps") + "/shared";
    api.delete(api.core("configmaps") + "/first").expect(200);
    Api.await(
        "the reference to the first owner to go",
        () -> api.get(path).expect(200).at("/metadata/ownerReferences").size() == 1);
    api.delete(api.core("configmaps") + "/second").expect(200);
    api.awaitGone(path);
  }

  private static String owner(String name) {
    return "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \""
        + name
        + "\"}}";
  }

  private static void orphan(Target target) throws Exception {
    Api api = new Api(target);
    JsonNode owner = api.create(api.core("configmaps"), owner("parent")).expect(201);
    api.create(api.core("configmaps"), Widgets.configMap("orphan", ownedBy(owner, false)))
        .expect(201);
    String path = api.core("configmaps");
    Api.await(
        "the parent to go",
        () -> api.delete(path + "/parent", "{\"propagationPolicy\": \"Orphan\"}").code() == 404);
    JsonNode orphan = api.get(path + "/orphan").expect(200);
    Expect.absent(orphan, "/metadata/ownerReferences");
    api.delete(path + "/orphan").expect(200);
  }

  private static void foreground(Target target, boolean block) throws Exception {
    Api api = new Api(target);
    String top = api.widgets() + "/top-" + block;
    String mid = api.widgets() + "/mid-" + block;
    String pod = api.core("pods") + "/pod-" + block;
    JsonNode owner = api.create(api.widgets(), Widgets.named("top-" + block)).expect(201);
    String metadata = ownedBy(owner, block) + HOLD;
    JsonNode middle =
        api.create(api.widgets(), Widgets.with("mid-" + block, metadata, "\"mode\": \"Fast\""))
            .expect(201);
    api.create(api.core("pods"), Widgets.pod("pod-" + block, ownedBy(middle, block), ""))
        .expect(201);
    JsonNode going = api.delete(top, "{\"propagationPolicy\": \"Foreground\"}").expect(200);
    Expect.contains(
        "finalizers", "foregroundDeletion", going.at("/metadata/finalizers").toString());
    api.awaitGone(pod);
    Expect.isTrue(
        "the one with a finalizer waits",
        api.get(mid).expect(200).at("/metadata").has("deletionTimestamp"));
    api.merge(mid, "{\"metadata\": {\"finalizers\": null}}").expect(200);
    api.awaitGone(mid);
    api.awaitGone(top);
  }
}
