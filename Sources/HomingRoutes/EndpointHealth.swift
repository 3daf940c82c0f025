public import HomingBase

/// Health of one endpoint on the present network, as far as is known.
public struct EndpointHealth: Equatable, Sendable {
    /// Time of the last proof (a reply that only our Home Assistant can make).
    public private(set) var lastSuccess: Moment?
    /// Time of the last receipt on this network: a proof that cannot have been recorded before.
    public private(set) var lastReceipt: Moment?
    public private(set) var lastFailure: Moment?
    /// Reason of the last failure, for people.
    public private(set) var problem: EndpointProblem?
    /// Whether it gave a proof on this network.
    public private(set) var proved = false
    /// Time for which the endpoint is tried last: a minute, then two, up to a quarter of an hour.
    private var penalty = Pacer(.doubling(first: 60, longest: 900))
    /// Uptime until which it asked not to be tried at all (Retry-After).
    package private(set) var notBefore: Seconds = 0

    public init() {}

    /// Whether it is tried in its usual place.
    package func isPreferred(at now: Moment) -> Bool { penalty.isDue(at: now) }

    package mutating func succeeded(at now: Moment) {
        lastSuccess = now
        problem = nil
        proved = true
        penalty.succeeded()
        notBefore = 0
    }

    package mutating func gaveReceipt(at now: Moment) { lastReceipt = now }

    package mutating func failed(_ problem: EndpointProblem, at now: Moment) {
        lastFailure = now
        self.problem = problem.bounded
        switch problem {
        case .busy(let retryAfter): notBefore = now.uptime + retryAfter
        case .trackerNotLoaded, .trackerMissing: break
        case .unauthorized:
            penalty.slowDown()
            penalty.failed(at: now)
        default: penalty.failed(at: now)
        }
    }

    /// Another network: past failures say nothing, nor does a proof.
    package mutating func networkChanged() {
        penalty.succeeded()
        notBefore = 0
        proved = false
        lastReceipt = nil
    }
}

/// Reason why an endpoint did not bring a message home.
public enum EndpointProblem: Equatable, Sendable {
    /// Failure to reach the endpoint: name, route, refusal, timeout; the text says which.
    case network(String)
    /// The TLS connection was not to be trusted; the text says why.
    case tls(String)
    /// 429 or 503, with the seconds it asked for.
    case busy(retryAfter: Seconds)
    /// 502 or 504: a proxy's word that nobody is behind it.
    case unavailable(status: Int)
    /// 401 or 403.
    case unauthorized(status: Int)
    /// 200 with an empty body: Home Assistant does not know the webhook, or is starting.
    case unknownWebhook
    /// 200 with `{}` where an answer was due: Home Assistant could not open what we sent.
    case keyRefused
    /// 410: Home Assistant says the registration was deleted.
    case gone
    /// Home Assistant answers, but has not loaded its device tracker yet.
    case trackerNotLoaded
    /// Home Assistant answers, but our device tracker is disabled or deleted there.
    case trackerMissing
    /// Reply that no Home Assistant of ours gives; the text tells what the reply was.
    case foreign(String)

    /// Whether Home Assistant itself has said so, in a sealed reply: the endpoint works.
    package var isHomeAssistantsOwn: Bool { [.trackerNotLoaded, .trackerMissing].contains(self) }

    /// With its text as far as it is kept.
    var bounded: EndpointProblem {
        switch self {
        case .network(let text): .network(text.bounded(Bound.reason))
        case .tls(let text): .tls(text.bounded(Bound.reason))
        case .foreign(let text): .foreign(text.bounded(Bound.reason))
        default: self
        }
    }

    /// Whether Home Assistant has no such registration, or is starting.
    package var isUnknownRegistration: Bool { [.unknownWebhook, .gone].contains(self) }

    /// Whether nobody was reached at all.
    package var isNetwork: Bool {
        if case .network = self { true } else { false }
    }

    /// Whether it says nothing of our registration: Home Assistant was not reached.
    package var isBeforeHomeAssistant: Bool {
        switch self {
        case .network, .busy, .unavailable: true
        default: false
        }
    }
}
