package dev.runnerset.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ShortTextTest {
  @Test
  void aTextOfTheLongestLengthStaysAsItIs() {
    assertThat(ShortText.of("abcd", 4)).isEqualTo("abcd");
  }

  @Test
  void aLongerTextEndsInAnEllipsisAndKeepsTheLength() {
    assertThat(ShortText.of("abcde", 4)).isEqualTo("abc…");
  }

  @Test
  void noHalfOfASurrogatePairStays() {
    assertThat(ShortText.of("ab\uD83D\uDE00cd", 4)).isEqualTo("ab…");
    assertThat(ShortText.of("a\uD83D\uDE00cde", 4)).isEqualTo("a\uD83D\uDE00…");
  }
}
