package dev.runnerset.controller.podspec;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes credentials out of a text: the values that are known, and whatever looks like one. It takes
 * too much rather than too little: a log line is read by people, and stands in a status that many
 * may read.
 */
public final class Scrubber {
  /** Knows no value: takes out only what looks like a credential. */
  public static final Scrubber OF_NOTHING_KNOWN = new Scrubber(List.of());

  private static final String GONE = "***";

  /** Shorter values, as of {@code DEBUG=1}, are in every text. */
  private static final int SHORTEST_VALUE = 5;

  private static final Pattern CREDENTIAL =
      Pattern.compile(
          String.join(
              "|",
              "-----BEGIN[\\s\\S]{0,16000}?(?:-----END[^-\\n]*-----|\\z)",
              "\\b(?:gh[a-z]_|github_pat_)\\w+",
              "(?i:\\b(?:bearer|basic)\\s+)[^\\s\"',;]+",
              "\\beyJ[\\w.-]+", // a JSON object in base64: a JWT, a JIT config
              "(?<=://)[^/@\\s]+(?=@)", // a user in a URL
              "(?<!sha256:)\\b[0-9a-fA-F]{40,}\\b",
              "(?<![\\w+/=-])(?=[\\w+/=-]*[A-Z])(?=[\\w+/=-]*[a-z])(?=[\\w+/=-]*\\d)[\\w+/=-]{40,}",
              "(?i:(?<=(?:token|password|passwd|secret|api[-_]?key|credential|authorization)"
                  + "[\"']{0,1}\\s{0,2}[:=]\\s{0,2}))[\"']?[^\\s\"',;]+"));

  private final List<String> known;

  private Scrubber(Collection<String> known) {
    this.known =
        known.stream()
            .filter(value -> value.length() >= SHORTEST_VALUE)
            .distinct()
            .sorted(Comparator.comparing(String::length).reversed())
            .toList();
  }

  /** Knows the values of the runner's secret and of the environment of its pod. */
  public static Scrubber of(@Nullable Secret secret, @Nullable Pod pod) {
    var known = new ArrayList<String>();
    if (secret != null && secret.getData() != null) {
      var jitConfig = secret.getData().get(RunnerPod.JIT_TOKEN_KEY);
      if (jitConfig != null) {
        known.add(jitConfig);
        decoded(jitConfig).forEach(known::add);
      }
    }
    if (pod != null && pod.getSpec() != null) {
      Stream.concat(
              pod.getSpec().getInitContainers().stream(), pod.getSpec().getContainers().stream())
          .map(Container::getEnv)
          .flatMap(List::stream)
          .map(EnvVar::getValue)
          .filter(value -> value != null)
          .forEach(known::add);
    }
    return new Scrubber(known);
  }

  private static Stream<String> decoded(String base64) {
    try {
      return Stream.of(new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      return Stream.empty();
    }
  }

  /** The text without credentials; empty for null. Throws nothing. */
  public String scrub(@Nullable String text) {
    if (text == null) {
      return "";
    }
    var clean = text;
    for (var value : known) {
      clean = clean.replace(value, GONE);
    }
    try {
      return CREDENTIAL.matcher(clean).replaceAll(GONE);
    } catch (StackOverflowError e) {
      return GONE; // a text that cannot be searched is not shown
    }
  }
}
