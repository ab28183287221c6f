package dev.runnerset.demo.figures;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a scenario found beside the common figures: numbers by name, which are fields of the JSON's
 * {@code extra}, and what they prove. For one thread.
 */
public final class Found {
  private final Map<String, Long> valueByName = new LinkedHashMap<>();
  private final List<Check> checks = new ArrayList<>();

  /** Notes a number that proves nothing; null, as it could not be counted, is left out. */
  public Found note(String name, @Nullable Long value) {
    if (value != null) {
      valueByName.put(name, value);
    }
    return this;
  }

  public Found equal(String name, String check, long expected, long actual) {
    checks.add(Check.equal(check, expected, actual));
    return note(name, actual);
  }

  /** A yes is the number 1, a no 0. */
  public Found isTrue(String name, String check, boolean actual) {
    return equal(name, check, 1, actual ? 1 : 0);
  }

  public Found atMost(String name, String check, double expected, long actual) {
    checks.add(Check.atMost(check, expected, actual));
    return note(name, actual);
  }

  public Found atLeast(String name, String check, double expected, long actual) {
    checks.add(Check.atLeast(check, expected, actual));
    return note(name, actual);
  }

  public List<Check> checks() {
    return List.copyOf(checks);
  }

  /** All numbers, in their order. */
  public Map<String, Long> values() {
    return new LinkedHashMap<>(valueByName);
  }
}
