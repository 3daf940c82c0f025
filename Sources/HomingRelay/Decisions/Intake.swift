internal import HomingBase
internal import HomingRelayProtocol

/// A notification that may be stored: plaintext, or the box of a front, which is let go once it is
/// sealed. It does not print itself.
struct Letter: Sendable, NeverPrinted {
    let token: PushToken
    private let content: Parcel.Content
    private let kind: PushRequest.Kind
    /// Seconds until the message expires.
    private let life: Seconds
    /// Seconds since the message came to the front; 0 without a front.
    private let waited: Seconds
    private let tag: String?
    private let confirmID: String?
    private let isClearing: Bool

    init(_ request: PushRequest, for token: PushToken) {
        self.token = token
        content = .push(request.body)
        (kind, life, waited) = (request.kind, request.life, 0)
        (tag, confirmID) = (request.clears ?? request.tag, request.confirmID)
        isClearing = request.clears != nil
    }

    init(_ request: SealedRequest, for token: PushToken) {
        self.token = token
        content = .forwarded(request.box)
        (kind, life, waited) = (request.kind, request.life, request.waited)
        (tag, confirmID) = (request.tag, request.confirmID)
        isClearing = request.isClearing
    }

    /// The parcel to be sealed.
    ///
    /// - Parameter now: milliseconds since 1970.
    func parcel(_ id: MessageID, at now: Int64) -> Parcel {
        Parcel(
            id: id, mailbox: token.mailbox, arrived: now - Int64(waited * 1000),
            expires: expiry(at: now), content: content)
    }

    /// The deposit for the store: names are blind, and the text is sealed.
    func deposit(
        _ id: MessageID, sealed parcel: [UInt8], names ring: TokenRing, at now: Int64
    ) -> Deposit {
        let blind = { (text: String?, use: TokenRing.Use) in
            text.map { ring.blindName($0, as: use, in: token.mailbox) }
        }
        return Deposit(
            .push(kind), id: id, for: token.mailbox, generation: token.generation,
            expires: expiry(at: now), tag: blind(tag, .tag),
            confirmation: blind(confirmID, .confirmID), isClearing: isClearing, parcel: parcel)
    }

    private func expiry(at now: Int64) -> Int64 { now + Int64(life * 1000) }
}

/// Decides about Home Assistant's posts: refuses them at once, or sends them to the store and
/// answers by its outcome.
struct Intake: Sendable {
    /// Notifications, and commands, that a device may have in a day.
    let limits: StoreLimits

    /// The decision about a post.
    enum Verdict: Sendable {
        case refused(RelayRefusal)
        case taken(Letter)
    }

    /// The decision about an outcome: the answer, and a notice for the device.
    struct Ending: Equatable, Sendable {
        var answer: RelayAnswer
        var notice: RelayNotice?
        /// The part of the notice that the store reads.
        var storedNotice: Deposit.Notice?
    }

    /// Looks at a post's token, and reads the post. A forged token is refused before the post is read,
    /// unless an escape hides the token.
    ///
    /// - Parameter now: uptime.
    func judge<Post: RelayPost, Address>(
        _ body: [UInt8], as kind: Post.Type, by ring: TokenRing, from address: Address,
        _ throttle: inout Throttle<Address>, at now: Seconds
    ) -> Verdict {
        do throws(RelayRefusal) {
            if let text = PostedToken.open(in: body) {
                let token = try token(text, by: ring, from: address, &throttle, at: now)
                return .taken(try Post(body: body).letter(for: token))
            }
            let post = try Post(body: body)
            let token = try token(post.token, by: ring, from: address, &throttle, at: now)
            return .taken(post.letter(for: token))
        } catch {
            return .refused(error)
        }
    }

    /// Reads a token that this ring made, without the store. Throws `.badToken` or
    /// `.tooManyBadTokens`.
    func token<Address>(
        _ text: String, by ring: TokenRing, from address: Address,
        _ throttle: inout Throttle<Address>, at now: Seconds
    ) throws(RelayRefusal) -> PushToken {
        if let token = PushToken(text), ring.isOwn(token) { return token }
        guard throttle.allows(.badToken, by: address, at: now) else { throw .tooManyBadTokens }
        throttle.note(.badToken, by: address, at: now)
        throw .badToken
    }

    /// Decides about an outcome of the store's.
    func ending(_ result: Result<Acceptance, StoreFailure>, of deposit: Deposit) -> Ending {
        switch result {
        case .success(.stored(let count)): Ending(answer: .accepted(deposit.id, count))
        case .success(.repeated(let id, let count)): Ending(answer: .accepted(id, count))
        case .success(.limited(let count, let isTold)): limited(count, deposit.content, isTold)
        case .success(.revoked): Ending(answer: .refused(.revoked))
        case .success(.blocked): Ending(answer: .refused(.blocked))
        case .success(.full): Ending(answer: .refused(.storeFailed))
        case .success(.outdated): Ending(answer: .refused(.failed))
        case .failure(let failure): Ending(answer: .refused(failure.refusal))
        }
    }

    private func limited(
        _ count: DayCount, _ content: Deposit.Content, _ isTold: Bool
    ) -> Ending {
        guard case .push(let kind) = content else { return Ending(answer: .refused(.failed)) }
        var ending = Ending(
            answer: kind == .notification ? .limited(count) : .refused(.tooManyOrders, count))
        guard !isTold else { return ending }
        ending.storedNotice = .limitReached(kind)
        ending.notice = .limitReached(
            maximum: kind == .notification ? limits.maximum : limits.commands,
            resetsAt: count.resetsAt)
        return ending
    }

    /// Decides about the question for a token's count.
    func ending(_ result: Result<TokenCheck, StoreFailure>) -> RelayAnswer {
        switch result {
        case .success(.good(let count)): .checked(count)
        case .success(.revoked): .refused(.revoked)
        case .success(.blocked): .refused(.blocked)
        case .failure(let failure): .refused(failure.refusal)
        }
    }
}

extension StoreFailure {
    /// The refusal for senders and devices.
    var refusal: RelayRefusal {
        switch kind {
        case .overloaded: .overloaded
        case .closed: .ending
        case .full, .failed, .exhausted, .unfit: .storeFailed
        }
    }
}
