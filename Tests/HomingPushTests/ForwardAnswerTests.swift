import HomingRelayProtocol
import Testing

@testable import HomingPush

/// A front's answer to a machine that tells it the far relay's token.
@Suite struct ForwardAnswerTests {
    @Test("An answer is read as the relay writes it, with a renewal and without")
    func answers() {
        for renewal in [nil, [UInt8](0..<200)] {
            let body = RelayAnswer.forwards(renewal: renewal).body
            #expect(RelayClient.renewal(in: body) == .success(renewal))
        }
    }

    @Test(
        "What is no such answer is none, so a portal's page does not count as told",
        arguments: [
            "", "{}", "[]", "<html>", #"{"renewal":7}"#, #"{"renewal":"="}"#,
            #"{"renewal":null"#,
        ])
    func strange(_ body: String) {
        #expect(
            RelayClient.renewal(in: Array(body.utf8))
                == .failure(.notRelay("its answer is not understood")))
    }

    @Test("A post and a question count only by a relay's own answer")
    func receipts() {
        let count = DayCount(
            notifications: 1, free: 0, errors: 0, freeErrors: 0, maximum: 0, resetsAt: 5)
        var ids = MessageIDs()
        for answer in [RelayAnswer.accepted(ids.next(at: 5), count), .checked(count)] {
            guard case .success = RelayClient.receipt(in: answer.body) else {
                Issue.record("\(answer.status)")
                continue
            }
        }
        for body in ["", "{}", "<html>", #"{"id":"x"}"#] {
            guard case .failure = RelayClient.receipt(in: Array(body.utf8)) else {
                Issue.record("\(body)")
                continue
            }
        }
    }

    @Test("A front's own refusals are told from a gateway's words")
    func refusals() {
        for refusal in [RelayRefusal.farTokenWrong, .farAway, .isFront] {
            let body = RelayAnswer.refused(refusal).body
            #expect(RelayClient.failure(refusal.status, body) == .refused(refusal))
        }
    }
}
