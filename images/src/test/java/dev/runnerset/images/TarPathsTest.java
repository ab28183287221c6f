package dev.runnerset.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TarPathsTest {
  private static final Path FOLDER = Path.of("/a/b");

  @ParameterizedTest
  @ValueSource(strings = {"c/d", "./c/d", "/c/d", "c/../c/d"})
  void aNameIsBelowTheFolder(String name) throws IOException {
    assertThat(TarPaths.below(FOLDER, name)).isEqualTo(Path.of("/a/b/c/d"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"../c", "c/../../d", "/../c"})
  void aNameThatLeadsOutIsRefused(String name) {
    assertThatThrownBy(() -> TarPaths.below(FOLDER, name)).isInstanceOf(IOException.class);
  }

  @Test
  void theFolderItselfIsAllowed() throws IOException {
    assertThat(TarPaths.below(FOLDER, "./")).isEqualTo(FOLDER);
  }
}
