import HomingBase
import HomingCrypto
import HomingRelayProtocol
import HomingTestKit
import Testing

@testable import HomingRelay

@Suite("The intake of posts")
struct IntakeTests {
    private let played: Played
    private let intake = Intake(limits: StoreLimits())

    init() throws { played = try Played() }

    private func judge(
        _ body: [UInt8], _ throttle: inout Throttle<Int>, address: Int = 1, at now: Seconds = 100
    ) -> Result<Letter, RelayRefusal> {
        let verdict = intake.judge(
            body, as: PushRequest.self, by: played.ring, from: address, &throttle, at: now)
        return switch verdict {
        case .taken(let letter): .success(letter)
        case .refused(let refusal): .failure(refusal)
        }
    }

    private func refusal(_ result: Result<Letter, RelayRefusal>) -> RelayRefusal? {
        if case .failure(let refusal) = result { refusal } else { nil }
    }

    @Test("refuses what is no request with a token of this relay's")
    func refusals() throws {
        var throttle = Throttle<Int>()
        let stranger = try Played()
        let bodies: [([UInt8], RelayRefusal)] = [
            (Array("{".utf8), .malformed), (Array("[]".utf8), .notAnObject),
            (Array("{}".utf8), .noToken), (played.body(token: "nonsense"), .badToken),
            (played.body(token: stranger.token.text), .badToken),
        ]
        for (body, refusal) in bodies {
            let found = self.refusal(judge(body, &throttle))
            #expect(found == refusal)
        }
    }

