package dev.runnerset.cli.ui;

import java.util.List;
import java.util.Map;

/**
 * What a page can do beside showing: pause and drain sets, or, in the demo, break something.
 * Implementations are thread-safe.
 */
public interface Stage {
  /** A page that only shows. */
  Stage NONE =
      new Stage() {
        @Override
        public List<Button> buttons() {
          return List.of();
        }

        @Override
        public Map<String, Long> counters() {
          return Map.of();
        }

        @Override
        public String press(String id, String namespace, String name) {
          throw new IllegalArgumentException("This page has no buttons.");
        }
      };

  /** Where a button is. */
  enum Place {
    /** Once on the page. */
    FLEET,
    /** On each set. */
    SET,
    /** On each node of runners. */
    NODE,
    /** On each runner. */
    RUNNER
  }

  /**
   * A button.
   *
   * @param id a word for the request
   * @param label what is written on it
   * @param question what a person is asked before; empty for nothing
   */
  record Button(String id, String label, Place place, String question) {}

  /** The buttons; always the same ones. */
  List<Button> buttons();

  /** Numbers for the head of the page, by their label; read twice a second at most. */
  Map<String, Long> counters();

  /**
   * Does what a button is for.
   *
   * @param namespace of the set or the runner; empty for the others
   * @param name of the set, the runner or the node; empty for a button of the page
   * @return what was done, in a sentence
   * @throws IllegalArgumentException with one sentence, if there is no such button or thing
   */
  String press(String id, String namespace, String name);
}
