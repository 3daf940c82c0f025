internal import HomingJSON

/// A category of the older scheme, as `GET /api/ios/push` tells it (homeassistant/components/ios):
/// a list of actions that notifications name with `data.push.category`. Nothing of it is believed yet.
public struct NotificationCategory: Equatable, Sendable {
    public var id: String?
    public var name: String?
    public var actions: [OfferedAction]

    /// Every category in the answer, up to 256; `nil` if it is none of Home Assistant's.
    public static func list(_ body: [UInt8]) -> [NotificationCategory]? {
        guard let answer = JSONValue(json: body), case .object = answer else { return nil }
        return (answer["categories"]?.elements ?? []).prefix(256).map { category in
            NotificationCategory(
                id: category["identifier"]?.text, name: category["name"]?.text,
                actions: (category["actions"]?.elements ?? []).prefix(64).map { OfferedAction($0) })
        }
    }
}

extension NotificationEvent {
    /// `ios.notification_action_fired`: what the older scheme fires for an action of a category.
    ///
    /// - Parameters:
    ///   - text: what was entered; `nil` for an action that asks for none.
    ///   - deviceName: the registration's.
    public static func categoryAction(
        _ id: String, in category: String, text: String?, deviceName: String, on subject: Subject,
        _ stamp: Stamp
    ) -> NotificationEvent {
        let own = JSONValue(json: subject.data.utf8)
        let echoed = own?["action_data"] ?? own?["push"]?["action_data"] ?? .object([:])
        var data: [String: JSONValue] = [
            "actionName": .string(id), "categoryName": .string(category),
            "sourceDeviceName": .string(deviceName), "sourceDeviceID": .string(stamp.deviceID),
            "sourceDevicePushId": .string(stamp.deviceID),
            "sourceDevicePermanentID": .string(stamp.deviceID),
            "actionData": echoed, "action_data": echoed,
        ]
        if let text { data["textInput"] = .string(text) }
        return NotificationEvent("ios.notification_action_fired", data, stamp)
    }
}
