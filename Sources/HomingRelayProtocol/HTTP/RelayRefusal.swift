/// A reason for which a relay refuses a request. The raw values are those of `errorType` and of
/// frames, and never change. A reason holds no part of the request.
public enum RelayRefusal: String, Error, CaseIterable, Sendable {
    // The request.
    case malformed = "MalformedJSON"
    case tooDeep = "TooDeeplyNested"
    case notAnObject = "NotAnObject"
    case tooLarge = "PayloadTooLarge"
    case headTooLarge = "HeadTooLarge"
    case wrongMethod = "WrongMethod"
    case wrongType = "WrongContentType"
    case notFound = "NotFound"
    case notSocket = "UpgradeRequired"
    case tooSlow = "TooSlow"
    // The sender.
    case noToken = "NoToken"
    case badToken = "InvalidToken"
    case revoked = "RevokedToken"
    case blocked = "Blocked"
    case wrongProof = "WrongProof"
    case wrongFrame = "WrongFrame"
    case wrongBox = "WrongBox"
    // The rate.
    case tooFast = "TooFast"
    case tooManyOrders = "TooManyOrders"
    case tooManyBadTokens = "TooManyBadTokens"
    case tooManySockets = "TooManySockets"
    // Joining.
    case joinClosed = "JoinClosed"
    case codeNeeded = "CodeNeeded"
    case codeWrong = "WrongCode"
    case badKey = "InvalidKey"
    case tooManyGuesses = "TooManyGuesses"
    case tooManyJoins = "TooManyJoins"
    // A front.
    case isFront = "IsFront"
    case farTokenWrong = "WrongFarToken"
    case farAway = "FarRelayAway"
    // The relay itself.
    case overloaded = "Overloaded"
    case storeFailed = "StoreFailed"
    case ending = "Ending"
    case failed = "InternalError"
}

extension RelayRefusal {
    /// The HTTP status code.
    public var status: Int {
        switch self {
        case .malformed, .tooDeep, .notAnObject, .badKey, .wrongFrame, .wrongBox: 400
        case .noToken, .badToken, .revoked, .blocked, .wrongProof: 403
        case .joinClosed, .codeNeeded, .codeWrong, .isFront, .farTokenWrong: 403
        case .notFound: 404
        case .wrongMethod: 405
        case .tooSlow: 408
        case .tooLarge: 413
        case .wrongType: 415
        case .notSocket: 426
        case .tooFast, .tooManyOrders, .tooManyBadTokens, .tooManySockets: 429
        case .tooManyGuesses, .tooManyJoins: 429
        case .headTooLarge: 431
        case .failed: 500
        case .overloaded, .storeFailed, .ending, .farAway: 503
        }
    }

    /// Seconds after which the client may repeat the request; `nil` if waiting does not help.
    public var retryAfter: Int? {
        switch self {
        case .tooFast: 1
        case .overloaded, .ending: 5
        case .storeFailed, .farAway: 30
        case .tooManyBadTokens, .tooManySockets: 60
        case .tooManyGuesses, .tooManyJoins: 3600
        default: nil
        }
    }
}

extension RelayRefusal: CustomStringConvertible {
    /// The problem and its remedy, for people. Home Assistant logs this text.
    public var description: String {
        switch self {
        case .malformed, .tooDeep, .notAnObject, .tooLarge, .headTooLarge, .wrongMethod,
            .wrongType, .notFound, .notSocket, .tooSlow:
            ofRequest
        case .noToken, .badToken, .revoked, .blocked, .wrongProof, .wrongFrame, .wrongBox:
            ofAsker
        case .tooFast, .tooManyOrders, .tooManyBadTokens, .tooManySockets, .tooManyGuesses,
            .tooManyJoins:
            ofRate
        case .joinClosed, .codeNeeded, .codeWrong, .badKey: ofJoin
        case .isFront, .farTokenWrong, .farAway: ofFront
        case .overloaded, .storeFailed, .ending, .failed: ofRelay
        }
    }

    private var ofRequest: String {
        switch self {
        case .malformed: "The body is not JSON. Send one JSON object in UTF-8."
        case .tooDeep: "The body is nested more than 32 levels deep. Send flatter data."
        case .notAnObject: "The body is not a JSON object. Send an object with push_token."
        case .tooLarge: "The body is larger than \(PushRequest.limit) bytes. Send less data."
        case .headTooLarge: "The request's head is too large. Send fewer or shorter headers."
        case .wrongMethod: "This path takes another method. Send notifications by POST."
        case .wrongType: "The Content-Type is not JSON. Send application/json."
        case .notFound: "This path does not exist. Send notifications to \(RelayPath.push)."
        case .notSocket: "This path is a WebSocket for devices. Send an upgrade request."
        default: "The request was incomplete when its time was over. Send it again."
        }
    }

    private var ofAsker: String {
        switch self {
        case .noToken: "The request has no push_token. Send the device's token as text."
        case .badToken:
            "The push token is not from this relay. Let the device join the relay again."
        case .revoked:
            "The push token is revoked, and the device has a newer token. Reload the device's"
                + " integration in Home Assistant."
        case .blocked: "This device is blocked. Ask the relay's operator to unblock it."
        case .wrongProof: "The device's key does not match its token. Let the device join again."
        case .wrongBox: "The box is malformed. Update front and relay to the same version."
        default: "The frame is not expected here. Update relay and device to the same version."
        }
    }

    private var ofRate: String {
        switch self {
        case .tooFast: "Too many messages came at once. Wait a second, and send fewer messages."
        case .tooManyOrders:
            "The device has reached its daily limit of commands and critical alerts. Send fewer."
        case .tooManyBadTokens:
            "This address sent too many wrong push tokens. Correct the token, and wait a minute."
        case .tooManySockets: "Too many connections are open. Close the other connections."
        case .tooManyGuesses:
            "This address sent too many wrong codes. Wait an hour, and ask for a new code."
        default: "Too many devices joined from this address. Wait an hour."
        }
    }

    private var ofJoin: String {
        switch self {
        case .joinClosed: "This relay takes no new devices. Ask its operator to allow joining."
        case .codeNeeded: "This relay requires an invitation code. Ask its operator for a code."
        case .codeWrong:
            "The code is wrong, used up or expired. Ask the relay's operator for a new code."
        default: "The public key cannot be used. Send 32 bytes of a fresh X25519 key as Base64."
        }
    }

    private var ofFront: String {
        switch self {
        case .isFront: "This relay is a front without mailboxes. Let the device join again."
        case .farTokenWrong:
            "The far relay does not take the token, or the token is of another device. Let the"
                + " device join again."
        default: "The far relay cannot be reached. Send the request again in half a minute."
        }
    }

    private var ofRelay: String {
        switch self {
        case .overloaded: "The relay is overloaded. Send the request again in some seconds."
        case .storeFailed:
            "The relay's store failed. Send the request again in half a minute. The relay's log has"
                + " the reason."
        case .ending: "The relay is shutting down. Send the request again in some seconds."
        default: "The relay has an internal error. Ask its operator to read the relay's log."
        }
    }
}
