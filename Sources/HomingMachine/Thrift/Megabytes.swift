/// Data in megabytes (1 000 000 bytes), as providers count it.
public enum Megabytes {
    public static let bytes = 1_000_000

    /// `12.4 MB`.
    public static func text(_ bytes: Int) -> String {
        "\(rounded(Double(bytes) / Double(Self.bytes))) MB"
    }

    /// To one decimal, and without it from 100 on.
    static func rounded(_ value: Double) -> String {
        let bounded = max(0, min(value, 1e12))
        if bounded >= 100 { return "\(Int(bounded.rounded()))" }
        let tenths = Int((bounded * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
