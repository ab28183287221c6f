package dev.runnerset.testcluster;

import java.nio.charset.StandardCharsets;
import java.security.interfaces.ECPrivateKey;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import okhttp3.tls.HeldCertificate;

/**
 * The certificate authority of one cluster: its own root, serving and client certificates, valid
 * for a week. The library gives a subject no organisation, so a user is in no group.
 */
final class CertificateAuthority {
  private static final int DAYS = 7;

  /** A P-256 key in SEC1 form (RFC 5915): version, 32 bytes, and the curve. */
  private static final String SEC1 = "30310201010420%064xa00a06082a8648ce3d030107";

  private final HeldCertificate root =
      named("runnerset-test-cluster").certificateAuthority(0).build();

  String certificate() {
    return root.certificatePem();
  }

  Credential asCredential() {
    return new Credential(root.certificatePem(), root.privateKeyPkcs8Pem());
  }

  /** A client certificate: its common name is the user. */
  Credential client(String user, KeyForm form) {
    var named = named(user).signedBy(root);
    var client = (form.isRsa() ? named.rsa2048() : named.ecdsa256()).build();
    var key =
        switch (form) {
          case PKCS8_RSA, PKCS8_EC -> client.privateKeyPkcs8Pem();
          case PKCS1_RSA -> client.privateKeyPkcs1Pem();
          case SEC1_EC -> sec1((ECPrivateKey) client.keyPair().getPrivate());
        };
    return new Credential(client.certificatePem(), key);
  }

  /** A certificate for a server on 127.0.0.1 that is also called by these names. */
  Credential loopbackServer(List<String> dnsNames) {
    var named = named("kube-apiserver").signedBy(root).addSubjectAlternativeName("127.0.0.1");
    dnsNames.forEach(named::addSubjectAlternativeName);
    var server = named.build();
    return new Credential(server.certificatePem(), server.privateKeyPkcs8Pem());
  }

  private static HeldCertificate.Builder named(String commonName) {
    return new HeldCertificate.Builder()
        .rsa2048()
        .commonName(commonName)
        .duration(DAYS, TimeUnit.DAYS);
  }

  private static String sec1(ECPrivateKey key) {
    var lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));
    var der = HexFormat.of().parseHex(SEC1.formatted(key.getS()));
    return "-----BEGIN EC PRIVATE KEY-----\n%s\n-----END EC PRIVATE KEY-----\n"
        .formatted(lines.encodeToString(der));
  }
}
