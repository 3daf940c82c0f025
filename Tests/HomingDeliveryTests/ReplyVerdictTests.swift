import HomingBase
import HomingDelivery
import HomingRoutes
import Testing

/// The verdict table, line by line.
@Suite struct ReplyVerdictTests {
    private static func verdict(
        _ status: Int, _ body: ReplyBody, question: Bool = false, retryAfter: Seconds? = nil
    ) -> ReplyVerdict {
        ReplyVerdict.of(
            status: status, body: body, retryAfter: retryAfter,
            expecting: question ? .reply : .nothing,
            onNewConnection: false)
    }

    @Test("200 with {} is a command taken, and a question that was not understood")
    func emptyObject() {
        #expect(Self.verdict(200, .emptyObject) == .answer(.taken(onNewConnection: false)))
        #expect(Self.verdict(200, .emptyObject, question: true) == .answer(.failed(.keyRefused)))
    }

    @Test("200 with an empty body may be an unknown webhook or a command that failed")
    func empty() {
        #expect(Self.verdict(200, .empty) == .answer(.empty))
        #expect(Self.verdict(200, .empty, question: true) == .answer(.failed(.unknownWebhook)))
    }

    @Test("Only a reply that opens is Home Assistant's")
    func opened() {
        #expect(Self.verdict(200, .opened, question: true) == .opened)
        #expect(Self.verdict(201, .opened, question: true) == .opened)
        #expect(Self.verdict(500, .opened, question: true) != .opened)
    }

    @Test("400 and 413 refuse a message only in Home Assistant's words", arguments: [400, 413])
    func refusals(status: Int) {
        #expect(Self.verdict(status, .plainObject) == .answer(.refused(status: status)))
        #expect(Self.verdict(status, .emptyObject) == .answer(.refused(status: status)))
        guard case .answer(.failed(.foreign)) = Self.verdict(status, .other) else {
            Issue.record("HTML with \(status) is nobody's refusal")
            return
        }
    }

    @Test("Retry-After is honoured between a second and an hour", arguments: [429, 503])
    func busy(status: Int) {
        func wait(_ retryAfter: Seconds?) -> Answer? {
            guard case .answer(let answer) = Self.verdict(status, .other, retryAfter: retryAfter)
            else { return nil }
            return answer
        }
        #expect(wait(0) == .failed(.busy(retryAfter: 1)))
        #expect(wait(90) == .failed(.busy(retryAfter: 90)))
        #expect(wait(1e9) == .failed(.busy(retryAfter: 3600)))
        #expect(wait(nil) == .failed(.busy(retryAfter: 30)))
    }

    @Test("What a stranger could answer counts against the endpoint alone")
    func strangers() {
        for (status, body) in [
            (200, ReplyBody.other), (200, .plainObject), (302, .empty), (404, .plainObject),
            (500, .other),
            (201, .emptyObject), (204, .empty),
        ] {
            guard case .answer(.failed(.foreign)) = Self.verdict(status, body) else {
                Issue.record("status \(status) with \(body)")
                continue
            }
        }
        #expect(Self.verdict(401, .empty) == .answer(.failed(.unauthorized(status: 401))))
        #expect(Self.verdict(410, .empty) == .answer(.gone))
        #expect(Self.verdict(502, .other) == .answer(.failed(.unavailable(status: 502))))
        #expect(Self.verdict(504, .empty) == .answer(.failed(.unavailable(status: 504))))
    }
}
