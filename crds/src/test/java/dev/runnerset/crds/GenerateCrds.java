package dev.runnerset.crds;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Writes the CRDs of this module; run by the build in the toolchain's JVM. */
final class GenerateCrds {
  private static final List<Class<? extends CustomResource<?, ?>>> KINDS =
      List.of(
          AutoScalingRunnerSet.class,
          EphemeralRunnerSet.class,
          EphemeralRunner.class,
          AutoScalingListener.class);

  private GenerateCrds() {}

  /** Writes one YAML file a kind under {@code META-INF/fabric8} of the folder {@code args[0]}. */
  public static void main(String[] args) throws Exception {
    var out = Files.createDirectories(Path.of(args[0], "META-INF", "fabric8"));
    var generator = new CRDGenerator().inOutputDir(out.toFile());
    KINDS.forEach(generator::customResourceClasses);
    var info = generator.detailedGenerate();
    if (info.numberOfGeneratedCRDs() != KINDS.size()) {
      throw new IllegalStateException(info.numberOfGeneratedCRDs() + " CRDs, not " + KINDS.size());
    }
    for (var kind : KINDS) {
      complete(out.resolve(CustomResource.getCRDName(kind) + "-v1.yml"), kind);
    }
  }

  /** What the generator cannot be told: the order of the columns, and that a spec is required. */
  private static void complete(Path file, Class<?> kind) throws IOException {
    var crd = Serialization.unmarshal(Files.readString(file), CustomResourceDefinition.class);
    var order =
        Stream.of(kind.getAnnotationsByType(AdditionalPrinterColumn.class))
            .map(AdditionalPrinterColumn::name)
            .toList();
    for (CustomResourceDefinitionVersion version : crd.getSpec().getVersions()) {
      version.getSchema().getOpenAPIV3Schema().setRequired(List.of("spec"));
      version
          .getAdditionalPrinterColumns()
          .sort(
              Comparator.comparing(
                  (CustomResourceColumnDefinition c) -> order.indexOf(c.getName())));
    }
    crd.getMetadata().setLabels(Map.of(Labels.PART_OF, Labels.PART_OF_VALUE));
    Files.writeString(file, Serialization.asYaml(crd).replaceFirst("^---\n", ""));
  }
}
