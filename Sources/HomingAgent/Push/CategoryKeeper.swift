internal import HomeAssistantAPI
internal import HomingControl
internal import HomingHTTP
internal import HomingNotifications
internal import HomingRuntime

/// Knows the categories of the older scheme, which Home Assistant tells when it is asked.
@LoopActor final class CategoryKeeper {
    private var gate: TokenGate?
    private var client: HTTPClient?
    private let log: HomeLog
    private let clock: any Clockwork
    private var store = CategoryStore()
    private var told: [String] = []
    private lazy var timer = WakeTimer(clock) { [weak self] in
        spawn { try? await self?.refresh() }
    }

    init(log: HomeLog, clock: any Clockwork) {
        self.log = log
        self.clock = clock
    }

    func use(_ gate: TokenGate?, _ client: HTTPClient) {
        self.gate = gate
        self.client = client
    }

    /// The machine slept: its timers have stood still.
    func rearm() { timer.rearm() }

    func shutdown() {
        gate = nil
        timer.cancel()
    }

    /// The category of that name, in letters of either case.
    subscript(name: String) -> PushCategory? { store[name] }

    /// Asks Home Assistant; what is known stays while it cannot be reached.
    @discardableResult func refresh() async throws(ControlError) -> RefreshResult {
        guard let gate else { throw .notAsked("there is no registration") }
        let access = await gate.access()
        guard gate === self.gate, let client else {
            throw .notAsked("the registration has changed")
        }
        guard let access else { throw failed("the token may not go to Home Assistant now") }
        let request = HTTPRequest(
            url: "\(access.base)/api/ios/push", bearerToken: access.token, timeout: 10)
        switch await client.response(to: request) {
        case .failure(let failure): throw failed(failure.description)
        case .success(let response) where response.status == 404:
            note(.missing)
            return RefreshResult(categories: nil, problems: [], kept: store.count)
        case .success(let response):
            guard response.status == 200, let list = NotificationCategory.list(response.body) else {
                throw failed("Home Assistant answers with status \(response.status)")
            }
            return keepCategories(list)
        }
    }

    private func failed(_ reason: String) -> ControlError {
        note(.failed)
        return .notAsked(reason)
    }

    private func note(_ answer: CategoryStore.Answer) {
        store.recordAnswer(answer, at: clock.now())
        timer.set(at: store.nextAsking)
    }

    private func keepCategories(_ list: [NotificationCategory]) -> RefreshResult {
        let (known, problems) = PushCategory.examine(list)
        note(.list(known))
        if problems != told {
            told = problems
            for problem in problems { log.warning("of Home Assistant's ios: push: \(problem)") }
        }
        return RefreshResult(categories: known.count, problems: problems)
    }
}

extension ControlError {
    fileprivate static func notAsked(_ reason: String) -> ControlError {
        ControlError(
            .temporary, "Home Assistant cannot be asked: \(reason)", hint: "see: homing status")
    }
}
