internal import HomeAssistantAPI
internal import HomingBase
internal import HomingDelivery
internal import HomingJSON
internal import HomingLocation
import HomingMachine
internal import HomingRoutes

@testable internal import HomingAgent

/// Opened replies: what is read from them fits the request, and can be worked with.
final class ReplyTarget: FuzzTarget {
    static let name = "reply"

    func run(_ input: [UInt8]) throws {
        guard let input = JSONValue(json: input) else { return }
        for request in Samples.requests {
            let answer = ReplyReader.read(
                input, request: faultIsPlanted ? .zones : request, nonce: Samples.nonce,
                onNewConnection: false)
            switch (request, answer) {
            case (.configuration, .configuration(let facts)): check(facts)
            case (.zones, .zones(let zones)): check(zones)
            case (.receipt, .receipt(let receipt, _)), (.shortReceipt, .receipt(let receipt, _)):
                check(receipt)
            case (_, nil), (.sensors, .sensors), (.registerSensor, .sensorRegistered): break
            default: require(false, "\(request) is answered by \(String(describing: answer))")
            }
        }
    }

    /// Whatever addresses Home Assistant names, only http and https are used.
    private func check(_ facts: HomeAssistantFacts) {
        let chooser = RouteChooser(
            addresses: RouteChooser.Addresses(
                instance: "http://192.168.1.5:8123", cloudhook: facts.cloudhookURL,
                remoteUI: facts.remoteUIURL), homeNetworks: [])
        for endpoint in chooser.route(on: .unknown).endpoints {
            require(WebAddress(endpoint.webhookURL) != nil, "an endpoint without an address")
        }
    }

    private func check(_ zones: [Zone]) {
        for zone in zones { require(zone.radius.isFinite, "radius \(zone.radius)") }
        let map = ZoneMap(zones)
        if let zone = map.zone(at: Samples.coordinate, accuracy: 10) {
            require(!zone.passive, "a passive zone counts")
        }
    }

    private func check(_ receipt: Receipt) {
        require(receipt.trackerExists || receipt.place == nil, "a place without a tracker")
    }
}
