import HomeAssistantAPI
import HomingControl
import HomingJSON
import HomingNotifications
import Testing

@Suite("Between the daemon and a session helper") struct DesktopMessagesTests {
    private func message() -> PushMessage {
        PushMessage(
            message: "Somebody rings", title: "Door", subtitle: "Front", tag: "bell",
            urgency: .critical, sound: .silent, timeout: 7, isPersistent: true, isSticky: true,
            isAlertedOnce: true, progress: .percent(40), opens: "https://example.org/secret",
            actions: [
                OfferedAction(id: "OPEN_DOOR", title: "Open", destructive: true),
                OfferedAction(id: "URI", title: "Look", uri: "https://example.org/a"),
                OfferedAction(
                    id: "REPLY", title: "Say", asksForText: true, textButton: "Send",
                    textPlaceholder: "words", authenticationRequired: true),
            ], data: #"{"secret": "of the house"}"#)
    }

    private func sent(_ order: DesktopOrder) throws -> (text: String, back: DesktopOrder) {
        let data = try JSON.bytes(order)
        return (
            String(decoding: data, as: UTF8.self),
            try JSON.decode(DesktopOrder.self, from: data)
        )
    }

    @Test("What is shown crosses whole; ids, links and data stay with the daemon")
    func shown() throws {
        let order = DesktopOrder.show(
            notification: DesktopNotification(message(), key: "k", handle: "1@:1.2"))
        let (text, back) = try sent(order)
        #expect(back == order)
        for secret in ["OPEN_DOOR", "example.org", "of the house"] {
            #expect(!text.contains(secret), "the helper need not know \(secret)")
        }
        guard case .show(let notification) = back else { return }
        let (here, there) = (message(), notification.shownMessage)
        #expect(there.message == here.message && there.title == here.title)
        #expect(there.subtitle == here.subtitle && there.tag == here.tag)
        #expect(there.urgency == here.urgency && there.sound == here.sound)
        #expect(there.timeout == here.timeout && there.isPersistent && there.isAlertedOnce)
        #expect(there.isSticky)
        #expect(there.progress == here.progress && there.opens != nil)
        #expect(there.actions.map(\.title) == here.actions.map(\.title))
        #expect(there.actions.map(\.id) == ["0", "1", "2"], "by their places")
        #expect(there.actions.map(\.text) == here.actions.map(\.text))
        #expect(there.actions.map(\.destructive) == [true, false, false])
        #expect(there.data == "k")
    }

    @Test("Every order and every report survives the wire")
    func roundTrips() throws {
        let orders: [DesktopOrder] = [
            .welcome, .superseded, .clear(tag: "t"), .close(key: "k"),
            .ask(number: 1, key: "k", question: "When?", button: nil),
            .open(number: 2, key: "k", address: "https://example.org"),
            .perform(number: 3, deed: .lock, until: 5),
        ]
        for order in orders { #expect(try sent(order).back == order) }
        let reports: [DesktopReport] = [
            .shown(key: "k", handle: nil), .failed(key: "k", reason: "r"),
            .chosen(key: "k", button: 0, reply: nil, age: 0), .clicked(key: "k", age: 1),
            .dismissed(key: "k"), .gone(key: "k"), .asked(number: 1, text: "t", problem: nil),
            .done(number: 2, problem: nil),
        ]
        for report in reports {
            let data = try JSON.bytes(report)
            #expect(try JSON.decode(DesktopReport.self, from: data) == report)
        }
    }
}
