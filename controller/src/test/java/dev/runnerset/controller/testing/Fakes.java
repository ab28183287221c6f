package dev.runnerset.controller.testing;

import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetSpec;
import dev.runnerset.crds.NameReference;
import dev.runnerset.crds.StoredTemplate;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Interfaces of which a test answers some methods, and a set that needs no cluster. */
public final class Fakes {
  private Fakes() {}

  /** What a method answers. */
  public interface Answer {
    @Nullable Object to(Object[] arguments);
  }

  /** Answers these methods, by name; any other call is an error of the test. */
  public static <T> T fake(Class<T> type, Map<String, Answer> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) -> {
              var answer = answers.get(method.getName());
              if (answer == null) {
                throw new AssertionError("not expected: " + method.getName());
              }
              return answer.to(args);
            }));
  }

  /** A set with a scale set. */
  public static EphemeralRunnerSet set() {
    var set = new EphemeralRunnerSet();
    set.setMetadata(
        new ObjectMetaBuilder().withNamespace("n").withName("linux").withUid("u").build());
    set.setSpec(
        EphemeralRunnerSetSpec.builder(
                "https://github.com/o",
                new NameReference("s"),
                1,
                "r1",
                StoredTemplate.of(new PodTemplateSpec()))
            .build());
    return set;
  }
}
