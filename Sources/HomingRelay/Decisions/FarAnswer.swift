internal import HomingBase
internal import HomingRelayProtocol

/// The meaning of a far relay's answer to a front.
enum FarAnswer: Equatable, Sendable {
    /// The far relay has the message, or takes the token.
    case taken
    /// The far relay does not take the token: the device has to join again.
    case tokenRefused
    /// The far relay's limit for messages of that kind is reached.
    case limited(PushRequest.Kind)
    /// Too many requests. Seconds that the far relay asks for.
    case tooFast(Seconds)
    /// The far relay will never take this message; why, for people.
    case messageRefused(String)
    /// The far relay fails, or something else answers; why, for people. Seconds that it asks for.
    case away(String, Seconds?)

    /// Reads the answer to the post of a message of that kind.
    init(status: Int, body: [UInt8], retryAfter: Seconds?, kind: PushRequest.Kind) {
        if (200...299).contains(status) {
            self =
                RelayAnswer.isReceipt(body)
                ? .taken : .away("no Homing relay answers there", retryAfter)
            return
        }
        switch RelayProblem(body: body) {
        case .limited: self = .limited(kind)
        case .refused(let refusal): self.init(refusal, retryAfter)
        // A proxy before the far relay.
        case nil where status == 413: self = .messageRefused("it answers with status 413")
        case nil: self = .away("it answers with status \(status)", retryAfter)
        }
    }

    private init(_ refusal: RelayRefusal, _ retryAfter: Seconds?) {
        let answer = "it answers with status \(refusal.status)"
        switch refusal {
        case .badToken, .revoked, .blocked, .isFront, .noToken, .tooManyBadTokens:
            self = .tokenRefused
        case .tooManyOrders: self = .limited(.free)
        case .tooFast: self = .tooFast(retryAfter ?? 1)
        case .wrongBox, .tooLarge, .malformed, .tooDeep, .notAnObject:
            self = .messageRefused(answer)
        case .notFound: self = .away("it is too old for fronts: update the far relay", retryAfter)
        default: self = .away(answer, retryAfter)
        }
    }
}
