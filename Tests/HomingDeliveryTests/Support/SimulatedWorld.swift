import HomingBase
import HomingDelivery
import HomingLocation
import HomingSQLite
import HomingTestKit

@testable import HomingRoutes

/// The core with a store, three endpoints that break, and a Home Assistant behind them.
struct SimulatedWorld {
    enum EndpointCondition: CaseIterable {
        case works
        case unreachable
        /// Somebody else answers 200 `{}` to everything.
        case impostor
        case portal
        case busy
        case proxyError
        /// Home Assistant's 410, or a proxy's.
        case gone
        /// The request arrives, the answer does not.
        case answersLost
    }

    static let endpoints = Endpoint.Kind.allCases.map {
        Endpoint(kind: $0, webhookURL: "https://\($0.rawValue)", isAuthentic: true)
    }

    var now = Moment(uptime: 1000, unixTime: 1_800_000_000)
    var courier: Courier
    let store: InMemoryOutbox
    /// The way to the store, which may fail.
    let outbox: FaultyOutbox
    var homeAssistant = SimulatedHomeAssistant()
    var conditions: [Endpoint.Kind: EndpointCondition] = [:]
    var underWay: (request: Request, endpoint: Endpoint)?
    /// Requests that came to an end.
    private(set) var asked = 0
    var wakeAt: Seconds?
    /// Sensors that the courier has told to be disabled.
    private(set) var noticedDisabled: Set<String> = []
    /// Positions lost in a reload of which the courier could not learn.
    private(set) var excused: Set<Int64> = []
    /// Positions lost in a reload that no receipt can show.
    private(set) var hidden: Set<Int64> = []
    /// Gets what happens, to understand a history.
    var trace: ((String) -> Void)?
    /// Faults, if anything went wrong.
    var violations: [String] = []
    private var settings: Courier.Settings
    private var nextPlace = 0
    private var nextState = 0
    /// Item that each sensor gave last.
    private(set) var lastItem: [String: String] = [:]
    /// Target to which the open connection of each endpoint leads.
    private var connections: [Endpoint.Kind: String] = [:]

    init(settings: Courier.Settings, seed: UInt64) {
        self.settings = settings
        store = InMemoryOutbox()
        outbox = FaultyOutbox(store)
        courier = Courier(settings: settings, seed: seed)
    }

    /// Accepts a fix, at a place of its own or at one of before, counted from 1.
    mutating func accept(urgent: Bool = true, at again: Int? = nil) {
        nextPlace += again == nil ? 1 : 0
        let number = again ?? nextPlace
        guard let place = Coordinate(latitude: 50 + Double(number) * 1e-4, longitude: 4) else {
            return
        }
        let fix = Fix(coordinate: place, accuracy: 5, time: now.unixTime)
        let message = OutboxMessage.location(LocationMessage(place: .fix(fix)))
        if append(message) { tellCourier(.accepted(.location, urgent: urgent)) }
    }

    /// Whether it could be stored.
    private func append(_ message: OutboxMessage) -> Bool {
        (try? outbox.append(message, acceptedAt: now.unixTime, expiresAt: nil)) != nil
    }

    /// Accepts an event.
    mutating func acceptEvent() {
        let message = OutboxMessage.event(EventMessage(type: "homing_test", data: "{}"))
        if append(message) { tellCourier(.accepted(.events, urgent: true)) }
    }

    /// Accepts a state of a sensor, another one each time.
    mutating func acceptSensor(_ uniqueID: String) {
        nextState += 1
        let message = SensorMessage(uniqueID: uniqueID, item: "state \(nextState)")
        guard append(.sensor(message)) else { return }
        lastItem[uniqueID] = message.item
        tellCourier(.accepted(.sensors, urgent: true))
    }

    /// A new registration: Home Assistant knows no sensor, so every one is told again.
    mutating func forgetSensors() {
        homeAssistant.sensors.forgetAll()
        tellCourier(.registrationChanged)
        tellCourier(.route(Self.endpoints, networkChanged: true))
        // Who tells them tries until they are stored.
        outbox.fail { _ in nil }
        for id in lastItem.keys.sorted() { acceptSensor(id) }
    }

    /// Lets time pass, with every wake that falls into it.
    mutating func pass(_ seconds: Seconds) {
        let end = now.uptime + seconds
        while let at = wakeAt, at <= end {
            now = now.advanced(by: max(0, at - now.uptime))
            wakeAt = nil
            tellCourier(.wake)
            if underWay != nil { return }
        }
        now = now.advanced(by: max(0, end - now.uptime))
    }

    /// The request under way comes to its end.
    mutating func answer() {
        guard let (request, endpoint) = underWay else { return }
        underWay = nil
        asked += 1
        let answer = outcome(request, endpoint)
        switch (request, answer) {
        case (_, .sensors), (_, .sensorRegistered): break
        case (.sensors(let entries), _):
            for entry in entries { homeAssistant.notTaken[entry.id, default: 0] += 1 }
        case (.registerSensor(let entry), _): homeAssistant.notTaken[entry.id, default: 0] += 1
        case (_, .receipt(let receipt, _)):
            // Of another receipt the courier learns nothing of a reload.
            guard receipt.trackerExists, receipt.trackerState != "unavailable" else { break }
            hidden.formUnion(homeAssistant.receiptArrived(receipt, at: now.uptime))
            excused.formUnion(hidden)
        default: break
        }
        tellCourier(.answer(answer))
    }

