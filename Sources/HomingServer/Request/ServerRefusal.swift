public import HomingBase

/// A reason for which the server refuses a request without asking the program.
public enum ServerRefusal: Error, Equatable, Sendable {
    /// The request breaks a rule of HTTP; the text says which.
    case malformed(String)
    /// The head has come too slowly.
    case slowHead
    /// The body has come too slowly.
    case slowBody
    /// The head is longer than so many bytes.
    case headTooLarge(Int)
    /// The body is longer than so many bytes.
    case bodyTooLarge(Int)
    /// The program has not answered for so many seconds.
    case noAnswer(Seconds)
    /// The client has too many WebSockets.
    case crowded
    /// Too many bodies are under way.
    case overloaded
    /// The server is shutting down.
    case ending
    /// The request is not a valid upgrade to a WebSocket; the text says why.
    case noWebSocket(String)
    /// A WebSocket version other than 13, or a plain request to a WebSocket's path.
    case upgradeNeeded

    /// The answer's status.
    public var status: Int {
        switch self {
        case .malformed, .noWebSocket: 400
        case .slowHead, .slowBody: 408
        case .bodyTooLarge: 413
        case .upgradeNeeded: 426
        case .crowded: 429
        case .headTooLarge: 431
        case .noAnswer, .overloaded, .ending: 503
        }
    }

    /// The problem and its remedy, for people.
    public var message: String {
        switch self {
        case .malformed(let why): "the request is not valid HTTP/1.1: \(why)"
        case .slowHead, .slowBody: "the request was too slow; send it again"
        case .headTooLarge(let limit): "the request's head has more than \(limit) bytes"
        case .bodyTooLarge(let limit): "the request's body has more than \(limit) bytes"
        case .noAnswer: "there was no answer in time; try again later"
        case .crowded: "too many connections from this address; close other connections"
        case .overloaded: "too many requests are open; try again later"
        case .ending: "the server is shutting down; try again later"
        case .noWebSocket(let why): "this is not a WebSocket request: \(why)"
        case .upgradeNeeded: "this path requires an upgrade to a WebSocket of version 13"
        }
    }

    /// The answer with `message` and `errorMessage`, which both kinds of Home Assistant read.
    public var answer: ServerAnswer {
        // All messages are constants without characters that JSON escapes.
        let body = "{\"message\":\"\(message)\",\"errorMessage\":\"\(message)\"}"
        var fields: [(name: String, value: String)] = []
        if status == 503 || status == 429 { fields.append((name: "Retry-After", value: "5")) }
        if status == 426 { fields.append((name: "Sec-WebSocket-Version", value: "13")) }
        return ServerAnswer(status, json: Array(body.utf8), fields: fields)
    }
}
