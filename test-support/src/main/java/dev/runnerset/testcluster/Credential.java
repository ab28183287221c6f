package dev.runnerset.testcluster;

/** A certificate and its private key, both PEM. */
record Credential(String certificate, String key) {
  /** Says nothing of the key: this may end up in a failure message. */
  @Override
  public String toString() {
    return "Credential[certificate and key]";
  }
}
