public import HomingBase
public import HomingLocation

/// Decides when a look-up service is asked where the machine is, and which answers are used.
///
/// The service is asked once and let go, never watched: a watch scans for networks every ten seconds.
/// The service is asked only while a Home Assistant wants to know, which is while no receiver and no
/// network shows the place.
public struct LookUpStage: Equatable, Sendable {
    public struct Settings: Equatable, Sendable {
        /// Whether the service may be asked at all.
        public var isOn: Bool
        /// Seconds from one answer to the next question; 0 for no question without an occasion.
        public var interval: Seconds
        /// Metres: a less accurate answer is no answer.
        public var maxAccuracy: Double

        public init(isOn: Bool = false, interval: Seconds = 1800, maxAccuracy: Double = 200) {
            self.isOn = isOn
            self.interval = interval
            self.maxAccuracy = maxAccuracy
        }
    }

    /// An answer of the service.
    public enum Answer: Equatable, Sendable {
        case located(PositionReport)
        /// The service knows no place now, or is not there; the reason for people.
        case failed(String)
        /// Somebody does not permit the question; the reason for people.
        case refused(String)
    }

    public enum Event: Equatable, Sendable {
        case settings(Settings)
        /// Whether any Home Assistant wants to know.
        case wanted(Bool)
        /// The links by NetworkManager; `nil` while NetworkManager is away.
        case links(NetworkLinks?)
        case sleep(SleepState)
        /// Somebody asks for the place now.
        case request
        /// The last answer contradicts what was told: a second answer decides.
        case doubt
        /// The answer to `ask`.
        case answer(Answer)
        /// The time of a `wake` has come, or nearly.
        case wake
    }

    public enum Effect: Equatable, Sendable {
        /// Ask the service; one `answer` follows, unless `cancel` comes first.
        case ask
        /// Let the service go.
        case cancel
        /// The machine is here.
        case found(Fix)
        /// Send `wake` at this uptime; `nil` for never.
        case wake(at: Seconds?)
    }

    /// Answer of the service that came last.
    public enum Outcome: Equatable, Sendable {
        case none
        case found(Fix, at: Moment)
        case failed(String)
        case refused(String)
    }

    /// Seconds from another network to the question: the machine has to hear its neighbours first.
    static let settling: Seconds = 10
    /// Seconds that the service may take.
    static let patience: Seconds = 30
    /// Seconds between two questions.
    static let pause: Seconds = 30
    /// Seconds from an answer that contradicts what was told to the second question.
    static let doubtTime: Seconds = 60
    /// Seconds after a failure, doubled with each, up to the last.
    static let retry: (first: Seconds, last: Seconds) = (60, 3600)

    public private(set) var outcome = Outcome.none
    private var settings = Settings()
    private var isWanted = false
    private var isAsleep = false
    /// The identities of the links, as far as they tell one network from another; `nil` where nobody tells
    /// of links.
    private var networks: [String]?
    /// Uptime of the next question.
    private var due: Seconds?
    /// Uptime at which the question under way is given up.
    private var deadline: Seconds?
    /// Uptime of the last question.
    private var lastAsked: Seconds?
    private var failures = 0
    private var wakesAt: Seconds?

    public init() {}

    /// Whether the service is being asked.
    public var isAsking: Bool { deadline != nil }

    public mutating func handle(_ event: Event, at now: Moment) -> [Effect] {
        var effects = applyLookUpEvent(event, at: now)
        if let deadline, now.uptime >= deadline {
            effects.append(.cancel)
            effects += answered(.failed("no answer in \(Int(Self.patience)) s"), at: now)
        }
        effects += review(at: now)
        let next = deadline ?? (mayAsk ? due : nil)
        // The time comes first: an answer may follow at once, and changes the time.
        if next != wakesAt || event == .wake { effects.insert(.wake(at: next), at: 0) }
        wakesAt = next
        return effects
    }

    private mutating func applyLookUpEvent(_ event: Event, at now: Moment) -> [Effect] {
        switch event {
        case .settings(let new):
            guard new != settings else { return [] }
            if new.isOn != settings.isOn {
                (outcome, failures) = (.none, 0)
                if new.isOn { scheduleQuestion(within: 0, now) }
            }
            settings = new
        case .wanted(let isWanted):
            // What failed is not tried earlier for that.
            if isWanted, !self.isWanted, due == nil || hasAnswer {
                scheduleQuestion(within: 0, now)
            }
            self.isWanted = isWanted
        case .links(let links):
            let new = links?.links.map { "\($0.uuid) \($0.bssid ?? "") \($0.gateways)" }
            guard new != networks else { return [] }
            networks = new
            failures = 0
            scheduleQuestion(within: Self.settling, now)
        case .sleep(.preparing): isAsleep = true
        case .sleep(.awake):
            isAsleep = false
            scheduleQuestion(within: Self.settling, now)
        case .request: if !isAsking { scheduleQuestion(within: 0, now) }
        case .doubt: due = now.uptime + Self.doubtTime
        case .answer(let answer): if isAsking { return answered(answer, at: now) }
        case .wake: break
        }
        return []
    }

    /// A question in so many seconds, or earlier if one is due earlier.
    private mutating func scheduleQuestion(within seconds: Seconds, _ now: Moment) {
        due = min(due ?? .infinity, now.uptime + seconds)
    }

    private var hasAnswer: Bool { if case .found = outcome { true } else { false } }

    private var mayAsk: Bool { settings.isOn && isWanted && !isAsleep && networks != [] }

    private mutating func review(at now: Moment) -> [Effect] {
        guard mayAsk else {
            defer { deadline = nil }
            return isAsking ? [.cancel] : []
        }
        guard !isAsking, var time = due else { return [] }
        if let lastAsked { time = max(time, lastAsked + Self.pause) }
        due = time
        guard now.uptime >= time else { return [] }
        (due, lastAsked, deadline) = (nil, now.uptime, now.uptime + Self.patience)
        return [.ask]
    }

    private mutating func answered(_ answer: Answer, at now: Moment) -> [Effect] {
        deadline = nil
        switch answer {
        case .located(let report):
            switch reading(report, now) {
            case .success(let fix):
                failures = 0
                outcome = .found(fix, at: now)
                if settings.interval > 0 { scheduleQuestion(within: settings.interval, now) }
                return [.found(fix)]
            case .failure(let reason): failed(reason.text, at: now)
            }
        case .failed(let reason): failed(reason, at: now)
        case .refused(let reason):
            outcome = .refused(reason)
            scheduleQuestion(within: Self.retry.last, now)
        }
        return []
    }

    private mutating func failed(_ reason: String, at now: Moment) {
        outcome = .failed(reason)
        failures += 1
        let wait = min(Self.retry.last, Self.retry.first * Double(1 << min(failures - 1, 10)))
        scheduleQuestion(within: wait, now)
    }

    /// The service tells what it knew before, too: the time of the answer is the time of the place. An
    /// accuracy of 0 is unknown.
    private func reading(_ report: PositionReport, _ now: Moment) -> Result<Fix, Unusable> {
        var report = report
        report.time = now.unixTime
        switch Fix.reading(report) {
        case .failure: return .failure(Unusable(text: "no place"))
        case .success(let fix):
            guard fix.accuracy <= settings.maxAccuracy else {
                return .failure(Unusable(text: "less accurate than max_accuracy"))
            }
            return .success(fix)
        }
    }

    private struct Unusable: Error {
        let text: String
    }
}
