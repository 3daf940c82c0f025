import HomingBase
import HomingDelivery
import HomingRoutes
import HomingTestKit

/// The moves that most tests begin with.
extension SimulatedWorld {
    /// A world that works, with so many endpoints, after its first session.
    static func started(
        _ settings: Courier.Settings = Courier.Settings(), endpoints: Int = 3, seed: UInt64 = 1,
        hasWitness: Bool = true
    ) -> SimulatedWorld {
        var world = SimulatedWorld(settings: settings, seed: seed)
        world.homeAssistant.hasWitness = hasWitness
        world.tellCourier(.route(Array(Self.endpoints.prefix(endpoints)), networkChanged: true))
        _ = world.answerAll()
        return world
    }

    /// Accepts a zone in place of a position.
    mutating func accept(zone name: String) {
        let place = LocationMessage.Place.zone(name: name, time: now.unixTime)
        let message = OutboxMessage.location(LocationMessage(place: place))
        _ = try? store.append(message, acceptedAt: now.unixTime, expiresAt: nil)
        tellCourier(.accepted(.location, urgent: true))
    }

    /// Answers until nothing is under way; returns what was asked of whom.
    @discardableResult
    mutating func answerAll() -> [(Request, Endpoint.Kind)] {
        var asked: [(Request, Endpoint.Kind)] = []
        while let (request, endpoint) = underWay {
            asked.append((request, endpoint.kind))
            answer()
            if asked.count > 500 { break }
        }
        return asked
    }

    /// The same for so many seconds, with every wake in them.
    @discardableResult
    mutating func run(_ seconds: Seconds) -> [(Request, Endpoint.Kind)] {
        let end = now.uptime + seconds
        var asked = answerAll()
        while now.uptime < end {
            pass(end - now.uptime)
            asked += answerAll()
        }
        return asked
    }
}

extension Request {
    /// Whether it is news of a position.
    var isPosition: Bool { if case .location = self { true } else { false } }
    /// Whether it is a receipt, of either form.
    var isReceipt: Bool { self == .receipt || isShortReceipt }
    /// Whether it is a short receipt.
    var isShortReceipt: Bool { if case .shortReceipt = self { true } else { false } }
    /// The witness that a short receipt names.
    var witness: String? { if case .shortReceipt(let names) = self { names.witness } else { nil } }
}