    @Test("refuses a forged token before it reads the post, and finds a token behind escapes")
    func openTokens() throws {
        var throttle = Throttle<Int>()
        let (forged, good) = (try Played().token.text, played.token.text)
        let unreadable = Array(#"{"push_token":"\#(forged)","message":{{"#.utf8)
        let unreadableOfOurs = Array(#"{"push_token":"\#(good)","message":{{"#.utf8)
        let hidden = Array(#"{"push\u005ftoken":"\#(good)","message":"push_token"}"#.utf8)
        let nested = Array(#"{"data":{"push_token":"\#(forged)"},"push_token":"\#(good)"}"#.utf8)
        #expect(refusal(judge(unreadable, &throttle)) == .badToken)
        #expect(refusal(judge(unreadableOfOurs, &throttle)) == .malformed)
        _ = try judge(hidden, &throttle).get()
        _ = try judge(nested, &throttle).get()
    }

    @Test(
        "tells the address with bad tokens to wait, and takes a good token from there all the same")
    func badTokens() throws {
        var throttle = Throttle<Int>()
        let (bad, good) = (played.body(token: "hr1.x"), played.body())
        let refusals = (0..<40).map { _ in refusal(judge(bad, &throttle)) }
        #expect(refusals[..<30].allSatisfy { $0 == .badToken })
        #expect(refusals[30...].allSatisfy { $0 == .tooManyBadTokens })
        let (here, elsewhere) = (
            judge(good, &throttle), refusal(judge(bad, &throttle, address: 2))
        )
        _ = try here.get()
        #expect(elsewhere == .badToken)
    }

    @Test("makes a parcel that the device opens, and a deposit that tells nothing of it")
    func letter() throws {
        var throttle = Throttle<Int>()
        let body = played.body(
            #""data":{"tag":"door","ttl":60},"hass_confirm_id":"confirm-7""#)
        let letter = try judge(body, &throttle).get()
        var ids = MessageIDs()
        let id = ids.next(at: noon)
        let parcel = letter.parcel(id, at: noon)
        let sealed = try played.sealer.seal(parcel, for: letter.token, at: 1)
        let deposit = letter.deposit(id, sealed: sealed, names: played.ring, at: noon)
        #expect(deposit.mailbox == played.token.mailbox && deposit.content == .push(.notification))
        #expect(deposit.expires == noon + 60_000 && !deposit.isClearing)
        let opened = try played.opener.open(deposit.parcel, in: deposit.mailbox, at: noon)
        #expect(opened == parcel && opened.content == .push(body))
        // The words are found nowhere, and names differ from use to use.
        let names = [deposit.tag, deposit.confirmation].map { $0 ?? [] }
        #expect(names.map(\.count) == [16, 16] && names[0] != names[1])
        for bytes in names + [deposit.parcel] {
            for word in ["door", "confirm-7", "Somebody"] {
                #expect(bytes.firstRange(of: Array(word.utf8)) == nil)
            }
        }
        #expect("\(letter) \(deposit)" == "Letter Deposit")
    }

    @Test("gives a clearing the name of the notification that it takes back")
    func clearing() throws {
        var throttle = Throttle<Int>()
        let shown = try judge(played.body(#""data":{"tag":"door"}"#), &throttle).get()
        let cleared = try judge(
            played.body(#""data":{"tag":"door"}"#, message: "clear_notification"), &throttle
        ).get()
        var ids = MessageIDs()
        let deposits = [shown, cleared].map {
            $0.deposit(ids.next(at: noon), sealed: [], names: played.ring, at: noon)
        }
        #expect(deposits[0].tag != nil && deposits[0].tag == deposits[1].tag)
        #expect(!deposits[0].isClearing && deposits[1].isClearing)
        #expect(deposits[1].content == .push(.free))
    }

    @Test("answers each outcome, and leaves the device one notice of a limit")
    func outcomes() {
        var ids = MessageIDs()
        let (id, other) = (ids.next(at: noon), ids.next(at: noon))
        let count = DayCount(notifications: 150, errors: 1, maximum: 150, resetsAt: noon)
        let deposit = { (kind: PushRequest.Kind) in
            Deposit(.push(kind), id: id, for: mailbox(1), expires: noon, parcel: [])
        }
        let ending = { (result: Result<Acceptance, StoreFailure>) in
            intake.ending(result, of: deposit(.notification))
        }
        #expect(ending(.success(.stored(count))) == .init(answer: .accepted(id, count)))
        #expect(
            ending(.success(.repeated(other, count))) == .init(answer: .accepted(other, count)))
        #expect(
            ending(.success(.limited(count, isTold: true))) == .init(answer: .limited(count)))
        #expect(
            ending(.success(.limited(count, isTold: false)))
                == .init(
                    answer: .limited(count),
                    notice: .limitReached(maximum: 150, resetsAt: noon),
                    storedNotice: .limitReached(.notification)))
        #expect(
            intake.ending(.success(.limited(count, isTold: false)), of: deposit(.free))
                == .init(
                    answer: .refused(.tooManyOrders, count),
                    notice: .limitReached(maximum: 1500, resetsAt: noon),
                    storedNotice: .limitReached(.free)))
        let statuses: [(Result<Acceptance, StoreFailure>, Int)] = [
            (.success(.revoked), 403), (.success(.blocked), 403), (.success(.full(.bytes)), 503),
            (.success(.outdated), 500), (.failure(.overloaded), 503), (.failure(.closed), 503),
            (.failure(StoreFailure(.full, "no room")), 503),
        ]
        for (result, status) in statuses { #expect(ending(result).answer.status == status) }
    }
}

@Suite("The desk where devices join")
struct JoinDeskTests {
    private let request: JoinRequest
    private let code = InvitationCode(Array(0..<16))

    init() throws {
        request = JoinRequest(publicKey: try KeyPair().publicKey, code: nil)
    }

    private func asking(_ code: String?) -> JoinRequest {
        JoinRequest(publicKey: request.publicKey, code: code)
    }

    @Test("is open, asks for a code, or is closed")
    func modes() throws {
        var throttle = Throttle<Int>()
        let code = try #require(code)
        let verdict = { (mode: JoinMode, text: String?) in
            JoinDesk(mode: mode).judge(asking(text), from: 1, &throttle, at: 1)
        }
        #expect(verdict(.closed, code.text) == .refused(.joinClosed))
        #expect(verdict(.open, nil) == .issue)
        #expect(verdict(.code, nil) == .refused(.codeNeeded))
        #expect(verdict(.code, "no code") == .refused(.codeWrong))
        #expect(verdict(.code, code.text) == .spend(code))
    }

    @Test("lets an address guess ten times an hour, however many at once")
    func guesses() throws {
        var throttle = Throttle<Int>()
        let desk = JoinDesk(mode: .code)
        let code = try #require(code)
        let verdicts = (0..<15).map { _ in
            desk.judge(asking(code.text), from: 1, &throttle, at: 5)
        }
        #expect(verdicts.count { $0 == .spend(code) } == 10)
        #expect(verdicts.last == .refused(.tooManyGuesses))
        // One of them was right, and one could not be looked up.
        let right = desk.judge(isGood: true, from: 1, &throttle, at: 5)
        desk.forgive(1, &throttle)
        let more = (0..<3).map { _ in desk.judge(asking(code.text), from: 1, &throttle, at: 5) }
        #expect(right == .issue)
        #expect(more == [.spend(code), .spend(code), .refused(.tooManyGuesses)])
        let elsewhere = desk.judge(asking(code.text), from: 2, &throttle, at: 5)
        #expect(elsewhere == .spend(code))
        #expect(desk.judge(isGood: false, from: 1, &throttle, at: 5) == .refused(.codeWrong))
    }

    @Test("lets ten devices of an address join in an hour")
    func joins() {
        var throttle = Throttle<Int>()
        let desk = JoinDesk(mode: .open)
        let verdicts = (0..<12).map { _ in desk.judge(request, from: 1, &throttle, at: 5) }
        #expect(verdicts.count { $0 == .issue } == 10)
        #expect(verdicts.last == .refused(.tooManyJoins))
    }

    @Test("reads a code as people type it, and no other")
    func codes() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<200 {
            let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
            let code = try #require(InvitationCode(bytes))
            #expect(code.text.split(separator: "-").map(\.count) == [5, 5, 5, 5, 6])
            let typed = [
                code.text, code.text.uppercased(), code.canonical,
                " \(code.text.replacing("-", with: " - ")) ",
                code.text.replacing("0", with: "O").replacing("1", with: "L"),
            ]
            for text in typed { #expect(InvitationCode(typed: text) == code) }
        }
        let ones = try #require(InvitationCode(Array(repeating: 0xFF, count: 16)))
        #expect(ones.canonical == "7" + String(repeating: "z", count: 25))
        let none = [
            "", "7", ones.canonical + "z", "8" + ones.canonical.dropFirst(), "ü" + ones.text,
        ]
        for text in none { #expect(InvitationCode(typed: text) == nil) }
        #expect(InvitationCode([1, 2, 3]) == nil)
    }
}
