package dev.runnerset.testcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TestClusterContractIT {
  private static final String CRD =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: owners.test.runnerset.dev}
      spec:
        group: test.runnerset.dev
        scope: Namespaced
        names: {kind: Owner, listKind: OwnerList, plural: owners, singular: owner}
        versions:
        - name: v1
          served: true
          storage: true
          schema: {openAPIV3Schema: {type: object}}
      """;
  private static final Duration SOON = Duration.ofSeconds(10);

  private static TestCluster cluster;

  @BeforeAll
  static void start() {
    TestCluster.unavailableReason().ifPresent(Assumptions::abort);
    cluster = TestCluster.shared(List.of(CRD));
  }

  @Test
  void aServiceAccountMayDoWhatItsRoleSaysAndNoMore() {
    String namespace = namespace("rbac");
    mayWriteConfigMaps(namespace, "writer");
    try (KubernetesClient writer =
        cluster.client(cluster.kubeconfigFor(namespace, "writer"), "writer/1")) {
      ConfigMap created = writer.resource(configMap("one")).create();
      assertThat(created.getMetadata().getNamespace()).isEqualTo(namespace);
      assertThatThrownBy(() -> writer.secrets().list())
          .isInstanceOfSatisfying(
              KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(403));
      assertThatThrownBy(() -> writer.configMaps().inNamespace("default").list())
          .isInstanceOfSatisfying(
              KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(403));
    }
  }

  @Test
  void whatIsOwnedGoesWithItsOwnerAlsoForACustomKind() {
    String namespace = namespace("gc");
    GenericKubernetesResource owner =
        cluster
            .adminClient()
            .genericKubernetesResources("test.runnerset.dev/v1", "Owner")
            .inNamespace(namespace)
            .load(
                new ByteArrayInputStream(
                    "apiVersion: test.runnerset.dev/v1\nkind: Owner\nmetadata: {name: o}"
                        .getBytes(StandardCharsets.UTF_8)))
            .create();
    ConfigMap owned =
        configMap("owned")
            .edit()
            .editMetadata()
            .addNewOwnerReference()
            .withApiVersion(owner.getApiVersion())
            .withKind(owner.getKind())
            .withName("o")
            .withUid(owner.getMetadata().getUid())
            .endOwnerReference()
            .endMetadata()
            .build();
    cluster.adminClient().configMaps().inNamespace(namespace).resource(owned).create();
    cluster.adminClient().resource(owner).delete();
    await()
        .atMost(Duration.ofMinutes(1)) // the collector may not have begun yet
        .until(() ->
            cluster.adminClient().configMaps().inNamespace(namespace).withName("owned").get()
                == null);
  }

  @Test
  void theAuditLogTellsWritersApart() {
    String namespace = namespace("audit");
    mayWriteConfigMaps(namespace, "writer");
    Audit writes = cluster.auditFromNow();
    Audit entries = cluster.auditFromNow();
    try (KubernetesClient writer =
        cluster.client(cluster.kubeconfigFor(namespace, "writer"), "audited/1")) {
      for (int i = 0; i < 3; i++) {
        writer.resource(configMap("c" + i)).create();
      }
      assertThatThrownBy(() -> writer.resource(configMap("c0")).create());
      writer.configMaps().withName("c0").get();
    }
    List<AuditEntry> mine = new ArrayList<>();
    await()
        .atMost(SOON)
        .until(() -> {
          entries.forEachNew(e -> {
            if (e.userAgent().equals("audited/1")) {
              mine.add(e);
            }
          });
          return mine.size() == 5;
        });
    assertThat(mine).extracting(AuditEntry::code).containsExactly(201, 201, 201, 409, 200);
    assertThat(mine)
        .allSatisfy(e -> {
          assertThat(e.user()).isEqualTo("system:serviceaccount:" + namespace + ":writer");
          assertThat(e.resource()).isEqualTo("configmaps");
          assertThat(e.namespace()).isEqualTo(namespace);
        });
    assertThat(mine.getLast().name()).isEqualTo("c0");
    assertThat(writes.countWrites(AuditEntry::userAgent)).containsEntry("audited/1", 3L);
  }

  @ParameterizedTest
  @EnumSource
  void kubectlReadsEveryFormOfKey(KeyForm form, @TempDir Path folder) throws Exception {
    Path kubectl =
        cluster.kubectl().orElseGet(() -> Assumptions.abort("no kubectl among the programs"));
    Path config = Files.writeString(folder.resolve("config"), cluster.adminKubeconfig(form));
    assertThat(run(kubectl, config, "auth", "whoami", "-o", "jsonpath={.status.userInfo.username}"))
        .contains("admin");
  }

  @Test
  void theServerSaysItsVersionAndItsProcessorTime() {
    assertThat(cluster.adminClient().getKubernetesVersion().getGitVersion()).matches("v1\\..*");
    assertThat(cluster.apiServerCpuTime()).isPositive();
    assertThat(ProcessHandle.of(cluster.apiServerPid())).isPresent();
  }

  @Test
  void aClosedClusterLeavesNothingBehind() {
    TestCluster own = TestCluster.start(TestCluster.Options.defaults().withoutControllers());
    Path folder = own.adminKubeconfigFile().getParent();
    List<ProcessHandle> processes =
        ProcessHandle.current()
            .descendants()
            .filter(p -> p.info().commandLine().orElse("").contains(folder.toString()))
            .toList();
    assertThat(processes).as("etcd, kube-apiserver, a guard for each").hasSize(4);
    own.close();
    own.close();
    assertThat(folder).doesNotExist();
    await().atMost(SOON).until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
  }

  private static String run(Path kubectl, Path config, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(kubectl.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("KUBECONFIG", config.toString());
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(out).isZero();
    return out;
  }

  private static String namespace(String prefix) {
    return cluster
        .adminClient()
        .resource(
            new NamespaceBuilder()
                .withNewMetadata()
                .withGenerateName(prefix + "-")
                .endMetadata()
                .build())
        .create()
        .getMetadata()
        .getName();
  }

  private static void mayWriteConfigMaps(String namespace, String account) {
    KubernetesClient admin = cluster.adminClient();
    admin
        .serviceAccounts()
        .inNamespace(namespace)
        .resource(
            new ServiceAccountBuilder().withNewMetadata().withName(account).endMetadata().build())
        .create();
    admin
        .rbac()
        .roles()
        .inNamespace(namespace)
        .resource(
            new RoleBuilder()
                .withNewMetadata()
                .withName(account)
                .endMetadata()
                .addNewRule()
                .withApiGroups("")
                .withResources("configmaps")
                .withVerbs("create", "get")
                .endRule()
                .build())
        .create();
    admin
        .rbac()
        .roleBindings()
        .inNamespace(namespace)
        .resource(
            new RoleBindingBuilder()
                .withNewMetadata()
                .withName(account)
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "Role", account)
                .addNewSubject("", "ServiceAccount", account, namespace)
                .build())
        .create();
    await().atMost(SOON).until(() -> knowsTheRight(namespace, account));
  }

  /** The API server decides by its own cache of roles, which follows a moment later. */
  private static boolean knowsTheRight(String namespace, String account) {
    var review =
        new SubjectAccessReviewBuilder()
            .withNewSpec()
            .withUser("system:serviceaccount:" + namespace + ":" + account)
            .withNewResourceAttributes()
            .withNamespace(namespace)
            .withVerb("create")
            .withResource("configmaps")
            .endResourceAttributes()
            .endSpec()
            .build();
    return cluster
        .adminClient()
        .authorization()
        .v1()
        .subjectAccessReview()
        .create(review)
        .getStatus()
        .getAllowed();
  }

  private static ConfigMap configMap(String name) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withData(Map.of("key", "value"))
        .build();
  }
}
