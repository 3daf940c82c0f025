public import HomingRoutes

/// A command that is not queued: somebody waits for what comes of it.
///
/// It walks the route like the courier, each endpoint once. Home Assistant answers 200 to what it
/// could not do as to what it did, and so may a stranger: what is no sealed reply counts only with
/// a receipt from the same endpoint right after it. A command that must not be done twice is not
/// sent on once it may have arrived. `Content` is a reply as it was read.
public struct DirectCall<Content: Equatable & Sendable>: Sendable {
    /// Reply of an endpoint.
    public enum Reply: Equatable, Sendable {
        /// Sealed with our key, and opened.
        case opened(Content)
        /// 200 with `{}`.
        case emptyObject
        /// 200 with an empty body.
        case empty
        /// Refusal with status 400 or 413, and the words that came with it; `nil` without words.
        case refused(Content?)
        case failed(EndpointProblem, mayHaveArrived: Bool)
    }

    public enum Outcome: Equatable, Sendable {
        /// Home Assistant's reply, opened.
        case answered(Content)
        /// Done; Home Assistant has proved itself right after it.
        case done
        /// Home Assistant proved itself, and had not done it; its words, if it had any.
        case refused(Content?)
        /// Command that may have arrived; the result is not known.
        case unknown
        /// Command that did not arrive anywhere, with the problem of each endpoint.
        case notReached([Endpoint.Kind: EndpointProblem])
    }

    public enum Effect: Equatable, Sendable {
        /// Send the command; `replied` follows.
        case send(Endpoint)
        /// Ask for a receipt; `proved` follows.
        case askReceipt(Endpoint)
        case finish(Outcome)
    }

    private let isRepeatable: Bool
    private let expectsReply: Bool
    private var left: [Endpoint]
    private var problems: [Endpoint.Kind: EndpointProblem] = [:]
    private var current: Endpoint?
    /// Reply of the endpoint that is still to be proved.
    private var said: Reply?

    /// - Parameters:
    ///   - expectsReply: whether success has a reply of its own.
    ///   - isRepeatable: whether doing it twice is as good as once: it only asks, or says the same
    ///     again. `call_service`, `conversation_process` and `scan_tag` act.
    public init(endpoints: [Endpoint], expectsReply: Bool, isRepeatable: Bool) {
        left = endpoints
        self.expectsReply = expectsReply
        self.isRepeatable = isRepeatable
    }

    /// Begins with the first endpoint.
    public mutating func begin() -> Effect { next() }

    private mutating func next() -> Effect {
        said = nil
        guard !left.isEmpty else { return .finish(.notReached(problems)) }
        let endpoint = left.removeFirst()
        current = endpoint
        return .send(endpoint)
    }

    /// The endpoint answered, or did not.
    public mutating func replied(_ reply: Reply) -> Effect {
        guard let current else { return .finish(.notReached(problems)) }
        switch reply {
        case .opened(let content): return .finish(.answered(content))
        case .emptyObject, .empty, .refused:
            said = reply
            return .askReceipt(current)
        case .failed(let problem, let mayHaveArrived):
            problems[current.kind] = problem
            return mayHaveArrived && !isRepeatable ? .finish(.unknown) : next()
        }
    }

    /// Whether a receipt came; if not, why.
    public mutating func proved(_ problem: EndpointProblem?) -> Effect {
        guard let current, let said else { return .finish(.notReached(problems)) }
        guard let problem else {
            if said == .emptyObject, !expectsReply { return .finish(.done) }
            if case .refused(let words) = said { return .finish(.refused(words)) }
            return .finish(.refused(nil))
        }
        problems[current.kind] = problem
        // Whoever said `{}` may be Home Assistant, which has done it and went away; an empty body or
        // a 400 says that it was not done there.
        return said == .emptyObject && !isRepeatable ? .finish(.unknown) : next()
    }
}
