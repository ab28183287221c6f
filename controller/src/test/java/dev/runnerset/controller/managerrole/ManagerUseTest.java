package dev.runnerset.controller.managerrole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.MergePatch;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManagerUseTest {
  private static final List<AutoScalingRunnerSet> SETS =
      List.of(set("demo", "linux"), set("demo", "gpu"), set("other", "linux"));

  /** A binding in the namespace {@code demo} by default. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          # of the set | namespace | held  | goes  | becomes
          linux        | demo      | false | false | held
          linux        | demo      | true  | false | as it is
          linux        | demo      | true  | true  | as it is
          linux        | demo      | false | true  | as it is
          -            | demo      | false | false | held
          -            | demo      | true  | true  | as it is
          gone         | demo      | true  | true  | free
          gone         | demo      | true  | false | free
          gone         | demo      | false | false | as it is
          gpu          | other     | true  | true  | free
          -            | empty     | true  | true  | free
          -            | empty     | false | false | as it is
          """)
  void aBindingIsHeldWhileASetNeedsIt(
      String set, String namespace, boolean held, boolean goes, String becomes) {
    var change = ManagerUse.change(binding(set, namespace, held, goes), SETS, List.of());
    switch (becomes) {
      case "held" ->
          assertThat(change).hasValue(List.of("other/finalizer", Labels.MANAGER_FINALIZER));
      case "free" -> assertThat(change).hasValue(List.of("other/finalizer"));
      default -> assertThat(change).isEmpty();
    }
  }

  /** A2: the namespace of the listener goes after its listener objects, and not before. */
  @Test
  void wr10TheBindingInTheNamespaceOfTheListenerIsHeldWhileAListenerObjectIsThere() {
    var listener = new AutoScalingListener();
    listener.setMetadata(
        new ObjectMetaBuilder().withNamespace("listeners").withName("l-12345678").build());
    var users = Stream.concat(SETS.stream(), Stream.of(listener)).toList();
    assertThat(ManagerUse.change(binding(null, "listeners", false, false), users, List.of()))
        .hasValue(List.of("other/finalizer", Labels.MANAGER_FINALIZER));
    assertThat(ManagerUse.change(binding(null, "listeners", true, true), users, List.of()))
        .isEmpty();
    assertThat(ManagerUse.change(binding(null, "listeners", true, true), SETS, List.of()))
        .as("the last one is gone")
        .hasValue(List.of("other/finalizer"));
  }

  @Test
  void rn23TheBindingIsHeldWhileSomethingOfASetThatIsGoneIsLeft() {
    var left = List.of(new SetKey("demo", "gone"));
    assertThat(ManagerUse.change(binding("gone", "demo", true, true), SETS, left)).isEmpty();
    assertThat(ManagerUse.change(binding("gone", "other", true, true), SETS, left))
        .hasValue(List.of("other/finalizer"));
  }

  @Test
  void aBindingWithoutFinalizersIsHeld() {
    var bare =
        new RoleBindingBuilder().withNewMetadata().withNamespace("demo").endMetadata().build();
    bare.getMetadata().setFinalizers(null);
    assertThat(ManagerUse.change(bare, SETS, List.of()))
        .hasValue(List.of(Labels.MANAGER_FINALIZER));
  }

  /** WR6: somebody may have put on another one since. */
  @Test
  void theFinalizersAreWrittenOnlyOverTheBindingThatWasSeen() {
    var seen =
        new RoleBindingBuilder().withNewMetadata().withResourceVersion("7").endMetadata().build();
    assertThat(MergePatch.finalizers(seen, List.of("a", "b")))
        .hasToString("{\"metadata\":{\"resourceVersion\":\"7\",\"finalizers\":[\"a\",\"b\"]}}");
  }

  private static RoleBinding binding(String set, String namespace, boolean held, boolean goes) {
    var meta =
        new ObjectMetaBuilder()
            .withName("manager")
            .withNamespace(namespace)
            .addToFinalizers("other/finalizer");
    if (set != null) {
      meta.addToLabels(Labels.SET, set);
    }
    if (held) {
      meta.addToFinalizers(Labels.MANAGER_FINALIZER);
    }
    if (goes) {
      meta.withDeletionTimestamp("2026-01-01T00:00:00Z");
    }
    return new RoleBindingBuilder().withMetadata(meta.build()).build();
  }

  private static AutoScalingRunnerSet set(String namespace, String name) {
    var set = new AutoScalingRunnerSet();
    set.setMetadata(new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
    return set;
  }
}
