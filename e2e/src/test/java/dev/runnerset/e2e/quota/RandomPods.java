package dev.runnerset.e2e.quota;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Templates of runners with containers, side-cars, init containers, resources of the pod itself,
 * deadlines, priorities, affinities and ephemeral volumes, drawn by chance. An API server takes
 * each.
 */
record RandomPods(RandomGenerator random, Extras extras) {
  /** What a server must have for it. */
  record Extras(boolean runtimeClass, boolean volumes) {}

  static final String LOW = "quota-low";
  static final String HIGH = "quota-high";
  static final String RUNTIME = "quota-overhead";
  private static final List<String> CPUS = List.of("100m", "0.25", "1", "1500m", "2");
  private static final List<String> MEMORIES = List.of("64Mi", "128974848", "0.5Gi", "1Gi", "129M");

  PodTemplateSpec next() {
    boolean asks = chance(80); // so that quotas of cpu and memory take most of them
    var spec = new PodSpecBuilder().addToContainers(container("runner", asks));
    if (chance(40)) {
      spec.addToContainers(container("beside", asks));
    }
    for (int i = 0; i < 3; i++) {
      if (chance(30)) {
        var initial = container("init-" + i, asks);
        if (chance(50)) {
          initial.setRestartPolicy("Always");
        }
        spec.addToInitContainers(initial);
      }
    }
    if (chance(20)) {
      spec.withResources(ofPod());
    }
    if (chance(30)) {
      spec.withActiveDeadlineSeconds(3600L);
    }
    if (chance(40)) {
      spec.withPriorityClassName(chance(50) ? LOW : HIGH);
    }
    if (chance(25)) {
      withAffinity(spec);
    }
    if (extras.runtimeClass() && chance(20)) {
      spec.withRuntimeClassName(RUNTIME);
    }
    if (extras.volumes() && chance(30)) {
      withVolumes(spec);
    }
    return new PodTemplateSpecBuilder().withSpec(spec.build()).build();
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private String one(List<String> texts) {
    return texts.get(random.nextInt(texts.size()));
  }

  private Container container(String name, boolean asks) {
    var resources = new ResourceRequirementsBuilder();
    if (asks || chance(20)) {
      var cpu = one(CPUS);
      resources.addToLimits("cpu", new Quantity(cpu));
      if (chance(50)) {
        resources.addToRequests("cpu", new Quantity("50m"));
      }
    } else if (chance(20)) {
      resources.addToRequests("cpu", new Quantity(one(CPUS)));
    }
    if (asks || chance(20)) {
      resources.addToLimits("memory", new Quantity(one(MEMORIES)));
      if (chance(30)) {
        resources.addToRequests("memory", new Quantity("32Mi"));
      }
    }
    if (chance(30)) {
      resources.addToLimits("ephemeral-storage", new Quantity("2Gi"));
    } else if (chance(20)) {
      resources.addToRequests("ephemeral-storage", new Quantity("1G"));
    }
    if (chance(20)) {
      resources.addToLimits("nvidia.com/gpu", new Quantity(chance(50) ? "1" : "2"));
    }
    if (asks && chance(15)) {
      resources.addToLimits("hugepages-2Mi", new Quantity("4Mi"));
    }
    return new ContainerBuilder()
        .withName(name)
        .withImage("registry.example/runner:1")
        .withResources(resources.build())
        .build();
  }

  /** More than all containers together may ask for. */
  private ResourceRequirements ofPod() {
    var resources = new ResourceRequirementsBuilder();
    if (chance(70)) {
      resources.addToLimits("cpu", new Quantity("32"));
    }
    if (chance(50)) {
      resources.addToLimits("memory", new Quantity("64Gi"));
    }
    if (chance(50)) {
      resources.addToRequests("cpu", new Quantity("31"));
    }
    if (chance(30)) {
      resources.addToRequests("memory", new Quantity("63Gi"));
    }
    return resources.build();
  }

  private void withAffinity(PodSpecBuilder spec) {
    boolean across = chance(60);
    var namespaces = across ? List.of("elsewhere") : List.<String>of();
    if (chance(50)) {
      spec.withNewAffinity()
          .withNewPodAffinity()
          .addNewRequiredDuringSchedulingIgnoredDuringExecution()
          .withTopologyKey("kubernetes.io/hostname")
          .withNamespaces(namespaces)
          .endRequiredDuringSchedulingIgnoredDuringExecution()
          .endPodAffinity()
          .endAffinity();
    } else {
      spec.withNewAffinity()
          .withNewPodAntiAffinity()
          .addNewPreferredDuringSchedulingIgnoredDuringExecution()
          .withWeight(1)
          .withNewPodAffinityTerm()
          .withTopologyKey("kubernetes.io/hostname")
          .withNamespaces(namespaces)
          .endPodAffinityTerm()
          .endPreferredDuringSchedulingIgnoredDuringExecution()
          .endPodAntiAffinity()
          .endAffinity();
    }
  }

  private void withVolumes(PodSpecBuilder spec) {
    var sizes = new ArrayList<>(List.of("1Gi", "1500m", "10G"));
    for (int i = 0; i <= random.nextInt(2); i++) {
      var claim =
          spec.addNewVolume()
              .withName("volume-" + i)
              .withNewEphemeral()
              .withNewVolumeClaimTemplate()
              .withNewSpec()
              .withAccessModes("ReadWriteOnce")
              .withStorageClassName(chance(60) ? "fast" : "")
              .withNewResources()
              .addToRequests("storage", new Quantity(one(sizes)))
              .endResources();
      if (chance(30)) {
        claim.withVolumeAttributesClassName("gold");
      }
      claim.endSpec().endVolumeClaimTemplate().endEphemeral().endVolume();
    }
  }
}
