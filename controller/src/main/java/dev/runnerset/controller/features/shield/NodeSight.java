package dev.runnerset.controller.features.shield;

import java.util.function.BooleanSupplier;

/** Whether the API server refuses to tell this process which nodes are cordoned. Thread-safe. */
public final class NodeSight {
  private volatile BooleanSupplier refused = () -> false;

  /** From now on that is asked; must not block. */
  void isRefusedIf(BooleanSupplier value) {
    refused = value;
  }

  /** Whether the right to list and watch nodes is missing; false before the first answer. */
  public boolean isRefused() {
    return refused.getAsBoolean();
  }
}
