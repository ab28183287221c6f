package dev.runnerset.simulator.kube.kind;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A quantity of a resource with the family of its unit, which decides how it is written.
 *
 * @param value in base units, rounded up to thousandths as the real server does on the way in
 */
public record Amount(BigDecimal value, Family family) implements Comparable<Amount> {
  public static final Amount ZERO = new Amount(BigDecimal.ZERO, Family.DECIMAL);
  public static final Amount ONE = new Amount(BigDecimal.ONE, Family.DECIMAL);

  /** Powers of 1024, powers of 1000, or {@code 1e3}. */
  public enum Family {
    BINARY,
    DECIMAL,
    EXPONENT
  }

  private static final Pattern QUANTITY =
      Pattern.compile(
          "([+-]?(?:\\d+\\.?\\d*|\\.\\d+))(?:([KMGTPE]i)|([numkMGTPE]?)|[eE]([+-]?\\d+))");
  private static final List<String> BINARY = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
  private static final List<String> DECIMAL =
      List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");
  private static final int DECIMAL_ONE = DECIMAL.indexOf("");
  private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

  /**
   * @throws IllegalArgumentException if it is no quantity
   */
  public static Amount parse(String text) {
    Matcher match = QUANTITY.matcher(text);
    if (!match.matches()) {
      throw new IllegalArgumentException("quantities must match the regular expression: " + text);
    }
    BigDecimal number = new BigDecimal(match.group(1));
    if (match.group(2) != null) {
      return rounded(number.multiply(KIBI.pow(BINARY.indexOf(match.group(2)))), Family.BINARY);
    }
    if (match.group(4) != null) {
      return rounded(number.scaleByPowerOfTen(Integer.parseInt(match.group(4))), Family.EXPONENT);
    }
    int thousands = DECIMAL.indexOf(match.group(3)) - DECIMAL_ONE;
    return rounded(number.scaleByPowerOfTen(3 * thousands), Family.DECIMAL);
  }

  private static Amount rounded(BigDecimal value, Family family) {
    return new Amount(value.scale() > 3 ? value.setScale(3, RoundingMode.CEILING) : value, family);
  }

  /** The sum, in the family of this one unless this one is 0. */
  public Amount plus(Amount other) {
    return new Amount(value.add(other.value), value.signum() == 0 ? other.family : family);
  }

  public Amount roundedUp() {
    return new Amount(value.setScale(0, RoundingMode.CEILING), family);
  }

  public boolean isPositive() {
    return value.signum() > 0;
  }

  @Override
  public int compareTo(Amount other) {
    return value.compareTo(other.value);
  }

  /** As the real server writes it: the largest unit that needs no fraction. */
  @Override
  public String toString() {
    if (family == Family.BINARY && value.abs().compareTo(KIBI) >= 0) {
      return binary(value.setScale(0, RoundingMode.CEILING));
    }
    BigDecimal plain = value.stripTrailingZeros();
    int exponent = Math.floorDiv(-plain.scale(), 3) * 3;
    String number =
        plain.signum() == 0 ? "0" : plain.scaleByPowerOfTen(-exponent).toBigInteger().toString();
    if (plain.signum() == 0 || exponent == 0) {
      return number;
    }
    return number
        + (family == Family.EXPONENT ? "e" + exponent : DECIMAL.get(exponent / 3 + DECIMAL_ONE));
  }

  private static String binary(BigDecimal whole) {
    BigDecimal rest = whole;
    int unit = 0;
    while (unit < BINARY.size() - 1 && rest.remainder(KIBI).signum() == 0) {
      rest = rest.divide(KIBI);
      unit++;
    }
    return rest.toBigInteger() + BINARY.get(unit);
  }
}
