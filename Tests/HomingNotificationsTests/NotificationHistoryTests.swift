import HomeAssistantAPI
import HomingBase
import Testing

@testable import HomingNotifications

/// The notifications that people can look up.
@Suite struct NotificationHistoryTests {
    private var history = NotificationHistory()

    private static func message(
        _ text: String, title: String? = "Door", home: String = "1", tag: String? = nil,
        subtitle: String? = nil
    ) -> PushMessage {
        PushMessage(
            message: text, title: title, subtitle: subtitle, tag: tag,
            actions: [
                OfferedAction(id: "OPEN", title: "Open"), OfferedAction(id: "SHUT", title: "Shut"),
            ]
        ).from(home: "home\(home)", id: home, isOneOfSeveral: false)
    }

    private mutating func add(_ message: PushMessage) { history.add(message, .desktop, at: 0) }

    @Test("An entry has the time, the home, the sender, the text and the place")
    mutating func entry() throws {
        history.add(Self.message("Who is it?", subtitle: "Front"), .journal, at: 12)
        let entry = try #require(history.entries.first)
        #expect(entry.time == 12 && entry.homeID == "1" && entry.title == "Door")
        #expect(entry.text == "Front\nWho is it?" && entry.outcome == .journal)
        #expect(entry.buttons == ["Open", "Shut"])
        #expect(entry.answer == nil && entry.author == .homeAssistant)
        history.add(Self.message("typed").typed(), .desktop, at: 2)
        #expect(history.entries.last?.author == .person)
    }

    @Test("The newest fifty stay, the oldest first")
    mutating func bound() {
        for number in 1...120 { add(Self.message("\(number)")) }
        #expect(history.entries.map(\.text) == (71...120).map { "\($0)" })
    }

    @Test("People at this machine push out none of Home Assistant's")
    mutating func persons() {
        for number in 1...45 { add(Self.message("\(number)")) }
        for number in 1...200 { add(Self.message("p\(number)").fromPerson()) }
        let texts = history.entries.map(\.text)
        #expect(texts.filter { $0.hasPrefix("p") } == (191...200).map { "p\($0)" })
        #expect(texts.contains("6") && texts.count == 50)
    }

    @Test("A long text ends with a sign that it was cut, and its answer still finds it")
    mutating func longText() {
        let message = Self.message(String(repeating: "é", count: 2000))
        add(message)
        history.note(button: 1, of: message)
        #expect(history.entries[0].text.utf8.count <= NotificationHistory.longestText)
        #expect(history.entries[0].text.hasSuffix("…"))
        #expect(history.entries[0].answer == "Shut")
    }

    @Test("A notification takes the place of one with its tag, of the same home")
    mutating func tags() {
        for percent in 0..<60 { add(Self.message("\(percent) %", tag: "progress")) }
        add(Self.message("100 %", home: "2", tag: "progress"))
        add(Self.message("Gate"))
        #expect(history.entries.map(\.text) == ["59 %", "100 %", "Gate"])
        history.note(button: 0, of: Self.message("3 %", tag: "progress"))
        #expect(history.entries.map(\.answer) == ["Open", nil, nil])
    }

    @Test("An answer belongs to the newest notification with that text, of that home")
    mutating func answer() {
        for home in ["1", "2", "1"] { add(Self.message("Gate", home: home)) }
        history.note(button: 0, of: Self.message("Gate", home: "2"))
        #expect(history.entries.map(\.answer) == [nil, "Open", nil])
        history.note(button: 0, of: Self.message("Gate"))
        #expect(history.entries.map(\.answer) == [nil, "Open", "Open"])
        history.note(button: 1, of: Self.message("another text"))
        history.note(button: 2, of: Self.message("Gate"))
        #expect(history.entries.map(\.answer) == [nil, "Open", "Open"])
    }
}
