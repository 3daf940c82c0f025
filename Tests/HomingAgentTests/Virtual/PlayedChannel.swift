import HomingJSON
import HomingRuntime

/// Home Assistant's WebSocket on a port of this machine, as far as a push channel speaks with it.
final class PlayedChannel: PlayedSockets {
    enum Manner {
        /// Hang-up before any answer.
        case absent
        /// Welcome and subscription for everybody, and then silence.
        case silent
        /// The same, and it answers pings.
        case well
    }

    var manner = Manner.absent
    /// Whether confirmations are answered.
    var takesConfirmations = true
    /// Client that has subscribed, and the number of its subscription.
    private var subscriber: (client: Int32, id: Int)?
    /// Number of requests for a WebSocket.
    private(set) var attempts = 0
    /// The types of all messages that came.
    private var types: [String] = []

    /// Returns the number of messages of the type that came.
    func count(_ type: String) -> Int { types.count { $0 == type } }

    override func asked(_ request: Request, by client: Int32) {
        guard request.isUpgrade else {
            // A page of Home Assistant's, beside the channel.
            say("HTTP/1.1 404 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", to: client)
            return end(client)
        }
        attempts += 1
        if manner == .absent { return end(client) }
        upgrade(client, request)
        sendMessage(#"{"type":"auth_required","ha_version":"2026.11.0"}"#, client)
    }

    private func sendMessage(_ message: String, _ client: Int32) {
        sendText(Array(message.utf8), client)
    }

    /// Sends a notification that waits for its confirmation.
    func notify(_ message: String, confirmID: String) {
        guard let subscriber else { return }
        sendMessage(
            #"{"id":\#(subscriber.id),"type":"event","event":{"message":"\#(message)","#
                + #""hass_confirm_id":"\#(confirmID)"}}"#, subscriber.client)
    }

    override func receiveText(_ text: [UInt8], by client: Int32) {
        guard let message = JSONValue(json: text), let type = message["type"]?.string else {
            return
        }
        types.append(type)
        let id = message["id"]?.whole ?? 0
        switch type {
        case "auth": sendMessage(#"{"type":"auth_ok","ha_version":"2026.11.0"}"#, client)
        case "ping": if manner == .well { sendMessage(#"{"id":\#(id),"type":"pong"}"#, client) }
        case "mobile_app/push_notification_confirm" where !takesConfirmations: break
        case "mobile_app/push_notification_channel":
            subscriber = (client, id)
            sendMessage(#"{"id":\#(id),"type":"result","success":true,"result":null}"#, client)
        default: sendMessage(#"{"id":\#(id),"type":"result","success":true,"result":null}"#, client)
        }
    }
}
