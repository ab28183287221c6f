package dev.runnerset.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NeededRightsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          https://github.com/enterprises/big      | manage_runners:enterprise
          https://github.com/my-org               | admin:org
          https://github.com/my-org/my-repo       | scope repo
          https://ghes.example.com/my-org/my-repo | Administration: read and write
          https://big.ghe.com/my-org              | Self-hosted runners: read and write
          no-url                                  | docs/start/credentials.md
          """)
  void eachKindOfUrlNeedsItsOwn(String url, String words) {
    assertThat(NeededRights.at(url)).contains(words).endsWith("docs/start/credentials.md");
  }
}
