package dev.runnerset.actions.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Certificate authorities that are trusted besides those of the system (protocol 6). */
public final class TrustedAuthorities {
  private TrustedAuthorities() {}

  /**
   * Reads PEM certificates, at least one. Equal ones are one object where it can be: a thousand
   * sets may each read the same bundle.
   *
   * @throws IllegalArgumentException with a sentence for the user
   */
  public static List<X509Certificate> fromPem(String pem) {
    try {
      var factory = CertificateFactory.getInstance("X.509");
      var found = new ArrayList<X509Certificate>();
      for (var read : factory.generateCertificates(new ByteArrayInputStream(pem.getBytes(UTF_8)))) {
        // only the reader of single certificates remembers what it has read
        var encoded = new ByteArrayInputStream(read.getEncoded());
        found.add((X509Certificate) factory.generateCertificate(encoded));
      }
      if (!found.isEmpty()) {
        return List.copyOf(found);
      }
    } catch (CertificateException e) {
      throw new IllegalArgumentException("the trusted authorities are not PEM certificates", e);
    }
    throw new IllegalArgumentException("the trusted authorities hold no PEM certificate");
  }

  /** A trust manager for the system's authorities and these. */
  static X509TrustManager trusting(List<X509Certificate> more) {
    try {
      var store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (var authority : systemTrust().getAcceptedIssuers()) {
        store.setCertificateEntry("system-" + number++, authority);
      }
      for (var authority : more) {
        store.setCertificateEntry("own-" + number++, authority);
      }
      return from(store);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException("the trusted authorities cannot be used", e);
    }
  }

  private static X509TrustManager systemTrust() throws GeneralSecurityException {
    return from(null);
  }

  private static X509TrustManager from(@Nullable KeyStore store) throws GeneralSecurityException {
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return Arrays.stream(factory.getTrustManagers())
        .filter(X509TrustManager.class::isInstance)
        .map(X509TrustManager.class::cast)
        .findFirst()
        .orElseThrow();
  }
}
