import HomingBase
import Testing

@testable import HomingPush

/// Lines of the journal about refused messages.
@Suite struct RefusalLinesTests {
    @Test("A minute has one line, however many are refused, and the next line counts them")
    func flood() {
        var lines = RefusalLines()
        var now = Moment(uptime: 10, unixTime: 0)
        #expect(
            lines.line("it is late", at: now) == "a message of the relay was refused: it is late")
        for _ in 0..<1000 { #expect(lines.line("it is late", at: now) == nil) }
        now = now.advanced(by: 59)
        #expect(lines.line("it is late", at: now) == nil)
        now = now.advanced(by: 1)
        #expect(
            lines.line("it is damaged", at: now)?.hasSuffix("it is damaged (and 1001 more before)")
                == true)
        now = now.advanced(by: 60)
        #expect(lines.line("it is late", at: now)?.hasSuffix("late") == true)
    }
}
