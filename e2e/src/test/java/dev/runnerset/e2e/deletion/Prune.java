package dev.runnerset.e2e.deletion;

import static dev.runnerset.e2e.deletion.Prune.Part.NAMESPACE;
import static dev.runnerset.e2e.deletion.Prune.Part.RIGHTS;
import static dev.runnerset.e2e.deletion.Prune.Part.SECRET;
import static dev.runnerset.e2e.deletion.Prune.Part.SET;

import java.util.List;

/**
 * An order in which a tool of GitOps deletes a set and what it needs, while all its runners have
 * jobs.
 *
 * @param parts what it deletes
 * @param pace whether it lets the controller act in between
 */
record Prune(String id, List<Part> parts, Pace pace) {
  /** What somebody made for a set. */
  enum Part {
    SET,
    /** The secret of the credentials. */
    SECRET,
    /** The role binding of the controller, and the service account of the runners. */
    RIGHTS,
    /** With everything in it. */
    NAMESPACE
  }

  /** How the deletions follow each other. */
  enum Pace {
    /** The next one comes when the controller has seen the one before. */
    APART,
    /** The next one comes at once. */
    IN_A_ROW,
    /** All requests are sent in the same moment. */
    TOGETHER
  }

  /** Every order that a server without garbage collection of namespaces can do. */
  static List<Prune> all() {
    return List.of(
        new Prune("set-secret-rights", List.of(SET, SECRET, RIGHTS), Pace.APART),
        new Prune("set-rights-secret", List.of(SET, RIGHTS, SECRET), Pace.APART),
        new Prune("secret-set-rights", List.of(SECRET, SET, RIGHTS), Pace.APART),
        new Prune("secret-rights-set", List.of(SECRET, RIGHTS, SET), Pace.APART),
        new Prune("rights-set-secret", List.of(RIGHTS, SET, SECRET), Pace.APART),
        new Prune("rights-secret-set", List.of(RIGHTS, SECRET, SET), Pace.APART),
        new Prune("rights-secret-set-fast", List.of(RIGHTS, SECRET, SET), Pace.IN_A_ROW),
        new Prune("together", List.of(SET, SECRET, RIGHTS), Pace.TOGETHER));
  }

  /** One that lets the server check each right, and the deletion of a whole namespace. */
  static List<Prune> onRealServer() {
    return List.of(
        new Prune("rights-secret-set", List.of(RIGHTS, SECRET, SET), Pace.APART),
        new Prune("together", List.of(SET, SECRET, RIGHTS), Pace.TOGETHER),
        new Prune("whole-namespace", List.of(NAMESPACE), Pace.TOGETHER));
  }
}
