public import HomingBase

/// The categories of the older scheme that are known, and when they are asked for again.
///
/// Home Assistant has them at `/api/ios/push`, which is not there before its `ios` integration is set
/// up: minutes after the channel opened, where it starts on a slow machine. So one 404 says only that
/// it is worth asking again; a second one, some minutes later, that there are none.
public struct CategoryStore: Sendable {
    /// Answer of Home Assistant when Homing asks for the categories.
    public enum Answer: Equatable, Sendable {
        case list([PushCategory])
        /// Page that does not exist.
        case missing
        /// Failure: Home Assistant cannot be asked, or says something else.
        case failed
    }

    /// Seconds until it is asked again.
    public static let patience: Seconds = 300
    /// Failures running after which it is not asked again before the channel opens again.
    static let tries = 3

    private var categories: [String: PushCategory] = [:]
    /// Uptime of the first answer that there are none.
    private var missingSince: Seconds?
    private var failures = 0
    /// Uptime at which to ask again, if at all.
    public private(set) var nextAsking: Seconds?

    public init() {}

    /// Number of known categories.
    public var count: Int { categories.count }

    /// The category of that name, in letters of either case.
    public subscript(name: String) -> PushCategory? { categories[name.lowercased()] }

    /// Takes an answer.
    public mutating func recordAnswer(_ answer: Answer, at now: Moment) {
        nextAsking = nil
        switch answer {
        case .list(let list):
            categories = Dictionary(list.map { ($0.id, $0) }) { first, _ in first }
            (missingSince, failures) = (nil, 0)
        case .missing:
            failures = 0
            let since = missingSince ?? now.uptime
            let isConfirmed = now.uptime - since >= Self.patience
            if isConfirmed { categories = [:] }
            missingSince = isConfirmed ? nil : since
            nextAsking = isConfirmed ? nil : since + Self.patience
        case .failed:
            failures += 1
            nextAsking = failures < Self.tries ? now.uptime + Self.patience : nil
        }
    }
}
