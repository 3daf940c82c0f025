import HomingBase
import HomingCrypto
import HomingTestKit
import Testing

@testable import HomingRelayProtocol

@Suite struct FrameTests {
    private func frame(_ text: String) -> RelayFrame? { RelayFrame(Array(text.utf8)) }

    @Test("Frames come back from their text, and the text of a frame is stable")
    func roundTrip() {
        let seed = TestRun.seed()
        var random = SeededRandom(seed: seed)
        for _ in 0..<2_000 {
            let frame = Self.any(&random)
            let text = frame.text
            #expect(RelayFrame(text) == frame, "\(frame), HOMING_SEED=\(seed)")
            #expect(text.count <= RelayFrame.limit && !text.contains(UInt8(ascii: "\n")))
        }
    }

    private static func any(_ random: inout SeededRandom) -> RelayFrame {
        let number = Int.random(in: 0...1_000_000, using: &random)
        let time = Int64.random(in: 0...RelayTime.latest, using: &random)
        let bytes = (0..<Int.random(in: 0...300, using: &random)).map { UInt8(($0 * number) & 255) }
        var ids = MessageIDs()
        switch random.next() % 9 {
        case 0: return .hello(version: number, now: time, challenge: bytes)
        case 1:
            let count = DayCount(
                notifications: number, free: number / 2, errors: number / 3,
                freeErrors: number / 5, maximum: number % 200, resetsAt: time)
            return .ready(
                waiting: number % 201, count: count,
                renewal: number.isMultiple(of: 2) ? bytes : nil)
        case 2: return .message(id: ids.next(at: time), now: time, parcel: bytes)
        case 3: return .bye(seconds: number % 86_401, why: "The relay \"ends\" ü")
        case 4:
            return .refused(RelayRefusal.allCases.randomElement(using: &random) ?? .failed)
        case 5: return .proof((0..<32).map { UInt8(($0 * number) & 255) })
        case 6:
            return .acknowledge((0...number % RelayFrame.window).map { _ in ids.next(at: time) })
        case 7: return .revoke
        default: return .unknown
        }
    }

    @Test("The frames are those of the protocol's description")
    func texts() throws {
        let id = try #require(MessageID(text: Vector.messageID))
        let frames: [(RelayFrame, String)] = [
            (
                .hello(version: 1, now: 5, challenge: [251, 255]),
                #"{"challenge":"-_8","hello":1,"now":5}"#
            ),
            (
                .ready(
                    waiting: 2, count: DayCount(maximum: 150, resetsAt: 9),
                    renewal: nil),
                #"{"count":{"errors":0,"free":0,"free_errors":0,"maximum":150,"notifications":0,"#
                    + #""resets":9},"ready":1,"renewal":null,"waiting":2}"#
            ),
            (
                .message(id: id, now: 5, parcel: [1]),
                #"{"m":"AaE7hgB7AAUAAQIDBAUGBw","now":5,"parcel":"AQ"}"#
            ),
            (.bye(seconds: 30, why: "restart"), #"{"bye":30,"why":"restart"}"#),
            (.refused(.revoked), #"{"refused":"RevokedToken"}"#),
            (
                .proof([UInt8](0..<32)),
                #"{"proof":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"}"#
            ),
            (.acknowledge([id]), #"{"ack":["AaE7hgB7AAUAAQIDBAUGBw"]}"#),
            (.revoke, #"{"revoke":1}"#), (.unknown, "{}"),
        ]
        for (frame, text) in frames {
            #expect(String(decoding: frame.text, as: UTF8.self) == text)
            #expect(self.frame(text) == frame)
        }
    }

    @Test("Members and kinds that a later version adds are passed over")
    func later() {
        #expect(frame(#"{"revoke":1,"why":["a"],"x":{}}"#) == .revoke)
        #expect(frame(#"{"later":1}"#) == .unknown)
        #expect(frame(#"{"refused":"SomethingNew"}"#) == .refused(.failed))
        #expect(frame(#"{"refused":5}"#) == .refused(.failed))
        let hello = frame(#"{"hello":2,"now":5,"challenge":"AQ"}"#)
        #expect(hello == .hello(version: 2, now: 5, challenge: [1]))
    }

    @Test(
        "A frame that lacks what it must have is none",
        arguments: [
            "", "[]", "5", #""hello""#, #"{"hello":1}"#, #"{"hello":"1","now":5,"challenge":"AQ"}"#,
            #"{"hello":1,"now":-5,"challenge":"AQ"}"#, #"{"hello":1,"now":5,"challenge":"AQ=="}"#,
            #"{"hello":1,"now":9223372036854775807,"challenge":"AQ"}"#,
            #"{"ready":1,"waiting":1}"#, #"{"m":"AaE7","now":5,"parcel":"AQ"}"#,
            #"{"m":"AaE7hgB7AAUAAQIDBAUGBw","now":5}"#, #"{"bye":"soon"}"#, #"{"bye":-1}"#,
            #"{"proof":"AQ"}"#, #"{"proof":null}"#, #"{"ack":[]}"#, #"{"ack":"a"}"#,
            #"{"ack":[5]}"#, #"{"ack":["AaE7hgB7AAUAAQIDBAUGBw",null]}"#,
        ])
    func incomplete(text: String) { #expect(frame(text) == nil) }

    @Test("Acknowledgements are bounded by what may be under way")
    func window() {
        let ids: (Int) -> String = { count in
            let list = Array(repeating: "\"\(Vector.messageID)\"", count: count)
            return "{\"ack\":[\(list.joined(separator: ","))]}"
        }
        #expect(frame(ids(32)) != nil && frame(ids(33)) == nil)
        #expect(ids(32).utf8.count <= RelayFrame.deviceLimit)
        #expect(RelayFrame(Array(ids(32).utf8), limit: RelayFrame.deviceLimit) != nil)
    }

    @Test("A frame is bounded, and holds the largest parcel")
    func limits() throws {
        let joined = try Joined()
        let body = [UInt8](repeating: 0x61, count: PushRequest.limit)
        let parcel = try ParcelSealer(ring: joined.ring).seal(
            joined.parcel(.push(body)), for: joined.token, at: 0)
        let id = try #require(MessageID(text: Vector.messageID))
        let text = RelayFrame.message(id: id, now: RelayTime.latest, parcel: parcel).text
        #expect(text.count <= 90 << 10 && RelayFrame(text) != nil)
        #expect(RelayFrame(text, limit: RelayFrame.deviceLimit) == nil)
        let spaces = [UInt8](repeating: 0x20, count: RelayFrame.limit)
        #expect(RelayFrame(Array("{}".utf8) + spaces) == nil)
    }

    @Test("A farewell is one clean line, and no absence is longer than a day")
    func farewell() {
        let long = String(repeating: "a", count: 500)
        guard
            case .bye(let seconds, let why)? = frame(
                #"{"bye":1000000,"why":"\u001b[2J\n\#(long)"}"#)
        else {
            Issue.record("no farewell")
            return
        }
        #expect(seconds == 86_400 && why.utf8.count <= 200)
        #expect(!why.unicodeScalars.contains { $0.value < 0x20 })
        #expect(frame(#"{"bye":0}"#) == .bye(seconds: 0, why: ""))
    }
}
