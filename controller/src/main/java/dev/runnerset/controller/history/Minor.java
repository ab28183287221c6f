package dev.runnerset.controller.history;

import java.math.BigInteger;
import java.util.regex.Pattern;

/**
 * What two versions must share to be of the same minor: major and minor as numbers, or, where the
 * version is unknown, the very same image (HS7).
 */
sealed interface Minor {
  /** Of a known version. */
  record Known(BigInteger major, BigInteger minor) implements Minor {}

  /** Of an unknown one; never the same as a known one. */
  record OfImage(String image) implements Minor {}

  /** {@code v2.335.1-foo} is 2.335: a leading v and what follows - or + do not count. */
  Pattern FORM = Pattern.compile("v?(\\d{1,18})\\.(\\d{1,18})(\\.\\d{1,18})?([-+].*)?");

  static Minor of(String version, String image) {
    var match = FORM.matcher(version);
    return match.matches()
        ? new Known(new BigInteger(match.group(1)), new BigInteger(match.group(2)))
        : new OfImage(image);
  }
}