    private mutating func outcome(_ request: Request, _ endpoint: Endpoint) -> Answer {
        homeAssistant.now = now.unixTime
        let condition = conditions[endpoint.kind, default: .works]
        let isNew =
            connections.updateValue("\(condition) \(homeAssistant.restarts)", forKey: endpoint.kind)
            != "\(condition) \(homeAssistant.restarts)"
        switch condition {
        case .works: return homeAssistant.answerRequest(request, onNewConnection: isNew)
        case .unreachable: return .failed(.network("no route"))
        case .impostor:
            return SimulatedHomeAssistant.emptyObject(request, isNew)
        case .portal: return .failed(.foreign("HTML"))
        case .busy: return .failed(.busy(retryAfter: 30))
        case .proxyError: return .failed(.unavailable(status: 502))
        case .gone: return .gone
        case .answersLost:
            _ = homeAssistant.answerRequest(request, onNewConnection: isNew)
            connections[endpoint.kind] = nil
            return .failed(.network("timeout"))
        }
    }

    /// `kill -9`: only the store is left, and what the last receipt said is not in it.
    mutating func restart(seed: UInt64) {
        excused.formUnion(homeAssistant.lost)
        homeAssistant.forgetReceipts()
        underWay = nil
        wakeAt = nil
        connections = [:]
        courier = Courier(settings: settings, seed: seed)
        tellCourier(.route(Self.endpoints, networkChanged: true))
    }

    /// Everything works again; runs until the queue is empty or hope is lost.
    mutating func heal() {
        conditions = [:]
        outbox.fail { _ in nil }
        homeAssistant.condition = .running
        tellCourier(.route(Self.endpoints, networkChanged: true))
        for _ in 0..<2000 {
            if underWay != nil { answer() } else { pass(60) }
            if Stream.allCases.allSatisfy({ store.ledger($0).queued == 0 }), underWay == nil {
                return
            }
            // A still machine would say nothing, but `latest` waits for news.
            if settings.backlog == .latest, underWay == nil { accept() }
        }
    }

    mutating func tellCourier(_ event: Courier.Event) {
        var events = [event]
        while !events.isEmpty {
            let event = events.removeFirst()
            trace?("\(now.uptime) \(event)")
            for effect in courier.handle(event, at: now) {
                trace?("    -> \(effect)")
                do throws(DatabaseError) { try simulateCourierEffect(effect, &events) } catch {
                    events.append(.storeFailed)
                }
            }
        }
        if !store.ledger(.location).balances { violations.append("ledger") }
    }

    private mutating func simulateCourierEffect(
        _ effect: Courier.Effect, _ events: inout [Courier.Event]
    ) throws(DatabaseError) {
        switch effect {
        case .ask(let request, let endpoint):
            if underWay != nil { violations.append("two requests under way") }
            if isOldNews(request) { violations.append("\(request) is told as news, and is none") }
            underWay = (request, endpoint)
        case .cancel:
            underWay = nil
            connections = [:]
        case .wake(let at): wakeAt = at
        case .store(.settle(let ids, let fate)): try settle(ids, fate)
        case .store(let effect):
            let result = try outbox.performStoreEffect(effect, rowsAtOnce: 10, at: now)
            if case .read(let event) = result { events.append(event) }
        case .sensorsDisabled(let ids): noticedDisabled.formUnion(ids)
        // Nobody else is here, whatever breaks.
        case .strangePlace: violations.append("a place of its own is taken for somebody else's")
        case .learned, .learnedZones, .askPosition, .rejected, .checkNetwork: break
        }
    }

    /// Whether it would set off automations for what is long over.
    private func isOldNews(_ request: Request) -> Bool {
        guard case .location(let entry) = request, settings.backlog != .replay,
            settings.stalePosition == .ask
        else { return false }
        return entry.acceptedAt < now.unixTime - settings.maxAge
    }

    /// Settles rows. A row that Home Assistant has not taken may not be called delivered.
    private mutating func settle(_ ids: [EntryID], _ fate: Fate) throws(DatabaseError) {
        for id in ids where fate == .deliveredLive || fate == .deliveredTrack {
            let live =
                switch id.stream {
                case .location: homeAssistant.live
                case .events: homeAssistant.events
                case .sensors: homeAssistant.sensors.taken
                }
            let taken = fate == .deliveredTrack ? homeAssistant.track : live
            if id.stream == .location, excused.contains(id.number) { continue }
            if !taken.contains(id.number) { violations.append("\(id.number) was not \(fate)") }
        }
        for id in ids where fate == .rejected && isGood(id) {
            violations.append("\(id), a good row, was rejected")
        }
        try outbox.settle(ids, as: fate)
    }

    /// Whether there was no reason to reject it.
    private func isGood(_ id: EntryID) -> Bool {
        if homeAssistant.notTaken[id, default: 0] >= 3 { return false }
        guard id.stream == .sensors else { return true }
        let rows = store.entries(.sensors, freshness: .live, after: 0, limit: .max)
        guard case .sensor(let sensor)? = rows.first(where: { $0.id == id })?.message else {
            return true
        }
        return !homeAssistant.sensors.isBad(sensor.uniqueID)
    }
}
