package dev.runnerset.actions.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.actions.Credentials;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.Signature;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Keys and the JWTs signed with them (protocol 1.5). */
final class RsaKeysTest {
  static final KeyPair KEY = key("RSA", 2048);

  static Stream<String> pems() {
    return Stream.of(
        pkcs8Pem(KEY),
        pkcs1Pem(),
        "\n" + pkcs1Pem().replace("\n", "\r\n") + "\n",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n" + pkcs8Pem(KEY));
  }

  @ParameterizedTest
  @MethodSource("pems")
  void readsBothForms(String pem) {
    assertThat(RsaKeys.fromPem(pem).getEncoded()).isEqualTo(KEY.getPrivate().getEncoded());
  }

  static Stream<String> notKeys() {
    return Stream.of(
        "",
        "MARKER",
        pkcs8Pem(key("EC", 256)),
        "-----BEGIN PRIVATE KEY-----\nMARKER\n-----END PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----\nTUFSS0VS!!\n-----END RSA PRIVATE KEY-----",
        pkcs8Pem(KEY).replace("PRIVATE", "PUBLIC"));
  }

  @ParameterizedTest
  @MethodSource("notKeys")
  void refusesOthersWithoutRepeatingThem(String pem) {
    assertThatThrownBy(() -> RsaKeys.fromPem(pem))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("BEGIN RSA PRIVATE KEY")
        .hasMessageNotContaining("MARKER")
        .hasNoCause();
  }

  @Test
  void theJwtHoldsFromAMinuteAgoForNineMinutesAndIsSigned() throws Exception {
    var now = Instant.ofEpochSecond(1_800_000_000);
    var parts = new AppJwt(new Credentials.App("Iv1.abc", 17, pkcs8Pem(KEY))).at(now).split("\\.");
    assertThat(decoded(parts[0])).isEqualTo("{\"alg\":\"RS256\",\"typ\":\"JWT\"}");
    assertThat(decoded(parts[1]))
        .isEqualTo("{\"iat\":1799999940,\"exp\":1800000480,\"iss\":\"Iv1.abc\"}");
    var check = Signature.getInstance("SHA256withRSA");
    check.initVerify(KEY.getPublic());
    check.update((parts[0] + "." + parts[1]).getBytes(US_ASCII));
    assertThat(check.verify(Base64.getUrlDecoder().decode(parts[2]))).isTrue();
  }

  @Test
  void refusesAnAppWithoutIds() {
    var pem = pkcs8Pem(KEY);
    for (var app :
        new Credentials.App[] {
          new Credentials.App("", 17, pem),
          new Credentials.App("a\"b", 17, pem),
          new Credentials.App("12", 0, pem)
        }) {
      assertThatThrownBy(() -> new AppJwt(app)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  static String pkcs8Pem(KeyPair pair) {
    return pem("PRIVATE KEY", pair.getPrivate().getEncoded());
  }

  /** PKCS#8 of a 2048 bit key is 26 bytes of head and the PKCS#1 key. */
  private static String pkcs1Pem() {
    var pkcs8 = KEY.getPrivate().getEncoded();
    return pem("RSA PRIVATE KEY", Arrays.copyOfRange(pkcs8, 26, pkcs8.length));
  }

  private static String pem(String what, byte[] der) {
    var lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n";
  }

  private static String decoded(String part) {
    return new String(Base64.getUrlDecoder().decode(part), US_ASCII);
  }

  private static KeyPair key(String algorithm, int size) {
    try {
      var generator = KeyPairGenerator.getInstance(algorithm);
      generator.initialize(size);
      return generator.generateKeyPair();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
