internal import HomingCrypto
internal import HomingJSON

/// A relay's answer over HTTP. The body is always JSON, also on failure: Home Assistant reads
/// nothing else (`mobile_app/notify.py`). The members are those of developers.home-assistant.io,
/// "Push notifications".
public enum RelayAnswer: Equatable, Sendable {
    /// The message is stored under this id, now or by an earlier post.
    case accepted(MessageID, DayCount)
    /// The day's maximum was reached.
    case limited(DayCount)
    /// The count that was asked for.
    case checked(DayCount)
    /// A device has joined.
    case joined(JoinAnswer)
    /// The front forwards from now on. The grant is sealed for a device that gets another token.
    case forwards(renewal: [UInt8]?)
    /// The request failed. The count is present if the mailbox is known.
    case refused(RelayRefusal, DayCount? = nil)

    /// The HTTP status code.
    public var status: Int {
        switch self {
        case .accepted: 201
        case .checked, .joined, .forwards: 200
        case .limited: 429
        case .refused(let refusal, _): refusal.status
        }
    }

    /// `Retry-After` in seconds.
    public var retryAfter: Int? {
        if case .refused(let refusal, _) = self { refusal.retryAfter } else { nil }
    }

    /// A JSON object.
    public var body: [UInt8] {
        if case .refused(let refusal, nil) = self { return Self.refusals[refusal] ?? text }
        return text
    }

    /// The bodies of all refusals without a count, which never change: who posts wrong tokens all day
    /// costs no writing.
    private static let refusals = Dictionary(
        uniqueKeysWithValues: RelayRefusal.allCases.map { ($0, RelayAnswer.refused($0).text) })

    private var text: [UInt8] {
        let (members, count) = content
        var object = members
        // No `rateLimits` without a maximum: Home Assistant fails on an incomplete `rateLimits`.
        if let limits = count?.rateLimits { object["rateLimits"] = limits }
        return Array(JSONValue.object(object).json().utf8)
    }

    /// Whether a body is a relay's answer to a post, or to the question for a count. Another server may
    /// answer any POST with 200.
    public static func isReceipt(_ body: [UInt8]) -> Bool {
        guard body.count <= JoinAnswer.limit, let value = JSONValue(json: body) else {
            return false
        }
        return value["id"]?.string.flatMap { MessageID(text: $0) } != nil
            || value["unlimited"] != nil
    }

    private var content: ([String: JSONValue], DayCount?) {
        switch self {
        case .accepted(let id, let count): (["id": .string(id.text)], count)
        case .checked(let count): (["unlimited": .boolean(count.maximum == 0)], count)
        case .joined(let answer): (answer.members, nil)
        case .forwards(let renewal):
            (["renewal": renewal.map { .string(URLBase64.text(of: $0)) } ?? .null], nil)
        case .limited(let count):
            (
                Self.failure(
                    RelayProblem.limitedWord,
                    "The device has reached its limit of \(count.maximum) notifications a day."
                        + " The count ends at \(RelayTime.text(of: count.resetsAt)). Send fewer"
                        + " notifications, or ask the relay's operator for a higher limit."), count
            )
        case .refused(let refusal, let count):
            (Self.failure(refusal.rawValue, refusal.description), count)
        }
    }

    /// Releases of Home Assistant read `message` or `errorMessage`, whose last character they look at.
    private static func failure(_ type: String, _ message: String) -> [String: JSONValue] {
        [
            "errorType": .string(type), "message": .string(message),
            "errorMessage": .string(message),
        ]
    }
}
