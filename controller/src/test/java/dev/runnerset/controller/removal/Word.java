package dev.runnerset.controller.removal;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A word of a situation: a name, and what is given with it: {@code held}, {@code suspect9}, {@code
 * wanted=3}, {@code exited137@-1}, {@code exited=137/OOMKilled@-1}. Times are seconds from {@link
 * Situation#NOW}.
 */
public record Word(String name, String given) {
  private static final Pattern FORM = Pattern.compile("([A-Za-z_]+)(?:=(.*)|([-@\\d].*)?)");

  public static Word of(String text) {
    var form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(text);
    }
    var given = form.group(2) == null ? form.group(3) : form.group(2);
    return new Word(form.group(1), given == null ? "" : given);
  }

  /** The words of a text, without what is empty. */
  public static List<String> split(String text, String separator) {
    return Arrays.stream(text.split(separator)).filter(word -> !word.isBlank()).toList();
  }

  /** A part of what is given, counted from 0; null if it is a dash or not there. */
  public @Nullable String part(int index) {
    var parts = given.replaceFirst("@.*", "").split("/");
    return index >= parts.length || parts[index].isEmpty() || parts[index].equals("-")
        ? null
        : parts[index];
  }

  /** The part, or the empty text. */
  public String text(int index) {
    var part = part(index);
    return part == null ? "" : part;
  }

  public @Nullable Integer integer(int index) {
    var part = part(index);
    return part == null ? null : Integer.valueOf(part);
  }

  public int number() {
    return Integer.parseInt(text(0));
  }

  public boolean isTrue(int index) {
    return text(index).equals("true");
  }

  public <E extends Enum<E>> @Nullable E constant(Class<E> type) {
    var part = part(0);
    return part == null ? null : Enum.valueOf(type, part);
  }

  /** The instant that is given alone. */
  public Instant time() {
    return time(0);
  }

  /** The instant that is a part of what is given. */
  public Instant time(int index) {
    return after(text(index));
  }

  /** The instant that stands behind the sign {@code @}. */
  public Instant at() {
    return after(given.replaceFirst("^[^@]*@", ""));
  }

  /** So many seconds after {@link Situation#NOW}; that instant if none are given. */
  static Instant after(String seconds) {
    return seconds.isEmpty()
        ? Situation.NOW
        : Situation.NOW.plusMillis(new BigDecimal(seconds).movePointRight(3).intValueExact());
  }
}
