package dev.runnerset.e2e.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.controller.features.capacity.Amounts;
import dev.runnerset.controller.features.capacity.Charge;
import dev.runnerset.controller.features.capacity.JobCost;
import dev.runnerset.controller.features.capacity.OwnCharges;
import dev.runnerset.controller.features.capacity.Quota;
import dev.runnerset.controller.features.capacity.QuotaEvaluator;
import dev.runnerset.controller.features.capacity.QuotaLimit;
import dev.runnerset.controller.features.capacity.RunnerCost;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSpec;
import dev.runnerset.crds.NameReference;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.ScopedResourceSelectorRequirement;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What our evaluator says of quotas, held to what an API server does: the charge of random pods,
 * and how many runners fit. All chance comes from one seed.
 */
final class QuotaTrial {
  private static final Duration COMPUTED = Duration.ofSeconds(30);
  private static final String MANY = "1000000000000000";
  private static final long SEED = 39_3;
  private static final List<String> COMPUTE =
      List.of(
          "cpu",
          "memory",
          "requests.cpu",
          "requests.memory",
          "limits.cpu",
          "limits.memory",
          "pods");
  private static final List<String> OTHER =
      List.of(
          "pods",
          "count/pods",
          "ephemeral-storage",
          "requests.ephemeral-storage",
          "limits.ephemeral-storage",
          "hugepages-2Mi",
          "requests.hugepages-2Mi",
          "requests.nvidia.com/gpu");
  private static final List<String> OF_CLAIMS =
      List.of(
          "persistentvolumeclaims",
          "count/persistentvolumeclaims",
          "requests.storage",
          "fast.storageclass.storage.k8s.io/persistentvolumeclaims",
          "fast.storageclass.storage.k8s.io/requests.storage");

  private final KubernetesClient client;
  private final RandomPods.Extras extras;

  QuotaTrial(KubernetesClient client, RandomPods.Extras extras) {
    this.client = client;
    this.extras = extras;
    for (var name : List.of(RandomPods.LOW, RandomPods.HIGH)) {
      client
          .resource(
              "{\"apiVersion\": \"scheduling.k8s.io/v1\", \"kind\": \"PriorityClass\","
                  + " \"metadata\": {\"name\": \"%s\"}, \"value\": 1}".formatted(name))
          .create();
    }
  }

  /** Each pod is created in a namespace with quotas of every scope; what they count is compared. */
  void chargesAreAsTheServersOwn(int pods, int namespaces) {
    var results =
        together(
            namespaces,
            number -> {
              var namespace = namespace("quota-charge-" + number);
              boolean ofCompute = number % 2 == 0;
              quotasOfAllScopes(namespace, ofCompute ? COMPUTE : OTHER);
              var random = new RandomPods(new Random(SEED + number), extras);
              var claims = new ArrayList<Charge>();
              int refused = 0;
              for (int i = 0; i < pods / namespaces; i++) {
                refused += compare(namespace, "pod-" + i, random.next(), claims) ? 0 : 1;
              }
              if (extras.volumes()) {
                awaitClaims(namespace, claims);
              }
              return refused;
            });
    int refused = results.stream().mapToInt(each -> each).sum();
    System.out.printf(
        "figure: of %d random pods, quotas refused %d for a container%n", pods, refused);
    assertThat(refused).isBetween(1, pods / 2);
  }

