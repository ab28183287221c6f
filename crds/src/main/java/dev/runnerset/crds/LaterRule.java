package dev.runnerset.crds;

/** Rules in CEL that came after the kinds: what was stored before stays valid. */
final class LaterRule {
  /** Begins each of them; they need {@code optionalOldSelf}. */
  static final String UNLESS_KEPT = "oldSelf.hasValue() && oldSelf.value() == self || ";

  /** No port, or one of 1 to 65535. */
  static final String PORT =
      "!self.matches(r'^https?://[^/?#]*:0*(0|[1-9][0-9]{5,}|[7-9][0-9]{4}|6[6-9][0-9]{3}"
          + "|65[6-9][0-9]{2}|655[4-9][0-9]|6553[6-9])([/?#]|$)')";

  static final String PORT_EXPECTED = "write a port of 1 to 65535";

  private LaterRule() {}
}
