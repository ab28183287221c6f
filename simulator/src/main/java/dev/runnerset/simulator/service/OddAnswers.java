package dev.runnerset.simulator.service;

/**
 * Answers about sessions and messages that lack something or are odd, each as a share of 0 to 1.
 *
 * @param emptyQueueUrl sessions without the URL of their queue (seen live, protocol 3.10)
 * @param noQueueToken sessions without a token for their queue
 * @param noStatistics sessions without statistics
 * @param oddElements messages that carry an odd element beside the others: null, of an unknown type
 *     with ids of other JSON types, or without a type that can be read; a message that is odd stays
 *     so whenever it is delivered
 * @param brokenBodies messages whose body is not a list; the job events in it are lost
 */
public record OddAnswers(
    double emptyQueueUrl,
    double noQueueToken,
    double noStatistics,
    double oddElements,
    double brokenBodies) {
  public static final OddAnswers NONE = new OddAnswers(0, 0, 0, 0, 0);

  public OddAnswers {
    for (var share :
        new double[] {emptyQueueUrl, noQueueToken, noStatistics, oddElements, brokenBodies}) {
      if (share < 0 || share > 1) {
        throw new IllegalArgumentException("share " + share + " is not in 0..1");
      }
    }
  }
}
