package dev.runnerset.testsupport.apiserver;

import static dev.runnerset.testsupport.apiserver.Api.MAPS;
import static dev.runnerset.testsupport.apiserver.Api.PODS;
import static dev.runnerset.testsupport.apiserver.Api.WIDGETS;
import static dev.runnerset.testsupport.apiserver.Api.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Owner references and the garbage collector. */
final class OwnerCases {
  private OwnerCases() {}

  static List<Case> all() {
    return List.of(
        new Case("background: dependents go after their owner", OwnerCases::background),
        new Case("an object whose owner never was goes", OwnerCases::neverThere),
        new Case("an object with a second owner stays", OwnerCases::secondOwner),
        new Case(
            "foreground: dependents go at once though the owner has a finalizer",
            api -> foreground(api, false)),
        new Case("foreground: the same with blockOwnerDeletion", api -> foreground(api, true)));
  }

  private static String ownedBy(String... references) {
    return ", ownerReferences: [" + String.join(", ", references) + "]";
  }

  private static String reference(JsonNode owner, boolean block) {
    return "{apiVersion: '%s', kind: '%s', name: '%s', uid: '%s', blockOwnerDeletion: %s}"
        .formatted(
            text(owner, "/apiVersion"),
            text(owner, "/kind"),
            text(owner, "/metadata/name"),
            text(owner, "/metadata/uid"),
            block);
  }

  private static void background(Api api) throws Exception {
    try (var owner = api.widget("owner");
        var middle =
            api.make(
                WIDGETS,
                Bodies.widget("middle", ownedBy(reference(owner.first(), false)), "mode: 'Fast'"));
        var leaf =
            api.make(MAPS, Bodies.configMap("leaf", ownedBy(reference(middle.first(), false))))) {
      owner.delete("{propagationPolicy: 'Background'}").expect(200);
      assertThat(owner.isGone()).isTrue();
      api.awaitGone(middle.path());
      api.awaitGone(leaf.path());
    }
  }

  private static void neverThere(Api api) throws Exception {
    var ghost =
        "{apiVersion: 'v1', kind: 'ConfigMap', name: 'ghost', uid: '00000000-0000-0000-0000-000000000001'}";
    try (var stray = api.make(MAPS, Bodies.configMap("stray", ownedBy(ghost)))) {
      api.awaitGone(stray.path());
    }
  }

  private static void secondOwner(Api api) throws Exception {
    try (var first = api.make(MAPS, Bodies.configMap("first", ""));
        var second = api.make(MAPS, Bodies.configMap("second", ""))) {
      var both = ownedBy(reference(first.first(), false), reference(second.first(), false));
      try (var shared = api.make(MAPS, Bodies.configMap("shared", both))) {
        first.delete("").expect(200);
        Api.await(
            "the reference to the first owner to go",
            () -> shared.get().at("/metadata/ownerReferences").size() == 1);
        second.delete("").expect(200);
        api.awaitGone(shared.path());
      }
    }
  }

  private static void foreground(Api api, boolean block) throws Exception {
    try (var top = api.widget("top-" + block)) {
      var metadata = ownedBy(reference(top.first(), block)) + Bodies.HELD;
      var middle = api.make(WIDGETS, Bodies.widget("mid-" + block, metadata, "mode: 'Fast'"));
      var owned = ownedBy(reference(middle.first(), block));
      var pod = api.make(PODS, Bodies.pod("pod-" + block, owned, ""));
      var going = top.delete("{propagationPolicy: 'Foreground'}").expect(200);
      assertThat(going.at("/metadata/finalizers").toString()).contains("foregroundDeletion");
      api.awaitGone(pod.path());
      assertThat(text(middle.get(), "/metadata/deletionTimestamp"))
          .as("the one with a finalizer waits")
          .isNotEmpty();
      middle.merge("{metadata: {finalizers: null}}").expect(200);
      api.awaitGone(middle.path());
      api.awaitGone(top.path());
    }
  }
}