  /**
   * @return whether the server took it
   */
  private boolean compare(
      String namespace, String name, PodTemplateSpec template, List<Charge> claims) {
    var before = quotas(namespace);
    var runner = runner(namespace, name);
    var pod =
        new PodBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(namespace)
            .endMetadata()
            .withSpec(template.getSpec())
            .build();
    Pod answer;
    try {
      answer = client.resource(pod).create();
    } catch (KubernetesClientException e) {
      assertThat(e.getStatus().getMessage()).as(name + " in " + namespace).contains("must specify");
      var dry = client.resource(pod).inNamespace("quota-free").dryRun().create();
      var room =
          QuotaEvaluator.room(before, RunnerCost.ofAnswer(dry, JobCost.NONE), OwnCharges.NONE);
      assertThat(room.tightest().map(QuotaLimit::reason)).contains(QuotaLimit.Reason.UNSPECIFIED);
      return false;
    }
    var cost = RunnerCost.ofAnswer(answer, JobCost.NONE);
    claims.addAll(cost.claims());
    var room = QuotaEvaluator.room(before, cost, OwnCharges.NONE);
    assertThat(room.more()).as(name + " in " + namespace).isNotEqualTo(OptionalInt.of(0));
    assertThat(room.notReckoned()).isEmpty();
    compareUsed(namespace, name, before, cost);
    if (template.getSpec().getRuntimeClassName() == null) {
      var guessed = RunnerCost.ofTemplate(runner, template, JobCost.NONE).orElseThrow();
      assertThat(plain(guessed.pod().amounts())).isEqualTo(plain(cost.pod().amounts()));
      assertThat(guessed.pod().traits()).isEqualTo(cost.pod().traits());
      assertThat(guessed.claims()).isEqualTo(cost.claims());
    }
    return true;
  }

  private void compareUsed(String namespace, String name, List<Quota> before, RunnerCost cost) {
    var after =
        quotas(namespace).stream().collect(Collectors.toMap(Quota::name, Function.identity()));
    for (var quota : before) {
      boolean counts = quota.scopes().stream().allMatch(scope -> scope.matches(cost.pod()));
      for (var resource : quota.hard().byName().keySet()) {
        if (OF_CLAIMS.contains(resource)) {
          continue;
        }
        var expected = counts ? cost.pod().amounts().of(resource) : BigDecimal.ZERO;
        var charged =
            Objects.requireNonNull(after.get(quota.name()))
                .used()
                .of(resource)
                .subtract(quota.used().of(resource));
        assertThat(charged)
            .as("%s of %s by quota %s", resource, name, quota.name())
            .isEqualByComparingTo(expected);
      }
    }
  }

  private static Map<String, BigDecimal> plain(Amounts amounts) {
    var plain = new TreeMap<String, BigDecimal>();
    amounts.byName().forEach((name, amount) -> plain.put(name, amount.stripTrailingZeros()));
    return plain;
  }

  /** A controller makes the claims a little later. */
  private void awaitClaims(String namespace, List<Charge> claims) {
    await()
        .atMost(COMPUTED)
        .untilAsserted(() -> {
          for (var quota : quotas(namespace)) {
            for (var resource : OF_CLAIMS) {
              if (quota.hard().has(resource)) {
                var expected =
                    claims.stream()
                        .filter(claim -> quota.scopes().stream().allMatch(s -> s.matches(claim)))
                        .map(claim -> claim.amounts().of(resource))
                        .reduce(BigDecimal.ZERO, BigDecimal::add);
                assertThat(quota.used().of(resource))
                    .as(resource + " of " + quota.name())
                    .isEqualByComparingTo(expected);
              }
            }
          }
        });
  }

  private void quotasOfAllScopes(String namespace, List<String> resources) {
    create(namespace, "all", hard(resources, MANY), null);
    if (resources.equals(OTHER)) {
      create(namespace, "claims", hard(OF_CLAIMS, MANY), null);
      create(
          namespace,
          "gold",
          hard(List.of("persistentvolumeclaims", "requests.storage"), MANY),
          selector("VolumeAttributesClass", "In", "gold"));
    }
    var scoped = resources.equals(COMPUTE) ? COMPUTE : List.of("pods");
    for (var scope : List.of("Terminating", "NotTerminating", "NotBestEffort")) {
      create(namespace, scope, hard(scoped, MANY), selector(scope, "Exists"));
    }
    var pods = hard(List.of("pods"), MANY);
    create(namespace, "BestEffort", pods, selector("BestEffort", "Exists"));
    create(namespace, "across", pods, selector("CrossNamespacePodAffinity", "Exists"));
    create(namespace, "any-class", pods, selector("PriorityClass", "Exists"));
    create(namespace, "no-class", pods, selector("PriorityClass", "DoesNotExist"));
    create(namespace, "in-low", pods, selector("PriorityClass", "In", RandomPods.LOW));
    create(namespace, "not-in-low", pods, selector("PriorityClass", "NotIn", RandomPods.LOW));
    awaitComputed(namespace);
  }

