package dev.runnerset.testcluster;

/** The forms in which a kubeconfig may hold a client key; clusters in the field use all four. */
public enum KeyForm {
  /** {@code BEGIN PRIVATE KEY}, RSA 2048: every client reads this form. */
  PKCS8_RSA,
  /** {@code BEGIN RSA PRIVATE KEY}: kubeadm, minikube. */
  PKCS1_RSA,
  /** {@code BEGIN PRIVATE KEY}, EC P-256. fabric8 7.5.2 takes it for RSA and fails. */
  PKCS8_EC,
  /** {@code BEGIN EC PRIVATE KEY}, P-256: k3s. */
  SEC1_EC;

  boolean isRsa() {
    return this == PKCS8_RSA || this == PKCS1_RSA;
  }
}
