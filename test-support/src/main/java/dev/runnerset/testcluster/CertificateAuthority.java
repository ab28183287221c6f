package dev.runnerset.testcluster;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The certificate authority of one cluster: its own root, serving and client certificates (RFC
 * 5280), valid for a week. Not safe for concurrent use.
 */
final class CertificateAuthority {
  private static final Duration BACKDATED = Duration.ofHours(1);
  private static final Duration VALID = Duration.ofDays(7);
  private static final byte[] SHA256_WITH_RSA =
      Der.sequence(Der.oid("1.2.840.113549.1.1.11"), new byte[] {5, 0});
  private static final byte[] SERVER_AND_CLIENT_AUTH =
      extension(
          "2.5.29.37",
          false,
          Der.sequence(Der.oid("1.3.6.1.5.5.7.3.1"), Der.oid("1.3.6.1.5.5.7.3.2")));
  private static final byte[] NAME = name("runnerset-test-cluster", List.of());

  private final SecureRandom random = new SecureRandom();
  private final Instant now;
  private final KeyPair keys;
  private final String certificate;

  CertificateAuthority(Clock clock) {
    now = clock.instant();
    keys = newRsaKeys();
    byte[] certSignAndCrlSign = Der.bits(1, new byte[] {0x06});
    byte[] extensions =
        Der.sequence(
            extension("2.5.29.19", true, Der.sequence(Der.bool(true))),
            extension("2.5.29.15", true, certSignAndCrlSign));
    certificate = sign(NAME, keys.getPublic(), extensions);
  }

  String certificate() {
    return certificate;
  }

  Credential asCredential() {
    return new Credential(certificate, Pem.of(keys.getPrivate(), KeyForm.PKCS8_RSA));
  }

  /** A client certificate: the common name is the user, the organisations are its groups. */
  Credential client(String user, List<String> groups, KeyForm form) {
    KeyPair pair = form.isRsa() ? newRsaKeys() : newEcKeys();
    String signed =
        sign(name(user, groups), pair.getPublic(), Der.sequence(SERVER_AND_CLIENT_AUTH));
    return new Credential(signed, Pem.of(pair.getPrivate(), form));
  }

  /** A certificate for a server on 127.0.0.1 that is also called by these names. */
  Credential loopbackServer(List<String> dnsNames) {
    KeyPair pair = newRsaKeys();
    byte[][] names =
        Stream.concat(
                dnsNames.stream()
                    .map(dns -> Der.tagged(0x82, dns.getBytes(StandardCharsets.US_ASCII))),
                Stream.of(Der.tagged(0x87, new byte[] {127, 0, 0, 1})))
            .toArray(byte[][]::new);
    byte[] extensions =
        Der.sequence(SERVER_AND_CLIENT_AUTH, extension("2.5.29.17", false, Der.sequence(names)));
    return new Credential(
        sign(name("kube-apiserver", List.of()), pair.getPublic(), extensions),
        Pem.of(pair.getPrivate(), KeyForm.PKCS8_RSA));
  }

  static KeyPair newRsaKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no RSA", e);
    }
  }

  private static KeyPair newEcKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no P-256", e);
    }
  }

  private String sign(byte[] subject, PublicKey key, byte[] extensions) {
    byte[] version3 = Der.tagged(0xa0, Der.integer(BigInteger.TWO));
    byte[] validity = Der.sequence(Der.utcTime(now.minus(BACKDATED)), Der.utcTime(now.plus(VALID)));
    byte[] toBeSigned =
        Der.sequence(
            version3,
            Der.integer(new BigInteger(120, random).add(BigInteger.ONE)),
            SHA256_WITH_RSA,
            NAME,
            validity,
            subject,
            key.getEncoded(),
            Der.tagged(0xa3, extensions));
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(keys.getPrivate());
      signature.update(toBeSigned);
      return Pem.of(
          "CERTIFICATE", Der.sequence(toBeSigned, SHA256_WITH_RSA, Der.bits(0, signature.sign())));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot sign a certificate", e);
    }
  }

  private static byte[] name(String commonName, List<String> organisations) {
    byte[][] parts = new byte[organisations.size() + 1][];
    Arrays.setAll(
        parts,
        i ->
            i < organisations.size()
                ? attribute("2.5.4.10", organisations.get(i))
                : attribute("2.5.4.3", commonName));
    return Der.sequence(parts);
  }

  private static byte[] attribute(String oid, String value) {
    return Der.set(Der.sequence(Der.oid(oid), Der.utf8(value)));
  }

  private static byte[] extension(String oid, boolean critical, byte[] value) {
    return critical
        ? Der.sequence(Der.oid(oid), Der.bool(true), Der.octets(value))
        : Der.sequence(Der.oid(oid), Der.octets(value));
  }
}
