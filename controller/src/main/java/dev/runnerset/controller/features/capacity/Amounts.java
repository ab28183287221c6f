package dev.runnerset.controller.features.capacity;

import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Amounts by the name of their resource, in the base units of Kubernetes: cores, bytes, pieces. A
 * resource without an amount is not the same as an amount of 0: an admission asks for the former.
 */
public record Amounts(Map<String, BigDecimal> byName) {
  /** Nothing at all. */
  public static final Amounts NONE = new Amounts(Map.of());

  /** The API server rounds the quantities of containers and quotas up to thousandths. */
  private static final int DIGITS = 3;

  private static final List<String> BINARY_UNITS = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
  private static final BigDecimal KIBI = BigDecimal.valueOf(1024);
  private static final BigDecimal MILLI = BigDecimal.valueOf(1000);

  /** Takes a copy. */
  public Amounts {
    byName = Map.copyOf(byName);
  }

  /** One piece of each. */
  static Amounts one(String... names) {
    var one = new HashMap<String, BigDecimal>();
    for (var name : names) {
      one.put(name, BigDecimal.ONE);
    }
    return new Amounts(one);
  }

  /**
   * Reads quantities as the API server does.
   *
   * @param quantities null for none
   * @param unreadable gets the names without a valid quantity; they are left out
   */
  static Amounts read(
      @Nullable Map<String, Quantity> quantities, Consumer<? super String> unreadable) {
    var read = new HashMap<String, BigDecimal>();
    if (quantities != null) {
      quantities.forEach((name, quantity) -> {
        try {
          read.put(name, rounded(quantity.getNumericalAmount()));
        } catch (IllegalArgumentException | ArithmeticException | NullPointerException e) {
          unreadable.accept(name); // fabric8 parses when it is asked for the number
        }
      });
    }
    return new Amounts(read);
  }

  private static BigDecimal rounded(BigDecimal amount) {
    return amount.scale() > DIGITS ? amount.setScale(DIGITS, RoundingMode.CEILING) : amount;
  }

  /** The amount, 0 if there is none. */
  public BigDecimal of(String name) {
    return byName.getOrDefault(name, BigDecimal.ZERO);
  }

  /** Whether there is an amount, though it be 0. */
  public boolean has(String name) {
    return byName.containsKey(name);
  }

  Amounts plus(Amounts other) {
    return merged(other, BigDecimal::add);
  }

  Amounts max(Amounts other) {
    return merged(other, BigDecimal::max);
  }

  /** The amounts of the other in place of ours where it has any. */
  Amounts overriddenBy(Amounts other) {
    return merged(other, (_, theirs) -> theirs);
  }

  Amounts times(int factor) {
    return each(amount -> amount.multiply(BigDecimal.valueOf(factor)));
  }

  Amounts roundedUpToPieces() {
    return each(amount -> amount.setScale(0, RoundingMode.CEILING));
  }

  private Amounts merged(Amounts other, BinaryOperator<BigDecimal> merge) {
    var merged = new HashMap<>(byName);
    other.byName.forEach((name, amount) -> merged.merge(name, amount, merge));
    return new Amounts(merged);
  }

  private Amounts each(UnaryOperator<BigDecimal> change) {
    var changed = new HashMap<String, BigDecimal>();
    byName.forEach((name, amount) -> changed.put(name, change.apply(amount)));
    return new Amounts(changed);
  }

  /** An amount as a person writes it: {@code 500m} of cpu, {@code 3Gi} of memory, else a number. */
  static String text(String resource, BigDecimal amount) {
    var plain = amount.stripTrailingZeros();
    if (resource.contains("memory") || resource.contains("storage") || resource.contains("pages")) {
      return bytes(plain);
    }
    return plain.scale() <= 0
        ? plain.toPlainString()
        : plain.multiply(MILLI).stripTrailingZeros().toPlainString() + "m";
  }

  private static String bytes(BigDecimal amount) {
    var units = new ArrayList<>(BINARY_UNITS);
    var rest = amount;
    while (units.size() > 1 && rest.signum() > 0 && isWhole(rest.divide(KIBI))) {
      rest = rest.divide(KIBI);
      units.removeFirst();
    }
    return rest.stripTrailingZeros().toPlainString() + units.getFirst();
  }

  private static boolean isWhole(BigDecimal amount) {
    return amount.stripTrailingZeros().scale() <= 0;
  }
}
