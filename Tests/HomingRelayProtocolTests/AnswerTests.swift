import HomingCrypto
import HomingJSON
import HomingTestKit
import Testing

@testable import HomingRelayProtocol

/// Reads an answer as `mobile_app/notify.py` of 2024.3 to 2026.11 does. It reads JSON, then
/// `rateLimits` with four keys on any status, then the last character of the message.
private func readAsHomeAssistantDoes(_ answer: RelayAnswer) throws {
    guard case .object(let object)? = JSONValue(json: answer.body) else {
        Issue.record("no object")
        return
    }
    if let limits = object["rateLimits"] {
        for key in ["successful", "errors", "maximum", "total", "remaining"] {
            #expect(try #require(limits[key]?.whole) >= 0, "\(key)")
        }
        let time = try #require(limits["resetsAt"]?.string)
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
    }
    guard ![200, 201, 202].contains(answer.status) else { return }
    for key in ["message", "errorMessage"] {
        let text = try #require(object[key]?.string)
        #expect(text.last == "." && text.count > 20 && text.utf8.allSatisfy { 0x20...0x7E ~= $0 })
    }
    #expect(object["errorType"]?.string?.isEmpty == false)
}

@Suite struct AnswerTests {
    /// 2026-11-26T00:00:00Z.
    private static let midnight: Int64 = 1_795_651_200_000
    private let count = DayCount(
        notifications: 149, free: 3, errors: 2, freeErrors: 1, maximum: 150, resetsAt: midnight)

    @Test("Home Assistant can read every answer, and every refusal has a text")
    func readable() throws {
        let id = try #require(MessageID(text: Vector.messageID))
        var unlimited = count
        unlimited.maximum = 0
        for count in [count, unlimited] {
            var answers: [RelayAnswer] = [
                .accepted(id, count), .limited(count), .checked(count),
                .joined(try JoinTests.answer()),
            ]
            for refusal in RelayRefusal.allCases {
                answers += [.refused(refusal), .refused(refusal, count)]
            }
            for answer in answers { try readAsHomeAssistantDoes(answer) }
        }
    }

    @Test("What was taken has its id and the day's count")
    func accepted() throws {
        let id = try #require(MessageID(text: Vector.messageID))
        let answer = RelayAnswer.accepted(id, count)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(
            text == #"{"id":"AaE7hgB7AAUAAQIDBAUGBw","rateLimits":{"errors":2,"maximum":150,"#
                + #""remaining":1,"resetsAt":"2026-11-26T00:00:00.000Z","successful":149,"#
                + #""total":151}}"#)
        #expect(answer.status == 201 && answer.retryAfter == nil)
    }

    @Test("Without a maximum there are no rate limits, as Home Assistant cannot read them")
    func unlimited() throws {
        var count = count
        count.maximum = 0
        let id = try #require(MessageID(text: Vector.messageID))
        for answer in [RelayAnswer.accepted(id, count), .refused(.blocked, count)] {
            #expect(JSONValue(json: answer.body)?["rateLimits"] == nil)
        }
        let body = RelayAnswer.checked(count).body
        #expect(String(decoding: body, as: UTF8.self) == #"{"unlimited":true}"#)
        count.maximum = 1
        let checked = JSONValue(json: RelayAnswer.checked(count).body)
        #expect(checked?["unlimited"] == .boolean(false))
        #expect(checked?["rateLimits"]?["remaining"] == .whole(0))
    }

    @Test("Statuses are those that Home Assistant knows, and no count is below zero")
    func statuses() {
        #expect(RelayAnswer.limited(count).status == 429)
        #expect(RelayAnswer.checked(count).status == 200)
        #expect(RelayAnswer.refused(.badToken).status == 403)
        #expect(RelayAnswer.refused(.storeFailed).status == 503)
        #expect(RelayAnswer.refused(.storeFailed).retryAfter == 30)
        for refusal in RelayRefusal.allCases {
            #expect((400...599).contains(refusal.status))
            // A redirect or a success would be none.
            #expect(refusal.retryAfter ?? 1 > 0)
        }
        var over = count
        over.notifications = 200
        #expect(over.remaining == 0)
        over.maximum = 0
        #expect(over.remaining == nil)
    }

    @Test("The words of refusals are their own, and so are the texts")
    func words() {
        let all = RelayRefusal.allCases
        #expect(Set(all.map(\.rawValue)).count == all.count)
        #expect(Set(all.map(\.description)).count == all.count)
    }
}

@Suite struct RelayTimeTests {
    @Test("A day ends at midnight UTC")
    func days() {
        let midnight: Int64 = 1_795_651_200_000
        #expect(RelayTime.midnight(after: midnight - 1) == midnight)
        #expect(RelayTime.midnight(after: midnight) == midnight + 86_400_000)
        #expect(RelayTime.day(of: midnight) == RelayTime.day(of: midnight - 1) + 1)
        #expect(RelayTime.day(of: 0) == 0 && RelayTime.day(of: .min) == 0)
    }

