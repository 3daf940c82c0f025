internal import HomeAssistantAPI
import HomingBase
internal import HomingJSON
import HomingRoutes

@testable internal import HomingNotifications
@testable internal import HomingPush

/// Messages of the push channel, from the first byte to the texts for a notification server and for
/// an answer. The texts are bounded and clean, and each notification is shown once.
final class PushTarget: FuzzTarget {
    static let name = "push"
    static let longest = 8192

    private let now = Moment(uptime: 1000, unixTime: 1_800_000_000)
    private let capabilities = [
        [], ["body"], ["body", "body-markup", "actions", "inline-reply", "sound"],
    ].map { ServerCapabilities(names: Set($0)) }

    func run(_ input: [UInt8]) throws {
        categories(input)
        readsAnswersAlike(input)
        guard let message = WebSocketMessage(input) else { return }
        guard case .notification(let subscription, let payload) = message else { return }
        showsOnce(payload, subscription)
        switch PushContent(payload) {
        case .command(let command): check(command)
        case .notification(let message):
            check(message)
            for capabilities in capabilities {
                check(NotificationRequest(message, image: nil, isReplacement: true, capabilities))
            }
            answer(message)
        }
    }

    /// An answer that is compared with the answer before means what it means alone.
    private func readsAnswersAlike(_ input: [UInt8]) {
        guard input.count < 1000 else { return }
        var reader = WebSocketReader()
        _ = reader.message(in: input)
        require(
            reader.message(in: input) == WebSocketMessage(input), "it means another thing twice")
        var other = input
        let digits = input.indices.filter { (0x30...0x39).contains(input[$0]) }
        for index in digits.prefix(20) {
            other[index] = other[index] == 0x39 ? 0x30 : other[index] + 1
            require(reader.message(in: other) == WebSocketMessage(other), "an answer is another's")
        }
    }

    /// The same message twice is confirmed twice and shown once.
    private func showsOnce(_ payload: NotificationPayload, _ subscription: Int) {
        var session = PushSession(seed: 1)
        let endpoint = ChannelEndpoint(kind: .instance, url: "http://localhost")
        for event: PushSession.Event in [
            .endpoints([endpoint], networkChanged: true), .opened,
            .received(.authRequired(version: "1")),
            .received(.authOK(version: "1")), .received(.done(id: 1, reply: nil)),
        ] { _ = session.handle(event, at: now) }
        var shown = 0
        for _ in 0..<2 {
            let message = WebSocketMessage.notification(subscription: 1, payload)
            for effect in session.handle(.received(message), at: now) {
                if case .show = effect { shown += 1 }
            }
        }
        let most = payload.confirmID == nil || faultIsPlanted ? 2 : 1
        require(shown == most, "it is shown \(shown) times")
        let message = WebSocketMessage.notification(subscription: subscription, payload)
        _ = session.handle(.received(message), at: now)
    }

    private func check(_ command: PushCommand) {
        let byDefault = Set(PushCommand.permittedByDefault)
        guard command.isPermitted(by: byDefault, names: []) else { return }
        switch command {
        case .clear, .requestLocation, .updateSensors: break
        case .lockScreen, .suspend, .run, .unsupported: require(false, "\(command) is permitted")
        }
    }

    private func check(_ message: PushMessage) {
        isClean(message.message, 4096, "message", lines: true)
        for (text, name) in [
            (message.title, "title"), (message.subtitle, "subtitle"), (message.group, "group"),
            (message.channel, "channel"),
        ] { isClean(text ?? "", 512, name) }
        require((message.timeout ?? 1) > 0 && (message.timeout ?? 1) <= 86_400, "its timeout")
        require(message.data.utf8.count <= PushMessage.dataLimit, "its data is too large")
        require(message.actions.count <= ActionPolicy.actionLimit, "too many actions")
        for action in message.actions {
            isClean(action.title, 128, "an action's title")
            require(action.fires || action.opens != nil, "an action that does nothing")
            check(action.opens)
        }
        for link in [message.image, message.icon, message.opens] { check(link) }
    }

    private func isClean(_ text: String, _ limit: Int, _ name: String, lines: Bool = false) {
        require(text.utf8.count <= limit, "\(name) has \(text.utf8.count) bytes")
        let isClean = text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.generalCategory != .control
                || (lines && (scalar == "\n" || scalar == "\t"))
        }
        require(isClean, "\(name) holds a control character")
    }

    private func check(_ link: Link?) {
        guard let link else { return }
        let address = link.address(base: "http://homeassistant.local:8123")
        require(WebAddress(address) != nil, "a link that is no web address")
        require(address.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }, "a link with a blank")
        if case .homeAssistant = link {
            require(
                WebAddress(address)?.host == "homeassistant.local", "a path that leads elsewhere")
        }
    }

    private func check(_ request: NotificationRequest) {
        require(!request.summary.isEmpty, "an empty summary")
        require(request.actions.count.isMultiple(of: 2), "an action without a label")
        require(request.timeout >= -1, "timeout \(request.timeout)")
    }

    /// Every answer is a JSON object that says which it was.
    private func answer(_ message: PushMessage) {
        let subject = NotificationEvent.Subject(
            message: message.message, title: message.title, tag: message.tag, data: message.data)
        let stamp = NotificationEvent.Stamp(deviceID: "d", homingID: "i", firedAt: now.unixTime)
        for action in message.actions where action.fires {
            for event in [
                NotificationEvent.action(action.id, reply: "r", on: subject, stamp),
                .categoryAction(
                    action.id, in: "c", text: nil, deviceName: "n", on: subject, stamp),
            ] {
                let data = JSONValue(json: event.data.utf8)
                let word = data?["action"] ?? data?["actionName"]
                require(word == .string(action.id), "an answer that is another")
                require(data?["device_id"] ?? .string("d") == .string("d"), "a false device")
            }
        }
    }

    private func categories(_ input: [UInt8]) {
        let list = NotificationCategory.list(input) ?? []
        let known = PushCategory.examine(list).categories
        require(Set(known.map(\.id)).count == known.count, "a category twice")
        for category in known {
            require((1...4).contains(category.actions.count), "a category of no or many actions")
            for action in category.actions { check(action.opens) }
        }
    }
}
