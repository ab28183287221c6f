package dev.runnerset.actions;

/** How the product proves who it is. Secret: never printed. */
public sealed interface Credentials {
  /** A personal access token. */
  record Token(String value) implements Credentials {
    @Override
    public String toString() {
      return "Token[hidden]";
    }
  }

  /**
   * A GitHub App.
   *
   * @param clientId the app's client id, or its numeric id
   * @param privateKeyPem RSA, PKCS#1 or PKCS#8
   */
  record App(String clientId, long installationId, String privateKeyPem) implements Credentials {
    @Override
    public String toString() {
      return "App[" + clientId + ", hidden]";
    }
  }
}
