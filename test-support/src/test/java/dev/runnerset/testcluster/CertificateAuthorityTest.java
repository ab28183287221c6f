package dev.runnerset.testcluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CertificateAuthorityTest {
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

  private final CertificateAuthority authority =
      new CertificateAuthority(Clock.fixed(NOW, ZoneOffset.UTC));

  @Test
  void theRootMaySignAndIsValidForAWeek() throws Exception {
    X509Certificate root = certificate(authority.certificate());
    root.verify(root.getPublicKey());
    assertThat(root.getBasicConstraints()).isNotNegative();
    assertThat(root.getKeyUsage()[5]).as("keyCertSign").isTrue();
    assertThat(root.getNotBefore().toInstant()).isEqualTo("2026-11-20T11:00:00Z");
    assertThat(root.getNotAfter().toInstant()).isEqualTo("2026-11-27T12:00:00Z");
  }

  @Test
  void aClientCertificateNamesUserAndGroups() throws Exception {
    X509Certificate root = certificate(authority.certificate());
    X509Certificate client =
        certificate(authority.client("me", List.of("a", "b"), KeyForm.PKCS8_RSA).certificate());
    client.verify(root.getPublicKey());
    assertThat(client.getIssuerX500Principal()).isEqualTo(root.getSubjectX500Principal());
    assertThat(client.getSubjectX500Principal().getName()).isEqualTo("CN=me,O=b,O=a");
    assertThat(client.getBasicConstraints()).as("no authority").isEqualTo(-1);
  }

  @Test
  void aServerCertificateNamesTheLoopbackAddress() throws Exception {
    X509Certificate server =
        certificate(authority.loopbackServer(List.of("localhost")).certificate());
    assertThat(server.getSubjectAlternativeNames())
        .containsExactlyInAnyOrder(List.of(2, "localhost"), List.of(7, "127.0.0.1"));
  }

  @ParameterizedTest
  @CsvSource({"PKCS8_RSA, RSA, SHA256withRSA", "PKCS8_EC, EC, SHA256withECDSA"})
  void thePrivateKeyBelongsToTheCertificate(KeyForm form, String algorithm, String signing)
      throws Exception {
    Credential credential = authority.client("me", List.of(), form);
    PrivateKey key =
        KeyFactory.getInstance(algorithm)
            .generatePrivate(new PKCS8EncodedKeySpec(der(credential.key())));
    Signature signature = Signature.getInstance(signing);
    signature.initSign(key);
    signature.update(new byte[] {1, 2, 3});
    byte[] signed = signature.sign();
    signature.initVerify(certificate(credential.certificate()).getPublicKey());
    signature.update(new byte[] {1, 2, 3});
    assertThat(signature.verify(signed)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "PKCS8_RSA, BEGIN PRIVATE KEY",
    "PKCS1_RSA, BEGIN RSA PRIVATE KEY",
    "PKCS8_EC, BEGIN PRIVATE KEY",
    "SEC1_EC, BEGIN EC PRIVATE KEY"
  })
  void eachKeyFormHasItsLabel(KeyForm form, String label) {
    Credential credential = authority.client("me", List.of(), form);
    assertThat(credential.key()).startsWith("-----" + label + "-----\n");
    assertThat(credential.toString()).doesNotContain("BEGIN");
  }

  @Test
  void aSec1KeyNamesItsCurve() {
    byte[] key = der(authority.client("me", List.of(), KeyForm.SEC1_EC).key());
    List<byte[]> parts = Der.elements(key);
    assertThat(parts).hasSize(3);
    assertThat(parts.get(0)).containsExactly(2, 1, 1);
    assertThat(Der.content(parts.get(1))).hasSize(32);
    assertThat(Der.content(parts.get(2))).isEqualTo(Der.oid("1.2.840.10045.3.1.7"));
  }

  @Test
  void lengthsOfOneTwoAndThreeBytesAreReadBack() {
    for (int size : new int[] {0, 127, 128, 255, 256, 65536}) {
      byte[] value = Der.octets(new byte[size]);
      assertThat(Der.content(value)).as("%d bytes", size).hasSize(size);
      assertThat(Der.elements(Der.sequence(value, Der.bool(true)))).hasSize(2);
    }
  }

  private static X509Certificate certificate(String pem) throws Exception {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
  }

  private static byte[] der(String pem) {
    return Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
  }
}
