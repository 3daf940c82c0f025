import HomingBase
import HomingCrypto
import HomingTestKit
import Testing

@testable import HomingRelayProtocol

@Suite struct MessageIDTests {
    @Test("An id is its time, its counter and eight bytes")
    func vector() throws {
        let id = try #require(MessageID(text: Vector.messageID))
        #expect(id.milliseconds == 1_792_000_000_123 && id.counter == 5)
        #expect(id.bytes.suffix(8) == [0, 1, 2, 3, 4, 5, 6, 7])
        #expect(id.text == Vector.messageID && "\(id)" == Vector.messageID)
        #expect(MessageID(bytes: id.bytes) == id)
    }

    @Test(
        "What is no id is refused",
        arguments: [
            "", "AaE7hgB7AAUAAQIDBAUGB", "AaE7hgB7AAUAAQIDBAUGBw=", "AaE7hgB7AAUAAQIDBAUGBx",
            "AaE7hgB7AAUAAQIDBAUGB/", "AaE7hgB7AAUAAQIDBAUGB ",
        ])
    func malformed(text: String) {
        #expect(MessageID(text: text) == nil)
        #expect(MessageID(bytes: Array(text.utf8.prefix(15))) == nil)
    }

    @Test("Ids increase strictly, whatever the clock does")
    func increase() {
        let seed = TestRun.seed()
        var random = SeededRandom(seed: seed)
        var ids = MessageIDs()
        var clock: Int64 = 1_792_000_000_000
        var last: MessageID?
        for round in 0..<20_000 {
            switch random.next() % 8 {
            case 0: clock += Int64(random.next() % 5000)
            case 1: clock -= Int64(random.next() % 5000)
            case 2 where random.next() % 50 == 0: clock = Int64(bitPattern: random.next())
            default: break
            }
            let id = ids.next(at: clock)
            if let last {
                #expect(last < id, "round \(round), HOMING_SEED=\(seed)")
                #expect(last.bytes.lexicographicallyPrecedes(id.bytes), "HOMING_SEED=\(seed)")
            }
            last = id
        }
    }

    @Test("More ids than a counter holds, in one millisecond, go on into the next")
    func counterOverflow() {
        var ids = MessageIDs()
        var last = ids.next(at: 5)
        for _ in 0..<(1 << 16) {
            let id = ids.next(at: 5)
            #expect(last < id)
            last = id
        }
        #expect(last.milliseconds == 6)
    }

    @Test("A relay that starts with a clock before its last message goes on behind that")
    func afterRestart() throws {
        let last = try #require(MessageID(text: Vector.messageID))
        var ids = MessageIDs(after: last)
        #expect(ids.next(at: 1_000) > last)
        #expect(ids.next(at: 1_792_000_000_124).milliseconds == 1_792_000_000_124)
    }

    @Test("Each new millisecond begins anew, so that an id does not count the others")
    func counterBeginsAnew() {
        var ids = MessageIDs()
        for _ in 0..<10 { _ = ids.next(at: 5) }
        #expect(ids.next(at: 6).counter == 0)
    }

    @Test("The times of ids are from 1970 to 9999")
    func bounds() {
        var (early, late) = (MessageIDs(), MessageIDs())
        #expect(early.next(at: .min).milliseconds == 0)
        #expect(late.next(at: .max).milliseconds == RelayTime.latest)
        #expect(late.next(at: .max).milliseconds == RelayTime.latest)
    }
}

@Suite struct MailboxIDTests {
    @Test("A mailbox is a hash of the device's key, and its label a hash of that")
    func vector() throws {
        let mailbox = MailboxID(of: try Vector.device().publicKey)
        #expect(hexadecimal(mailbox.bytes) == Vector.mailbox)
        #expect(mailbox.label == Vector.label && "\(mailbox)" == Vector.label)
        #expect(MailboxID(bytes: mailbox.bytes) == mailbox)
        #expect(MailboxID(bytes: Array(mailbox.bytes.dropLast())) == nil)
    }

    @Test("They are in the order of their bytes")
    func order() throws {
        let low = try #require(MailboxID(bytes: [UInt8](repeating: 0, count: 16)))
        let high = try #require(MailboxID(bytes: [1] + [UInt8](repeating: 0, count: 15)))
        #expect(low < high && !(high < low) && !(low < low))
    }
}
