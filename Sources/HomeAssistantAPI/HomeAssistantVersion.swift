/// A release of Home Assistant, by its year and month: `2026.11.0b2` is 2026.11.
public struct HomeAssistantVersion: Comparable, Sendable {
    public let year: Int
    public let month: Int

    public init(year: Int, month: Int) {
        self.year = year
        self.month = month
    }

    /// `nil` if the text does not begin with a year and a month.
    public init?(_ text: String) {
        let numbers = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 2)
            .prefix(2).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 2, numbers[0] > 0, 1...12 ~= numbers[1] else { return nil }
        self.init(year: numbers[0], month: numbers[1])
    }

    public static func < (left: HomeAssistantVersion, right: HomeAssistantVersion) -> Bool {
        (left.year, left.month) < (right.year, right.month)
    }
}
