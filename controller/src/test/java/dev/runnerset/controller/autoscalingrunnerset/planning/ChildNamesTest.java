package dev.runnerset.controller.autoscalingrunnerset.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.autoscalingrunnerset.Sets;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The name of a listener object, and whose it is (DL2). */
final class ChildNamesTest {
  private static final String NAME = ChildNames.listener("ci", "linux");

  @ParameterizedTest
  @CsvSource({
    "linux, 'linux-[0-9a-f]{16}'",
    "a-name-of-a-set-that-is-as-long-as-a-name-of-a-set-may-be-at-all, '.{1,46}-[0-9a-f]{16}'",
    "linux-------------------------------------------------acbr, 'linux-[0-9a-f]{16}'"
  })
  void aNameHas64BitsOfAHashAndFits(String set, String pattern) {
    var name = ChildNames.listener("ci", set);
    assertThat(name).matches(pattern).hasSizeLessThanOrEqualTo(ChildNames.MAX_NAME);
    assertThat(name).isEqualTo(ChildNames.listener("ci", set));
    assertThat(name).isNotEqualTo(ChildNames.listener("other", set));
  }

  record Row(
      String what, String name, @Nullable String set, @Nullable String uid, boolean ofTheSet) {}

  static Stream<Row> rows() {
    return Stream.of(
        new Row("labels and uid", NAME, "linux", "uid-1", true),
        new Row("of another set", NAME, "other", "uid-2", false),
        new Row("another's uid", NAME, "linux", "uid-2", false),
        new Row("another's labels", NAME, "other", "uid-1", false),
        new Row("no labels", NAME, null, "uid-1", false),
        new Row("no uid", NAME, "linux", null, false));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void aListenerObjectIsOfTheSetWhoseLabelsAndUidItBears(Row row) {
    var set = Sets.set("linux");
    set.getMetadata().setNamespace("ci");
    set.getMetadata().setUid("uid-1");
    var labels = new HashMap<String, String>();
    if (row.set() != null) {
      labels.putAll(ChildNames.listenerLabels(set));
      labels.put(Labels.SET, row.set());
    }
    var listener = new AutoScalingListener();
    listener.setMetadata(
        new ObjectMetaBuilder()
            .withName(row.name())
            .withLabels(labels)
            .withAnnotations(row.uid() == null ? null : Map.of(Labels.SET_UID, row.uid()))
            .build());
    assertThat(ChildNames.isListenerOf(listener, set)).isEqualTo(row.ofTheSet());
  }
}
