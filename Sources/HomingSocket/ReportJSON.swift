internal import HomingJSON

/// Text that `--json` prints.
public enum ReportJSON {
    /// JSON with snake_case keys, sorted.
    public static func text(_ value: some Encodable, pretty: Bool = true) -> String {
        // Numbers are finite and keys are text, so encoding cannot fail.
        let bytes = (try? JSON.bytes(value, names: .snakeCase, pretty: pretty)) ?? []
        return String(decoding: bytes, as: UTF8.self)
    }
}
