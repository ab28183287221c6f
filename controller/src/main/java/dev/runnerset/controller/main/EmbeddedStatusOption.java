package dev.runnerset.controller.main;

import dev.runnerset.controller.references.EmbeddedStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The flag {@code --embedded-status} (RF5). */
final class EmbeddedStatusOption {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedStatusOption.class);

  @Option(
      names = "--embedded-status",
      paramLabel = "FORM",
      defaultValue = "minimal",
      converter = Form.class,
      description =
          "how a parent's status tells of its children: minimal (references), full (their statuses;"
              + " deprecated) or both (default: ${DEFAULT-VALUE})")
  private EmbeddedStatus embedded = EmbeddedStatus.MINIMAL;

  /** Full, minimal or both, in upper or lower case. */
  static final class Form implements ITypeConverter<EmbeddedStatus> {
    @Override
    public EmbeddedStatus convert(String text) {
      return EmbeddedStatus.of(text)
          .orElseThrow(() ->
              new TypeConversionException(
                  "'" + text + "' is no form: write full, minimal or both"));
    }
  }

  EmbeddedStatus embedded() {
    return embedded;
  }

  /** Says so when a deprecated form was chosen; to be called once, at the start. */
  void warn() {
    if (embedded.hasFullForm()) {
      LOG.atWarn()
          .addKeyValue("embeddedStatus", embedded.word())
          .log(
              "status.runnerStatuses is deprecated and will go: clients should read"
                  + " status.childReferences; then use --embedded-status minimal");
    }
  }
}
