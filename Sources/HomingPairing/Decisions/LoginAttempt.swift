internal import HomingBase

/// Login in a browser by Home Assistant's OAuth 2 (developers.home-assistant.io, docs/auth_api):
/// the page to open, and what comes back.
public struct LoginAttempt: Equatable, Sendable {
    /// This program, to Home Assistant: a loopback address, which needs no page on the internet.
    public let clientID: String
    /// Address to which the browser is sent with the code; on the same port.
    public let redirectURI: String
    /// Random; an answer with another one is not to this question.
    let state: String
    /// PKCE's secret, of which the page gets the hash alone; `nil` for a server that does not
    /// advertise it, as such a one refuses it.
    public let verifier: String?
    private let challenge: String?

    /// - Parameters:
    ///   - port: of the loopback listener.
    ///   - state: unguessable, of characters that a URL takes as they are; as `verifier` and
    ///     `challenge` (RFC 7636, S256).
    public init(port: UInt16, state: String, verifier: String? = nil, challenge: String? = nil) {
        clientID = "http://127.0.0.1:\(port)"
        redirectURI = "\(clientID)\(Self.path)"
        self.state = state
        self.verifier = verifier
        self.challenge = challenge
    }

    static let path = "/callback"

    /// The page to open.
    public func page(at base: String) -> String {
        var url = "\(base)/auth/authorize?response_type=code&client_id=\(clientID.percentEncoded)"
        url += "&redirect_uri=\(redirectURI.percentEncoded)&state=\(state)"
        if let challenge { url += "&code_challenge=\(challenge)&code_challenge_method=S256" }
        return url
    }

    /// Meaning of an answer.
    public enum Answer: Equatable, Sendable {
        case code(String)
        /// Answer to another login, which is not to be trusted.
        case wrongState
        /// Home Assistant's or the person's no.
        case refused(String)
        /// Long-lived access token, which is no answer to a login.
        case token
        /// Another page that a browser asks for by itself, or text that is no answer at all.
        case unrelated
    }

    /// Reads the target of a request to the loopback port: `/callback?code=…&state=…`.
    public func read(target: String) -> Answer {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.first.map(String.init) == Self.path, parts.count == 2 else { return .unrelated }
        let query = parts[1].prefix { $0 != "#" }
        var values: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            values[String(sides[0])] = sides.count == 2 ? Self.unescaped(sides[1]) : ""
        }
        guard values["state"] == state else { return .wrongState }
        if let error = values["error"] { return .refused(error) }
        guard let code = values["code"], Self.isCode(code) else { return .unrelated }
        return .code(code)
    }

    /// Reads what a person pasted: the address that the browser came to, or the code in it alone.
    public func read(pasted text: String) -> Answer {
        let text = text.trimmed
        if let path = text.firstPlace(of: "\(Self.path)?") {
            return read(target: String(text[path.lowerBound...]))
        }
        if Self.isToken(text) { return .token }
        return Self.isCode(text) ? .code(text) : .unrelated
    }

    /// Home Assistant's tokens are JSON Web Tokens (RFC 7519): three parts, of which the first is an object.
    static func isToken(_ text: String) -> Bool {
        let word = text.split { " \"'".contains($0) }.last ?? ""
        return word.hasPrefix("eyJ") && word.split(separator: ".").count == 3
    }

    /// Home Assistant's codes are 32 hexadecimal digits; another server's may be longer.
    private static func isCode(_ text: String) -> Bool {
        text.isMade(of: ASCII.letters + ASCII.digits + "-_.~", 16...512)
    }

    private static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self).streamSafe
    }
}
