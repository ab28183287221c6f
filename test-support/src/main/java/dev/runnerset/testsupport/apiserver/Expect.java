package dev.runnerset.testsupport.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Objects;

/** What the cases assert. */
final class Expect {
  private Expect() {}

  static void equal(String what, Object expected, Object actual) {
    if (!Objects.equals(expected, actual)) {
      throw new AssertionError(what + " should be " + expected + " but is " + actual);
    }
  }

  static void isTrue(String sentence, boolean so) {
    if (!so) {
      throw new AssertionError("not so: " + sentence);
    }
  }

  static void absent(JsonNode object, String pointer) {
    if (!object.at(pointer).isMissingNode()) {
      throw new AssertionError(pointer + " should be absent but is " + object.at(pointer));
    }
  }

  static void at(JsonNode object, String pointer, String expected) {
    equal(pointer, expected, object.at(pointer).asText());
  }

  static void contains(String what, String part, String text) {
    if (!text.contains(part)) {
      throw new AssertionError(what + " should contain \"" + part + "\" but is \"" + text + '"');
    }
  }

  static String revision(JsonNode object) {
    return object.at("/metadata/resourceVersion").asText();
  }
}
