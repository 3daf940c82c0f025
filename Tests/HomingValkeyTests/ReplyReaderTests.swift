import HomingBase
import HomingTestKit
import HomingValkey
import Testing

/// The engine's answers, as bytes.
@Suite("The reader of an engine's answers")
struct ReplyReaderTests {
    private func read(
        _ text: String, _ limits: ReplyLimits = ReplyLimits(), pieces: Int = .max
    ) throws -> [Reply] {
        let reader = ReplyReader(limits: limits)
        var replies: [Reply] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: min(pieces, bytes.count)) {
            let piece = Array(bytes[start...].prefix(pieces))
            replies += try piece.withUnsafeBytes { try reader.feed($0) }
        }
        return replies
    }

    private func fault(_ text: String, _ limits: ReplyLimits = ReplyLimits()) -> String? {
        do {
            _ = try read(text, limits)
            return nil
        } catch { return "\(error)" }
    }

    @Test("reads each kind of answer, in whatever pieces it comes", arguments: [1, 2, 7, 1000])
    func kinds(pieces: Int) throws {
        let text =
            "+OK\r\n-MOVED 1 a:2\r\n:-42\r\n$-1\r\n*-1\r\n$0\r\n\r\n*3\r\n$3\r\na\0b\r\n*0\r\n*2\r\n:1\r\n$-1\r\n"
        #expect(
            try read(text, pieces: pieces) == [
                .status("OK"), .error("MOVED 1 a:2"), .number(-42), .nothing, .nothing, .text([]),
                .array([.text([97, 0, 98]), .array([]), .array([.number(1), .nothing])]),
            ])
    }

    @Test("takes no memory for what is only announced")
    func announced() {
        // hiredis 0.14.1 would allocate 16 GiB here.
        #expect(fault("*2147483647\r\n") == "an answer has too many elements")
        #expect(fault("*2\r\n*200000\r\n:1\r\n") == "an answer has too many elements")
        #expect(fault("*99999999999999999999\r\n") != nil)
        #expect(fault("*-2\r\n") != nil)
    }

    @Test("bounds texts, elements, depth, and what is not whole")
    func bounds() throws {
        var limits = ReplyLimits()
        (limits.text, limits.elements, limits.unread) = (4, 3, 20)
        limits.whole = 6
        #expect(fault("*2\r\n$4\r\nabcd\r\n$4\r\nabcd\r\n", limits) == "an answer is too long")
        limits.whole = 8
        #expect(try read("$4\r\nabcd\r\n", limits) == [.text(Array("abcd".utf8))])
        #expect(fault("$5\r\nabcde\r\n", limits) == "a text of an answer is too long")
        #expect(try read("*2\r\n:1\r\n:2\r\n*2\r\n:1\r\n:2\r\n", limits).count == 2)
        #expect(fault("*3\r\n:1\r\n:2\r\n:3\r\n", limits) == "an answer has too many elements")
        #expect(fault("$99\r\nabcdefghijklmnopqrstuvwxyz", limits)?.contains("larger") == true)
        #expect(try read(String(repeating: "*1\r\n", count: 7) + ":1\r\n").count == 1)
        #expect(fault(String(repeating: "*1\r\n", count: 8) + ":1\r\n") == "an answer is too deep")
        #expect(fault(String(repeating: "*1\r\n", count: 50_000) + ":1\r\n") != nil)
    }

    @Test("refuses what is no answer, and kinds that were not asked for")
    func foreign() {
        for text in [
            "hello\r\n", "HTTP/1.1 400 Bad Request\r\n", ":1a\r\n", ",3.14\r\n", "#t\r\n",
            "%1\r\n:1\r\n:2\r\n",
        ] {
            #expect(fault(text) != nil, "\(text)")
        }
    }

    @Test("reads whatever comes the same in one piece as in many, and never beyond its bounds")
    func anything() {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed): answers of an engine")
        var random = SeededRandom(seed: seed)
        var limits = ReplyLimits()
        (limits.text, limits.elements, limits.unread) = (50, 20, 4000)
        let parts = [
            "*", "$", ":", "-", "+", "1", "2", "20", "21", "-1", "\r\n", "\r", "MOVED 1 a:2",
            "*2\r\n",
            "$3\r\nabc\r\n", ":7\r\n", "*0\r\n", "$-1\r\n", "+OK\r\n", "%1\r\n", "99999999999",
        ]
        var (readable, broken) = (0, 0)
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...12, using: &random)
            let text = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            let size = Int.random(in: 1...8, using: &random)
            let (whole, pieces) = (try? read(text, limits), try? read(text, limits, pieces: size))
            #expect(whole == pieces, "seed \(seed): \(text.debugDescription)")
            if whole == nil { broken += 1 } else { readable += 1 }
        }
        #expect(readable > 1000 && broken > 1000)
    }

    @Test("writes a command as the engine reads it")
    func command() {
        let command = Command([Array("SET".utf8), [0, 13, 10], []])
        #expect(command.bytes == Array("*3\r\n$3\r\nSET\r\n$3\r\n\0\r\n\r\n$0\r\n\r\n".utf8))
        #expect("\(Command("AUTH", "secret"))" == "AUTH")
        #expect(String(reflecting: Command("AUTH", "secret")).contains("secret") == false)
    }
}