  private void awaitComputed(String namespace) {
    await()
        .atMost(COMPUTED)
        .during(Duration.ofMillis(500)) // admission has a cache of its own, which follows
        .until(() ->
            quotas(namespace).stream()
                .allMatch(
                    each -> each.used().byName().keySet().equals(each.hard().byName().keySet())));
  }

  private static ScopedResourceSelectorRequirement selector(
      String scope, String operator, String... values) {
    return new ScopedResourceSelectorRequirement(operator, scope, List.of(values));
  }

  private static Map<String, Quantity> hard(List<String> names, String amount) {
    return names.stream().collect(Collectors.toMap(name -> name, _ -> new Quantity(amount)));
  }

  private void create(
      String namespace,
      String name,
      Map<String, Quantity> hard,
      @Nullable ScopedResourceSelectorRequirement selector) {
    var quota =
        new ResourceQuotaBuilder()
            .withNewMetadata()
            .withName(name.toLowerCase(Locale.ROOT))
            .withNamespace(namespace)
            .endMetadata()
            .withNewSpec()
            .withHard(hard);
    if (selector != null) {
      quota.withNewScopeSelector().addToMatchExpressions(selector).endScopeSelector();
    }
    client.resource(quota.endSpec().build()).create();
  }

  /** Runners are created until the server refuses one; as many as were said must have fitted. */
  void asManyFitAsWereSaid(int namespaces) {
    var fitted =
        together(
            namespaces,
            number -> {
              var namespace = namespace("quota-room-" + number);
              var random = new Random(SEED * 1000 + number);
              var template = template(random);
              int others = random.nextInt(2);
              for (int i = 0; i < others; i++) {
                create(namespace, "other-" + i, template(random));
              }
              var dry = client.resource(pod(namespace, "dry", template)).dryRun().create();
              var cost = RunnerCost.ofAnswer(dry, JobCost.NONE);
              for (int i = 0; i <= random.nextInt(2); i++) {
                var limits = limits(random, cost);
                create(
                    namespace,
                    "quota-" + i,
                    limits,
                    scopeFor(random, limits.keySet().stream().toList()));
              }
              awaitComputed(namespace);
              var room = QuotaEvaluator.room(quotas(namespace), cost, OwnCharges.NONE);
              int said = room.more().orElse(-1);
              int most = said < 0 ? 3 : said + 1;
              int fits = 0;
              while (fits < most && create(namespace, "runner-" + fits, template)) {
                fits++;
              }
              assertThat(said < 0 ? 3 : said)
                  .as(
                      "%s: %s",
                      namespace, room.tightest().map(QuotaLimit::sentence).orElse("no limit"))
                  .isEqualTo(fits);
              return said;
            });
    System.out.printf("figure: runners that fitted, -1 for any number: %s%n", fitted);
    assertThat(fitted.stream().distinct().count()).isGreaterThan(4);
  }

  /** Without volumes and overheads: a claim that is refused refuses no pod. */
  private PodTemplateSpec template(Random random) {
    var pods = new RandomPods(random, new RandomPods.Extras(false, false));
    while (true) {
      var template = pods.next();
      if (isSpecified(template)) {
        return template;
      }
    }
  }

  private static boolean isSpecified(PodTemplateSpec template) {
    return template.getSpec().getContainers().stream()
        .allMatch(container ->
            container.getResources().getLimits().keySet().containsAll(List.of("cpu", "memory")));
  }

