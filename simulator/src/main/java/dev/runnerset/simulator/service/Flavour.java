package dev.runnerset.simulator.service;

import java.net.URI;

/** In what the generations of the service differ (protocol 0). The legacy one is to come. */
sealed interface Flavour {
  long firstMessageId();

  /** Where the messages of a session are read; the session's token is all the broker needs. */
  String queueUrl(URI root, Session session);

  /** {@code runnerRequestId} in job messages. */
  long requestId(Job job);

  /** github.com and ghe.com today: the service assigns by itself, nothing is acquired by sets. */
  record Broker() implements Flavour {
    @Override
    public long firstMessageId() {
      return 100_000_001;
    }

    @Override
    public String queueUrl(URI root, Session session) {
      return root + "/scalesets/message";
    }

    @Override
    public long requestId(Job job) {
      return 0;
    }
  }
}
