internal import HomeAssistantAPI
internal import HomingBase
internal import HomingHTTP
internal import HomingJSON
internal import HomingRuntime

/// Asks Home Assistant for the name of the device that has a machine's identity (`render_template`,
/// homeassistant/components/websocket_api/commands.py).
///
/// Two machines have one identity where a disk was copied with its machine id. A registration of the second
/// machine would remove the first machine's registration.
enum KnownDevice {
    /// Seconds for the whole question.
    private static let patience: Seconds = 10
    /// Start of the answer: Home Assistant reads a result such as `12` as a number.
    private static let mark = "name:"

    /// Answer of Home Assistant.
    enum Reply: Equatable, Sendable {
        /// There is no such device, or Home Assistant did not say.
        case unknown
        case named(String)
        /// Home Assistant counts each use of a wrong token towards a ban of this machine's address.
        case tokenRefused
    }

    /// Returns the name of the device.
    ///
    /// - Parameter id: the device id, as mobile_app has it.
    @LoopActor static func name(
        of id: String, base: String, token: String, http: HTTPClient
    ) async -> Reply {
        guard let question = question(about: id) else { return .unknown }
        return await WebSocketRequest<Reply>.run(
            base: base, token: token, patience: patience, failure: .unknown, http: http
        ) { message, text in
            switch message {
            case .authOK: .send(question, orElse: .unknown)
            case .authInvalid: .end(.tokenRefused)
            case .refused: .end(.unknown)
            default: answer(in: text).map { .end($0.isEmpty ? .unknown : .named($0)) }
            }
        }
    }

    /// The command on the wire; `nil` for an id that no device of Homing has.
    static func question(about id: String) -> [UInt8]? {
        guard id.isMade(of: ASCII.letters + ASCII.digits + "-_", 1...Bound.name) else { return nil }
        let template =
            "\(mark){%for e in integration_entities('mobile_app')if'\(id)'in "
            + "device_attr(e,'identifiers')|string%}{%if loop.first%}{{device_attr(e,'name')}}{%endif%}{%endfor%}"
        let command = JSONValue.object([
            "id": .whole(1), "type": .string("render_template"), "template": .string(template),
        ])
        return Array(command.json().utf8)
    }

    /// The name in an answer, empty where Home Assistant has no such device; `nil` for another message.
    static func answer(in message: [UInt8]) -> String? {
        guard let event = JSONValue(json: message)?["event"] else { return nil }
        // A template that fails brings an error instead of a result.
        guard let text = event["result"]?.string, text.hasPrefix(mark) else { return "" }
        return String(text.dropFirst(mark.count)).trimmed
    }
}
