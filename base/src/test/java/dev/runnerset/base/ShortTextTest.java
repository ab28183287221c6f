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

  /** Nothing that a terminal or a reader of lines obeys. */
  @Test
  void whatIsObeyedBecomesASpace() {
    var odd =
        "a\nb\r\tc\u001B[31md\u0007e\u0085f\u009Bg\u2028h\u2029i\u202Ej\u2066k\u061Cl\uFEFFm\uD83Dn";
    assertThat(ShortText.of(odd, 100)).isEqualTo("a b  c [31md e f g h i j k l m n");
    assertThat(ShortText.of("ünï \uD83D\uDE00 \u200Dok", 100))
        .isEqualTo("ünï \uD83D\uDE00 \u200Dok");
  }

  @Test
  void aLogKeepsItsLinesAndTabs() {
    var log = "one\r\n\ttwo \u001B[1;31mred\u001B[0m \u001B]0;title\u0007three\u001B\u202E\nend";
    assertThat(ShortText.lines(log)).isEqualTo("one\n\ttwo red three\nend");
  }
}
