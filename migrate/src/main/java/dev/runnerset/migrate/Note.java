package dev.runnerset.migrate;

/**
 * What differs in one field.
 *
 * @param field its path in the input, or in the output where only that has it
 * @param text what became of it, and what to do
 */
public record Note(String field, String text) {
  @Override
  public String toString() {
    return field + ": " + text;
  }
}
