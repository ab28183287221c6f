package dev.runnerset.testcluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import okhttp3.tls.Certificates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * That a server and kubectl take its keys and certificates is for {@link TestClusterContractIT}.
 */
class CertificateAuthorityTest {
  private final CertificateAuthority authority = new CertificateAuthority();

  @Test
  void aServerCertificateNamesTheLoopbackAddressAndIsSignedByTheRoot() throws Exception {
    var server =
        Certificates.decodeCertificatePem(
            authority.loopbackServer(List.of("localhost")).certificate());
    server.verify(Certificates.decodeCertificatePem(authority.certificate()).getPublicKey());
    assertThat(server.getSubjectAlternativeNames())
        .containsExactlyInAnyOrder(List.of(2, "localhost"), List.of(7, "127.0.0.1"));
  }

  @ParameterizedTest
  @CsvSource({
    "PKCS8_RSA, BEGIN PRIVATE KEY",
    "PKCS1_RSA, BEGIN RSA PRIVATE KEY",
    "PKCS8_EC, BEGIN PRIVATE KEY",
    "SEC1_EC, BEGIN EC PRIVATE KEY"
  })
  void eachKeyFormHasItsLabel(KeyForm form, String label) {
    var credential = authority.client("me", form);
    assertThat(credential.key()).startsWith("-----" + label + "-----\n");
    assertThat(credential.toString()).doesNotContain("BEGIN");
    assertThat(
            Certificates.decodeCertificatePem(credential.certificate())
                .getSubjectX500Principal()
                .getName())
        .isEqualTo("CN=me");
  }
}
