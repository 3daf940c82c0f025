internal import HomingJSON

extension JSONValue {
    /// The JSON object of a post to a relay. Throws the refusal for anything else.
    init(posted body: [UInt8], within limits: JSONLimits) throws(RelayRefusal) {
        do {
            self = try JSON.value(of: body, within: limits)
        } catch {
            throw RelayRefusal(error)
        }
        guard case .object = self else { throw .notAnObject }
    }
}

/// The token of a post.
public enum PostedToken {
    /// The member of a post that holds the token.
    static let name = "push_token"

    /// Finds the token without reading the post, so that a forged token costs little. `nil` where an
    /// escape hides the token, and where there is no token.
    public static func open(in body: [UInt8]) -> String? {
        JSON.openText(of: name, in: body).flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension RelayRefusal {
    fileprivate init(_ error: JSONError) {
        self =
            switch error {
            case .tooLong, .tooMany: .tooLarge
            case .tooDeep: .tooDeep
            case .notExact, .malformed: .malformed
            }
    }
}
