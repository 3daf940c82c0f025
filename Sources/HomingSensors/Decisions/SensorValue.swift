/// A state, or an attribute, as JSON knows it.
public enum SensorValue: Equatable, Sendable {
    case number(Double)
    case whole(Int)
    case text(String)
    case boolean(Bool)
    /// `null`: it exists and is not known at the moment.
    case unknown
    /// Home Assistant's `unavailable`: whoever told it is away (asleep, shut down, unplugged).
    case unavailable
}

extension SensorValue {
    /// The longest text Home Assistant takes for a state, in Unicode scalars; a longer one would show
    /// as `unknown`.
    static let longestText = 255

    /// A number rounded to so many decimals, up to six; `unknown` if it is none.
    public static func rounded(_ value: Double, _ decimals: Int = 0) -> SensorValue {
        guard value.isFinite, abs(value) < 1e15 else { return .unknown }
        guard decimals > 0 else { return .whole(Int(value.rounded())) }
        let scale = [10.0, 100, 1000, 10_000, 100_000, 1_000_000][min(decimals, 6) - 1]
        // Adding 0 makes -0 plain.
        return .number((value * scale).rounded() / scale + 0)
    }

    /// The value, where there may be none.
    public static func optional(_ text: String?) -> SensorValue {
        text.map { .text($0) } ?? .unknown
    }

    /// The number rounded, where there may be none.
    public static func optional(_ value: Double?, _ decimals: Int = 0) -> SensorValue {
        value.map { .rounded($0, decimals) } ?? .unknown
    }

    /// Bytes of it: a text's, or those of a number.
    var size: Int { if case .text(let text) = self { text.utf8.count } else { 8 } }

    /// The number it stands for, if it is one.
    var number: Double? {
        switch self {
        case .number(let value): value
        case .whole(let value): Double(value)
        default: nil
        }
    }

    /// A text no longer than Home Assistant takes, on one line; other values as they are.
    var fitted: SensorValue {
        guard case .text(let text) = self else { return self }
        let isPlain = text.unicodeScalars.allSatisfy { !$0.properties.isControl }
        guard !isPlain || text.unicodeScalars.count > Self.longestText else { return self }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(Self.longestText + 1) {
            scalars.append(scalar.properties.isControl ? " " : scalar)
        }
        guard scalars.count > Self.longestText else { return .text(String(scalars)) }
        scalars.removeLast(2)
        return .text(String(scalars) + "…")
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isControl: Bool { generalCategory == .control }
}