    @Test("Times have milliseconds and a zone")
    func texts() {
        #expect(RelayTime.text(of: 1_795_651_200_000) == "2026-11-26T00:00:00.000Z")
        #expect(RelayTime.text(of: 1_795_651_199_007) == "2026-11-25T23:59:59.007Z")
        #expect(RelayTime.text(of: .min) == "1970-01-01T00:00:00.000Z")
        #expect(RelayTime.text(of: .max) == "9999-12-31T23:59:59.999Z")
    }
}

@Suite struct JoinTests {
    static func answer() throws -> JoinAnswer {
        JoinAnswer(
            sealed: try Vector.bytes(Vector.grant), maximum: 150, name: "Home",
            pushURL: "https://relay.example/v1/push")
    }

    @Test("A request comes back from its body")
    func request() throws {
        for code in [nil, "7K2M-9QXT"] {
            let request = JoinRequest(publicKey: try KeyPair().publicKey, code: code)
            #expect(try JoinRequest(body: request.body) == request)
        }
    }

    private static let key = URLBase64.text(of: [UInt8](1...32))
    private static let refusals: [(String, RelayRefusal)] = {
        let (zeros, longCode) = (
            URLBase64.text(of: [UInt8](repeating: 0, count: 32)), String(repeating: "c", count: 65)
        )
        return [
            ("", .malformed), ("[]", .notAnObject), ("{}", .badKey), (#"{"public":5}"#, .badKey),
            (#"{"public":"\#(key)A"}"#, .badKey), (#"{"public":"\#(key)="}"#, .badKey),
            (#"{"public":"\#(zeros)"}"#, .badKey),
            (#"{"public":"\#(key)","code":"\#(longCode)"}"#, .codeWrong),
            (#"{"public":"\#(key)","a":"\#(String(repeating: "a", count: 4096))"}"#, .tooLarge),
        ]
    }()

    @Test("What is no request is refused with the reason", arguments: refusals)
    func refused(text: String, reason: RelayRefusal) throws {
        let found = try thrown(RelayRefusal.self) { try JoinRequest(body: Array(text.utf8)) }
        #expect(found == reason)
    }

    @Test("An empty code is none, and one of digits may be a number")
    func codes() throws {
        let code: (String) throws -> String? = {
            try JoinRequest(body: Array(#"{"public":"\#(Self.key)","code":\#($0)}"#.utf8)).code
        }
        #expect(try code("null") == nil)
        #expect(try code(#""""#) == nil)
        #expect(try code("123456") == "123456")
    }

    @Test("An answer comes back from its body")
    func answer() throws {
        var answer = try Self.answer()
        #expect(JoinAnswer(body: RelayAnswer.joined(answer).body) == answer)
        answer = JoinAnswer(
            sealed: answer.sealed, maximum: 0, name: nil, pushURL: answer.pushURL)
        let read = try #require(JoinAnswer(body: RelayAnswer.joined(answer).body))
        #expect(read == answer)
        let long = JoinAnswer(
            sealed: answer.sealed, maximum: 0, name: String(repeating: "a", count: 15_000),
            pushURL: answer.pushURL)
        #expect(JoinAnswer(body: RelayAnswer.joined(long).body)?.name?.count == 255)
        let grant = try ParcelOpener(pair: try Vector.device()).grant(read.sealed)
        #expect(grant.token == PushToken(Vector.token))
    }

    @Test("An answer that lacks something is none")
    func incomplete() throws {
        guard
            case .object(let members)? = JSONValue(
                json: RelayAnswer.joined(try Self.answer()).body)
        else {
            Issue.record("no object")
            return
        }
        for name in members.keys where name != "name" {
            for value in [nil, JSONValue.null, .string("+"), .whole(-1)] where name != "push_url" {
                var fewer = members
                fewer[name] = value
                let body = Array(JSONValue.object(fewer).json().utf8)
                #expect(JoinAnswer(body: body) == nil, "\(name)")
            }
        }
        #expect(JoinAnswer(body: RelayAnswer.refused(.joinClosed).body) == nil)
    }
}
