package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetSpec;
import dev.runnerset.crds.EphemeralRunnerSpec;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.GoDuration;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.Lifetime;
import dev.runnerset.crds.ProvisionedFor;
import dev.runnerset.crds.RunnerRetention;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Makes the resource of a new runner of a set; its finalizer is in the body (BG1). */
final class RunnerTemplate {
  private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
  private static final int SUFFIX = 10;

  /** Container hooks name the pod of a job after the first 54 characters of its runner's name. */
  private static final int LONGEST_NAME = 54;

  /** The longest name of a runner made by an older version; some are still registered. */
  private static final int FORMERLY_LONGEST_NAME = 63;

  private RunnerTemplate() {}

  /**
   * A new runner of the set. Its name is chosen here, so that a runner whose request had no answer
   * can be looked for: the name of the set, cut, and ten random characters (NM1).
   */
  static EphemeralRunner newRunner(
      EphemeralRunnerSet set, ProvisionedFor purpose, RandomGenerator random) {
    var runner = stub(set, name(set.getMetadata().getName(), random), annotations(set, purpose));
    runner.getMetadata().setFinalizers(List.of(Labels.RUNNER_FINALIZER));
    return runner;
  }

  private static EphemeralRunner stub(
      EphemeralRunnerSet set, String name, Map<String, String> annotations) {
    var meta = set.getMetadata();
    var spec = set.getSpec();
    var runner = new EphemeralRunner();
    runner.setMetadata(
        new ObjectMetaBuilder()
            .withName(name)
            .withNamespace(meta.getNamespace())
            .withLabels(
                Map.of(
                    Labels.PART_OF,
                    Labels.PART_OF_VALUE,
                    Labels.COMPONENT,
                    Labels.COMPONENT_RUNNER,
                    Labels.SET,
                    meta.getName(),
                    Labels.REVISION,
                    spec.revision()))
            .withAnnotations(annotations)
            .withOwnerReferences(Ownership.ownedBy(set))
            .build());
    runner.setSpec(
        EphemeralRunnerSpec.builder(
                spec.githubConfigUrl(), spec.githubConfigSecret(), spec.runnerScaleSetId())
            .revision(spec.revision())
            .setGeneration(meta.getGeneration())
            .retention(RunnerRetention.snapshotOf(spec.retention()))
            .deadlines(spec.deadlines())
            .maxLifetime(lifetime(spec))
            .proxy(spec.proxy())
            .githubServerTLS(spec.githubServerTLS())
            .build());
    return runner;
  }

  /** The shorter one of the set's and its template's: an idle runner goes by it. */
  private static @Nullable String lifetime(EphemeralRunnerSetSpec spec) {
    return spec.maxLifetime() == null
        ? null
        : Lifetime.of(spec.maxLifetime(), spec.template().podTemplate())
            .map(GoDuration::text)
            .orElse(null);
  }

  private static Map<String, String> annotations(EphemeralRunnerSet set, ProvisionedFor purpose) {
    var annotations = new HashMap<String, String>();
    annotations.put(Labels.PROVISIONED_FOR, purpose.word());
    Ownership.setUid(set).ifPresent(uid -> annotations.put(Labels.SET_UID, uid));
    return annotations;
  }

  /**
   * A registration of the set that has no resource, as the remover needs it: by its id, which is
   * its uid too, and by its name.
   */
  static EphemeralRunner leftOver(EphemeralRunnerSet set, String name, long id) {
    var runner = stub(set, name, Map.of());
    runner.getMetadata().setUid("registration-" + id);
    runner.setStatus(EphemeralRunnerStatus.builder().runnerId(id).build());
    return runner;
  }

  /** Whether {@link #name} gives that name, or gave it in an older version. */
  static boolean isNameOf(String setName, String name) {
    return IntStream.of(LONGEST_NAME, FORMERLY_LONGEST_NAME)
        .mapToObj(longest -> stem(setName, longest))
        .anyMatch(stem -> isStemAndSuffix(stem, name));
  }

  private static boolean isStemAndSuffix(String stem, String name) {
    int end = stem.length();
    return name.length() == end + SUFFIX
        && name.startsWith(stem)
        && name.chars().skip(end).allMatch(c -> ALPHABET.indexOf(c) >= 0);
  }

  private static String stem(String setName, int longest) {
    int room = longest - SUFFIX - 1;
    var stem = setName.length() <= room ? setName : setName.substring(0, room);
    return stem.replaceAll("[-.]+$", "") + "-";
  }

  static String name(String setName, RandomGenerator random) {
    var name = new StringBuilder(stem(setName, LONGEST_NAME));
    for (int i = 0; i < SUFFIX; i++) {
      name.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return name.toString();
  }
}
