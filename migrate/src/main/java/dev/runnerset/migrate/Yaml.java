package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * YAML as kubectl and Helm read it: YAML 1.1 with anchors, merges and octal numbers, but without
 * dates and numbers to the base 60.
 */
public final class Yaml {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What some reader takes for a number or a date; as a text it is quoted. */
  private static final Pattern LIKE_A_NUMBER =
      Pattern.compile("[-+.]?[0-9][-+.:_0-9]*([eE][-+]?[0-9]*)?|[-+]?0[xXoObB][0-9a-fA-F_]+");

  private static final Pattern LIKE_A_TRUTH = Pattern.compile("[yYnN]");

  private Yaml() {}

  /**
   * The documents of a text, empty ones left out.
   *
   * @param source named in messages
   * @throws BadInput if it is no YAML
   */
  public static List<JsonNode> read(String source, String text) {
    var options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    var yaml =
        new org.yaml.snakeyaml.Yaml(
            new SafeConstructor(options),
            new Representer(new DumperOptions()),
            new DumperOptions(),
            options,
            new ReadingResolver());
    var documents = new ArrayList<JsonNode>();
    try {
      for (var document : yaml.loadAll(text)) {
        if (document != null) {
          documents.add(JSON.valueToTree(document));
        }
      }
    } catch (MarkedYAMLException e) {
      var mark = e.getProblemMark();
      var line = mark == null ? "" : " line " + (mark.getLine() + 1) + ":";
      throw new BadInput(
          source + ":" + line + " this is no valid YAML: " + e.getProblem() + hint(text));
    } catch (YAMLException e) {
      throw new BadInput(source + ": this is no valid YAML: " + e.getMessage() + hint(text));
    }
    return documents;
  }

  private static String hint(String text) {
    return text.contains("{{") || text.contains("%{")
        ? "; it looks like a template: convert what it makes, as helm get values prints it"
        : "";
  }

  /**
   * One document, in block style, as kubectl prints it; texts of several lines stay as they are.
   */
  public static String print(JsonNode document) {
    var options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setNonPrintableStyle(DumperOptions.NonPrintableStyle.ESCAPE);
    options.setSplitLines(false);
    options.setWidth(Integer.MAX_VALUE);
    var yaml =
        new org.yaml.snakeyaml.Yaml(
            new SafeConstructor(new LoaderOptions()),
            new LiteralRepresenter(options),
            options,
            new LoaderOptions(),
            new WritingResolver());
    return yaml.dump(JSON.convertValue(document, Object.class));
  }

  /** Numbers, truths and merges, but no dates. */
  private static class ReadingResolver extends Resolver {
    private static final Pattern WHOLE =
        Pattern.compile("[-+]?(0b[01_]+|0[0-7_]*|[1-9][0-9_]*|0x[0-9a-fA-F_]+)");
    private static final Pattern BROKEN =
        Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\\.inf|\\.nan");

    @Override
    protected void addImplicitResolvers() {
      addImplicitResolver(Tag.BOOL, BOOL, "yYnNtTfFoO", 10);
      addImplicitResolver(Tag.INT, WHOLE, "-+0123456789");
      addImplicitResolver(Tag.FLOAT, BROKEN, "-+0123456789.");
      addImplicitResolver(Tag.MERGE, MERGE, "<", 10);
      addImplicitResolver(Tag.NULL, NULL, "~nN\0", 10);
      addImplicitResolver(Tag.NULL, EMPTY, null, 10);
    }
  }

  /** All that any reader may take for something other than a text. */
  private static final class WritingResolver extends Resolver {
    @Override
    protected void addImplicitResolvers() {
      super.addImplicitResolvers();
      addImplicitResolver(Tag.FLOAT, LIKE_A_NUMBER, "-+.0123456789");
      addImplicitResolver(Tag.BOOL, LIKE_A_TRUTH, "yYnN", 10);
    }
  }

  private static final class LiteralRepresenter extends Representer {
    LiteralRepresenter(DumperOptions options) {
      super(options);
    }

    @Override
    protected Node representScalar(Tag tag, String value, ScalarStyle style) {
      boolean lines =
          tag == Tag.STR
              && value.indexOf('\n') > 0
              && value.chars().allMatch(c -> c == '\n' || c == '\t' || c >= ' ')
              && value.lines().noneMatch(line -> line.endsWith(" ") || line.endsWith("\t"))
              && !value.startsWith(" ");
      return super.representScalar(tag, value, lines ? ScalarStyle.LITERAL : style);
    }
  }
}
