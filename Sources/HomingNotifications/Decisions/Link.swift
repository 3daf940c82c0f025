internal import HomingBase

/// Target of a click: the web, or a page of our own Home Assistant. Nothing else is a link, so no
/// notification can open a file, run a script or start a program. No path has a segment `.` or
/// `..`.
public enum Link: Hashable, Codable, Sendable {
    /// An `http` or `https` URL.
    case web(String)
    /// A path of Home Assistant's, such as `/lovelace/cameras`.
    case homeAssistant(path: String)

    /// The longest address that is followed, in bytes.
    static let limit = 2048

    /// Reads a `url`, `clickAction` or `uri`; `nil` for what must not be followed.
    public init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= Link.limit,
            text.unicodeScalars.allSatisfy(Link.isPlain)
        else { return nil }
        if WebAddress(text) != nil {
            self = .web(text)
        } else if text.hasPrefix("/"), !text.hasPrefix("//") {
            self = .homeAssistant(path: text)
        } else {
            return nil
        }
        guard path.isPlain else { return nil }
    }

    /// Neither blank nor control, nor one of the characters that programs take for the end of an
    /// address or for another slash.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "'", "<", ">", "\\", "`", "{", "}", "|", "^": false
        default: scalar.value > 0x20 && !(0x7f...0xa0).contains(scalar.value)
        }
    }

    private var path: LinkPath {
        switch self {
        case .web(let url): LinkPath(ofAddress: url)
        case .homeAssistant(let path): LinkPath(path)
        }
    }

    /// Whether it is a page below `/api/` of the Home Assistant at `base`, which may have the token.
    /// True only if every program between takes it for one.
    public func isForTheToken(base: String) -> Bool {
        guard path.isPlain else { return false }
        return switch self {
        case .web(let url): url.hasPrefix("\(base)/api/")
        case .homeAssistant(let path): path.hasPrefix("/api/")
        }
    }

    /// The address to open, with Home Assistant at `base` (a URL without a trailing slash).
    public func address(base: String) -> String {
        switch self {
        case .web(let url): url
        case .homeAssistant(let path): base + path
        }
    }
}
