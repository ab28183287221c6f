package dev.runnerset.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PackageLockTest {
  private static final String LINE =
      "abc amd64 zlib1g 1:1.3-1 pool/main/z/zlib/zlib1g_1.3-1_amd64.deb";

  @Test
  void aLineNamesAPackageAndItsFile() {
    var lock = PackageLock.parse(List.of("# Written by", LINE));
    assertThat(lock.pinned()).isTrue();
    assertThat(lock.of(Architecture.AMD64))
        .containsExactly(
            new PackageLock.Package("amd64", "zlib1g", "1:1.3-1", "zlib1g_1.3-1_amd64.deb"));
    assertThat(lock.of(Architecture.ARM64)).isEmpty();
  }

  @Test
  void newestVersionsAreNotCalledPinned() {
    assertThat(PackageLock.parse(List.of("# not pinned: no mirror had x", LINE)).pinned())
        .isFalse();
  }

  @Test
  void aLineOfAnotherFormIsRefused() {
    assertThatThrownBy(() -> PackageLock.parse(List.of("abc amd64 zlib1g")))
        .hasMessageContaining("abc amd64 zlib1g");
  }

  @Test
  void theRepositoryHasTheSamePackagesForBothArchitectures() throws IOException {
    var lock = PackageLock.read(Path.of("packages.lock"));
    var names = lock.of(Architecture.AMD64).stream().map(PackageLock.Package::name).toList();
    assertThat(names).contains("libc6", "openjdk-25-jdk-headless");
    assertThat(lock.of(Architecture.ARM64))
        .extracting(PackageLock.Package::name)
        .containsExactlyElementsOf(names);
    var files = lock.packages().stream().map(PackageLock.Package::file);
    assertThat(files).doesNotHaveDuplicates();
  }
}
