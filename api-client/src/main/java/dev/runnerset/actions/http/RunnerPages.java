package dev.runnerset.actions.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerList;
import dev.runnerset.actions.auth.BearerSource;
import java.util.ArrayList;
import okhttp3.HttpUrl;

/** GitHub's public list of runners, page by page (protocol 3.15). */
final class RunnerPages {
  private static final int PAGE = 100; // the largest that GitHub gives

  private final ConfigUrl url;
  private final BearerSource bearers;
  private final Exchanges exchanges;
  private final Requests requests;

  private RunnerPages(ConfigUrl url, BearerSource bearers, Exchanges exchanges, Requests requests) {
    this.url = url;
    this.bearers = bearers;
    this.exchanges = exchanges;
    this.requests = requests;
  }

  /** The list at the URL of the settings, with their credentials. */
  static RunnerPages of(ServiceSettings settings, Exchanges exchanges) {
    var requests = new Requests(settings.userAgent());
    var api = new HttpRegistrationApi(settings.url(), exchanges, requests);
    var bearers = BearerSource.of(api, settings.credentials(), settings.clock());
    return new RunnerPages(settings.url(), bearers, exchanges, requests);
  }

  /** All of them, or those of the first pages. */
  RunnerList read(int mostPages) {
    var bearer = bearers.bearer();
    var found = new ArrayList<RunnerList.Listed>();
    for (int page = 1; ; page++) {
      var read = page(bearer, page);
      var runners = read.path("runners");
      runners.forEach(each -> found.add(listed(each)));
      int total = (int) Wire.number(read.path("total_count"));
      if (runners.size() < PAGE || found.size() >= total || page >= mostPages) {
        return new RunnerList(found, Math.max(total, found.size()));
      }
    }
  }

  private JsonNode page(String bearer, int page) {
    var target =
        HttpUrl.get(url.apiBase() + url.scopePath() + "/actions/runners")
            .newBuilder()
            .addQueryParameter("per_page", Integer.toString(PAGE))
            .addQueryParameter("page", Integer.toString(page))
            .build();
    var exchange = Exchange.of(Endpoint.LIST_RUNNERS, requests.restGet(target, bearer));
    var outcome = new CallResult(exchanges.send(exchange), bearer).expect(200);
    var read = outcome.read(JsonNode.class);
    if (!read.path("runners").isArray()) {
      throw outcome.malformed("an answer without a list of runners");
    }
    return read;
  }

  private static RunnerList.Listed listed(JsonNode from) {
    return new RunnerList.Listed(
        new RunnerId(Wire.number(from.path("id"))),
        Wire.text(from.path("name")),
        from.path("busy").asBoolean(true)); // who does not say so may be busy
  }
}
