internal import HomingJSON

/// The question whether a relay takes a token, for `RelayPath.check`.
public enum TokenQuestion {
    /// The body of a POST.
    public static func body(_ token: String) -> [UInt8] {
        Array(JSONValue.object([PostedToken.name: .string(token)]).json().utf8)
    }
}
