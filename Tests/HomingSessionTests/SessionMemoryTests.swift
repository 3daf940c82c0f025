import HomingBase
import HomingControl
import Testing

@testable import HomingSession

@Suite("What a session helper remembers") struct SessionMemoryTests {
    private func at(_ uptime: Seconds) -> Moment { Moment(uptime: uptime, unixTime: 1e9 + uptime) }

    private func chosen(_ key: String, reply: String? = nil, age: Double = 0) -> DesktopReport {
        .chosen(key: key, button: 0, reply: reply, age: age)
    }

    @Test("What happened while no daemon was there is told to the next one, with its age")
    func waiting() {
        var memory = SessionMemory()
        memory.show("a")
        memory.show("b")
        memory.answer("b", stays: false)
        memory.hold(chosen("b", reply: "yes"), at: at(10))
        memory.hold(.shown(key: "c", handle: nil), at: at(11))
        memory.hold(.done(number: 1, problem: nil), at: at(11))
        let greeting = memory.greeting(at: at(25))
        let shown = DesktopReport.shown(key: "c", handle: nil)
        #expect(greeting.shown == ["a"])
        #expect(greeting.reports == [chosen("b", reply: "yes", age: 15), shown])
        #expect(memory.greeting(at: at(30)).reports == [chosen("b", reply: "yes", age: 20), shown])
    }

    @Test("What happens between the greeting and the welcome is told after it, and nothing twice")
    func betweenGreetingAndWelcome() {
        var memory = SessionMemory()
        memory.hold(chosen("a"), at: at(1))
        _ = memory.greeting(at: at(2))
        memory.hold(.clicked(key: "b", age: 0), at: at(2))
        #expect(memory.welcomed() == [.clicked(key: "b", age: 0)])
        #expect(memory.greeting(at: at(3)).reports.isEmpty)
    }

    @Test("What is on its way or on the screen is not shown a second time")
    func once() {
        var memory = SessionMemory()
        var begun = [memory.begin("a"), memory.begin("a")]
        memory.show("a")
        begun.append(memory.begin("a"))
        memory.end("a")
        begun.append(memory.begin("a"))
        #expect(begun == [true, false, false, true])
    }

    @Test("However much happens, the greeting stays within what the daemon takes")
    func bounds() throws {
        var memory = SessionMemory()
        let text = String(repeating: "\"", count: 4096)
        for number in 0..<500 {
            memory.show("\(number)0123456789012345678901234567890")
            memory.hold(
                chosen("\(number)", reply: number.isMultiple(of: 2) ? text : nil), at: at(0))
        }
        let greeting = memory.greeting(at: at(1))
        #expect(greeting.shown.count == SessionMemory.shownLimit)
        #expect(greeting.reports.last == chosen("499", age: 1), "the newest are kept")
        let size = ReportJSON.text(greeting, pretty: false).utf8.count
        #expect(size < 60_000, "a request is at most 64 KiB long")
    }

    @Test("The daemon may ask and open once for each answer, and never without one")
    func permits() {
        var memory = SessionMemory()
        memory.show("a")
        let early = memory.permitsOpening("a")
        memory.answer("a", stays: false)
        let (open, again) = (memory.permitsOpening("a"), memory.permitsOpening("a"))
        let (ask, askAgain) = (memory.permitsAsking("a"), memory.permitsAsking("a"))
        #expect(!early && open && !again && ask && !askAgain)
        memory.show("b")
        memory.end("b")
        let dismissed = memory.permitsOpening("b")
        #expect(!dismissed, "putting it away asks for nothing")
    }

    @Test("A sticky notification is remembered after its answers, each of which permits once")
    func sticky() {
        var memory = SessionMemory()
        memory.show("a")
        for number in 0..<3 {
            memory.answer("a", stays: true)
            memory.hold(.chosen(key: "a", button: number, reply: nil, age: 0), at: at(0))
        }
        let rights = (0..<4).map { _ in memory.permitsOpening("a") }
        #expect(rights == [true, true, true, false])
        let greeting = memory.greeting(at: at(1))
        #expect(greeting.shown == ["a"], "the next daemon knows that it is there")
        #expect(greeting.reports.count == 3)
        let isBegun = memory.begin("a")
        #expect(!isBegun, "it is not shown a second time")
        memory.end("a")
        #expect(memory.greeting(at: at(2)).shown == [])
    }
}
