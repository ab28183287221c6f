package dev.runnerset.testcluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramFinderTest {
  @TempDir Path folder;

  @Test
  void takesAFlatFolder() throws IOException {
    programs(folder, "etcd", "kube-apiserver", "kube-controller-manager");
    assertThat(find(true)).isEqualTo(ready(folder));
  }

  @Test
  void takesTheNewestVersionByNumberNotByText() throws IOException {
    programs(folder.resolve("k8s/1.9.9-linux-amd64"), "etcd", "kube-apiserver");
    Path newest = folder.resolve("k8s/1.36.3-linux-amd64");
    programs(newest, "etcd", "kube-apiserver");
    assertThat(find(false)).isEqualTo(ready(newest));
  }

  @Test
  void skipsAVersionThatLacksTheControllersOnlyIfTheyAreWanted() throws IOException {
    Path old = folder.resolve("k8s/1.34.4-linux-amd64");
    programs(old, "etcd", "kube-apiserver", "kube-controller-manager");
    Path newest = folder.resolve("k8s/1.36.3-linux-amd64");
    programs(newest, "etcd", "kube-apiserver");
    assertThat(find(true)).isEqualTo(ready(old));
    assertThat(find(false)).isEqualTo(ready(newest));
  }

  @Test
  void aNamedFolderWithoutProgramsIsNoReasonToBuild() throws IOException {
    Files.createDirectories(folder.resolve("test-cluster"));
    Files.createFile(folder.resolve("test-cluster/go.mod"));
    assertThat(find(true))
        .isInstanceOfSatisfying(
            ProgramSource.Unavailable.class,
            u -> assertThat(u.reason()).contains("KUBE_API_TEST_DIR", "kube-controller-manager"));
  }

  @Test
  void findsTheBuildScriptInAParentFolder() throws IOException {
    Path below = Files.createDirectories(folder.resolve("a/b"));
    Files.createDirectories(folder.resolve("test-cluster"));
    assertThat(new ProgramFinder(Map.of(), below).find(true))
        .as("no go.mod yet")
        .isInstanceOf(ProgramSource.Unavailable.class);
    Files.createFile(folder.resolve("test-cluster/go.mod"));
    assertThat(new ProgramFinder(Map.of(), below).find(true))
        .isEqualTo(new ProgramSource.Buildable(folder.resolve("test-cluster/build")));
  }

  @Test
  void canBeSwitchedOff() throws IOException {
    programs(folder, "etcd", "kube-apiserver", "kube-controller-manager");
    Map<String, String> environment =
        Map.of("KUBE_API_TEST_DIR", folder.toString(), "RUNNERSET_TEST_CLUSTER", "off");
    assertThat(new ProgramFinder(environment, folder).find(true))
        .isInstanceOf(ProgramSource.Unavailable.class);
  }

  @Test
  void findsHelmBesideTheOtherPrograms() throws IOException {
    programs(folder, "etcd", "kube-apiserver");
    Map<String, String> environment = Map.of("KUBE_API_TEST_DIR", folder.toString());
    assertThat(new ProgramFinder(environment, folder).findHelm())
        .isInstanceOfSatisfying(
            ProgramSource.Unavailable.class, u -> assertThat(u.reason()).contains("helm"));
    programs(folder, "helm");
    assertThat(new ProgramFinder(environment, folder).findHelm()).isEqualTo(ready(folder));
  }

  @Test
  void findsAProgramInTheFirstFolderOfThePathThatHasIt() throws IOException {
    Path empty = Files.createDirectories(folder.resolve("empty"));
    Path full = folder.resolve("full");
    programs(full, "helm");
    ProgramFinder finder = new ProgramFinder(Map.of("PATH", empty + ":" + full), folder);
    assertThat(finder.onPath("helm")).contains(full.resolve("helm"));
    assertThat(finder.onPath("go")).isEmpty();
  }

  private ProgramSource find(boolean controllers) {
    return new ProgramFinder(Map.of("KUBE_API_TEST_DIR", folder.toString()), folder)
        .find(controllers);
  }

  private static ProgramSource ready(Path folder) {
    return new ProgramSource.Ready(new Programs(folder));
  }

  private static void programs(Path folder, String... names) throws IOException {
    Files.createDirectories(folder);
    for (String name : names) {
      assertThat(Files.createFile(folder.resolve(name)).toFile().setExecutable(true)).isTrue();
    }
  }
}
