package dev.runnerset.actions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a client of the protocol must not forget, and the tests that show it, mostly by requests.
 * Which calls are sent again (protocol 5.1) has a table of its own in {@code RetryBehaviourIT};
 * what may stand in the way, in {@code HostileServersIT}.
 */
final class ChecklistTest {
  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # item | what | module, class and method
          1  | names are encoded, the slash of groups kept, the version added unless there  | api-client ActionsServiceIT.sendsTheRequestAndReadsTheAnswer, api-client UrlsTest.assembles
          2  | byte order mark, unknown fields, case; RunnerSetting; no nulls               | api-client ActionsServiceIT.sendsTheRequestAndReadsTheAnswer, api-client ActionsServiceIT.sendsTheBody
          2  | the same in errors                                                           | api-client ErrorsIT.readsEachShape, api-client SimulatedServiceContractIT.errorsInTheBrokersShapeAndWithAByteOrderMarkAreUnderstood
          3  | long ids; the year 1 is no time                                              | api-client MessageSessionIT.readsEveryKindOfEventInOrder, api-client MessageSessionIT.opensPollsAcknowledgesAndCloses
          4  | polls have times of their own and can be cancelled                           | api-client RetryRulesTest.theDefaultsAreThoseOfTheProtocol, api-client ConcurrencyIT.cancelEndsThePollUnderWay, api-client ConcurrencyIT.aPollBlocksNeitherAcknowledgementNorClose
          5  | typed errors                                                                 | api-client ErrorsIT.classifiesByTypeThenStatus, api-client ErrorsIT.aTakenNameIsAnAnswer, api-client MessageSessionIT.pollFailuresHaveNames
          6  | the table of retries, Retry-After with a bound                               | api-client RetryBehaviourIT.whatIsSentAgain, api-client RetryBehaviourIT.nothingIsSentUntilTheServiceWantsToHearFromUsAgain
          6  | the last answer is kept                                                      | api-client RetryBehaviourIT.givesUpAfterFiveAttemptsAndKeepsTheLastAnswer
          7  | one renewal for all, a minute before the end                                 | api-client ConcurrencyIT.fiftyFirstCallsRegisterOnce, api-client AdminConnectionsTest.renewsWithLessThanAMinuteLeft
          7  | the JWT of an app; its tokens are not kept                                   | api-client RsaKeysTest.theJwtHoldsFromAMinuteAgoForNineMinutesAndIsSigned, api-client AdminConnectionsTest.anAppAsksForAnInstallationTokenEachTime
          8  | a session: one refresh after 401                                             | api-client MessageSessionIT.aRefusedTokenIsRenewedOnceAndTheCallRepeated, api-client AcquireIT.acquires
          8  | lost after 400 and 404, ended by close                                       | api-client SimulatedServiceContractIT.aRefusedQueueTokenIsRenewedAndADeadSessionIsLost, api-client MessageSessionIT.aSessionIsEndedOnceTheServiceItselfSaysSo
          8  | a conflict is an answer, and the listener opens another                      | api-client SimulatedServiceContractIT.aSessionIsTheOnlyOneAndBringsMessagesUntilTheyAreAcknowledged, listener LostSessionsSimTest.aFaultCostsSecondsAndNoMessageIsLost
          9  | a success without a body, a queue or counts                                  | api-client MessageSessionIT.pollFailuresHaveNames, api-client MessageSessionIT.aSessionThatCannotBePolledIsReportedWithItsId, api-client MessageSessionIT.aMessageMayBeStatisticsAloneOrHaveNone
          10 | demand comes from the counts, and zeros are doubted                          | controller ScalingRulesTest.asManyRunnersAreWantedAndOfferedAsTheRuleSays, listener MessagePlannerTest.zerosAreDoubtedForAMinuteAndThenTheScaleSetIsRead
          11 | a taken name: our own first try, or another set's                            | api-client SimulatedServiceContractIT.aLostAnswerToARegistrationIsATakenNameOfOurOwn, controller EphemeralRunnerIT.aNameThatAnotherScaleSetHasIsLeftAloneAndTheRunnerFails
          12 | a removal: 204 and not found are success, a running job is an answer         | api-client ActionsServiceIT.sendsTheRequestAndReadsTheAnswer, api-client SimulatedServiceContractIT.runnersAreRegisteredFoundAndRemoved
          12 | a 404 of a gateway is none                                                   | api-client ErrorsIT.theNotFoundOfAGatewaySaysNothingOfTheRunnerNorTheSet
          13 | the exit of a runner says nothing of its job                                 | controller RunnerActionsTest.anEndThatNobodyHeardOfIsJudgedByWhatTheServiceStillHad
          """)
  void isShownBy(int item, String what, String tests) throws IOException {
    for (var test : tests.split(", ")) {
      var parts = test.split("[ .]");
      assertThat(source(parts[0], parts[1]))
          .as("%d %s: %s", item, what, test)
          .containsPattern(
              "  @(Test|ParameterizedTest)(?s:(?!\\n  }\\n).)*\\bvoid " + parts[2] + "\\(");
    }
  }

  private static String source(String module, String name) throws IOException {
    try (var files = Files.walk(Path.of("..", module, "src", "test", "java"))) {
      var found = files.filter(f -> f.endsWith(name + ".java")).toList();
      assertThat(found).as(name).hasSize(1);
      return Files.readString(found.getFirst());
    }
  }
}