  /** Room for up to seven in two resources, of each a part of one more. */
  private static Map<String, Quantity> limits(Random random, RunnerCost cost) {
    var names =
        new ArrayList<>(
            List.of("count/ephemeralrunners.runnerset.dev", "secrets", "count/secrets"));
    names.addAll(cost.pod().amounts().byName().keySet());
    names.sort(null);
    var limits = new HashMap<String, Quantity>();
    for (int i = 0; i < 2; i++) {
      var name = names.get(random.nextInt(names.size()));
      var amount = cost.pod().amounts().byName().getOrDefault(name, BigDecimal.ONE);
      var hard = amount.multiply(new BigDecimal(random.nextInt(80)).movePointLeft(1));
      boolean isWhole = !name.endsWith("cpu");
      limits.put(
          name,
          new Quantity((isWhole ? hard.setScale(0, RoundingMode.FLOOR) : hard).toPlainString()));
    }
    return limits;
  }

  private @Nullable ScopedResourceSelectorRequirement scopeFor(Random random, List<String> names) {
    if (!COMPUTE.containsAll(names)) {
      return null;
    }
    return switch (random.nextInt(4)) {
      case 0 -> selector("NotTerminating", "Exists");
      case 1 -> selector("Terminating", "Exists");
      case 2 -> selector("PriorityClass", "In", RandomPods.LOW);
      default -> null;
    };
  }

  /**
   * @return whether the server took all three objects
   */
  private boolean create(String namespace, String name, PodTemplateSpec template) {
    try {
      client.resource(runner(namespace, name)).create();
      client
          .resource(
              new SecretBuilder()
                  .withNewMetadata()
                  .withName(name)
                  .withNamespace(namespace)
                  .endMetadata()
                  .build())
          .create();
      client.resource(pod(namespace, name, template)).create();
      return true;
    } catch (KubernetesClientException e) {
      assertThat(e.getMessage()).containsAnyOf("exceeded quota", "must specify");
      return false;
    }
  }

  private static Pod pod(String namespace, String name, PodTemplateSpec template) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(namespace)
        .endMetadata()
        .withSpec(template.getSpec())
        .build();
  }

  private static EphemeralRunner runner(String namespace, String name) {
    var runner = new EphemeralRunner();
    runner.getMetadata().setNamespace(namespace);
    runner.getMetadata().setName(name);
    runner.getMetadata().setUid("none");
    runner.setSpec(
        EphemeralRunnerSpec.builder("https://github.com/o", new NameReference("a"), 1).build());
    return runner;
  }

  /** In the real cluster a pod needs the service account, which a controller makes. */
  private String namespace(String name) {
    if (client.namespaces().withName(name).get() == null) {
      client
          .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
          .create();
    }
    await().atMost(COMPUTED).until(() -> takesPods(name));
    return name;
  }

  private boolean takesPods(String namespace) {
    try {
      var _ =
          client
              .resource(
                  pod(
                      namespace,
                      "probe",
                      new RandomPods(new Random(1), new RandomPods.Extras(false, false)).next()))
              .dryRun()
              .create();
      return true;
    } catch (KubernetesClientException e) {
      return false;
    }
  }

  private List<Quota> quotas(String namespace) {
    return client.resources(ResourceQuota.class).inNamespace(namespace).list().getItems().stream()
        .map(Quota::of)
        .toList();
  }

  private <T> List<T> together(int count, Function<Integer, T> work) {
    namespace("quota-free");
    try (var threads = Executors.newFixedThreadPool(8)) {
      var calls =
          IntStream.range(0, count)
              .<Callable<T>>mapToObj(number -> () -> work.apply(number))
              .toList();
      return threads.invokeAll(calls).stream()
          .map(each -> {
            try {
              return each.get();
            } catch (Exception e) {
              throw new AssertionError(e.getMessage(), e);
            }
          })
          .toList();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
