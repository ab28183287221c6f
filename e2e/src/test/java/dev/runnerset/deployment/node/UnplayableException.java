package dev.runnerset.deployment.node;

import java.io.Serial;

/** The pod asks for something that this node cannot do, or that is not there; says what. */
final class UnplayableException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  UnplayableException(String message) {
    super(message);
  }
}
