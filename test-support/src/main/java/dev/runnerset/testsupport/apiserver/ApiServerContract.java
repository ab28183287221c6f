package dev.runnerset.testsupport.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * What our programs rely on in an API server, as cases that hold on a real kube-apiserver with
 * garbage and namespace controllers, and on the in-process one. They stand in {@code
 * contract.yaml}; those of watches are code.
 */
public final class ApiServerContract {
  private ApiServerContract() {}

  /**
   * All cases, in the order to run them: the first defines the custom kind that others use. Each
   * makes and removes objects of its own.
   */
  public static List<Case> cases() {
    try (var table = ApiServerContract.class.getResourceAsStream("contract.yaml")) {
      var rows = new YAMLMapper().readTree(table);
      return Stream.concat(
              rows.valueStream().flatMap(ApiServerContract::cases), WatchCases.all().stream())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One case, or one for each value that the row lists. */
  private static Stream<Case> cases(JsonNode row) {
    if (!row.has("each")) {
      return Stream.of(oneCase(row, "", NullNode.getInstance()));
    }
    return row.path("each").valueStream().map(each -> oneCase(row, ": " + each.asText(), each));
  }

  private static Case oneCase(JsonNode row, String suffix, JsonNode each) {
    var text = row.path("steps").toString();
    var steps =
        Api.json(text.replace("\"<each>\"", each.toString()).replace("<each>", each.asText()));
    return new Case(
        row.path("case").asText() + suffix,
        api -> {
          try (var objects = new CaseObjects(api)) {
            for (var step : steps) {
              new Step(objects, step).run();
            }
          }
        });
  }
}
