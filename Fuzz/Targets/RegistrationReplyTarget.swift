internal import HomeAssistantAPI
internal import HomingConfiguration
internal import HomingCrypto
internal import HomingJSON
import HomingMachine
internal import HomingRoutes

@testable internal import HomingAgent
@testable internal import HomingRegistration

/// The answer to a registration: what counts as usable can be used.
final class RegistrationReplyTarget: FuzzTarget {
    static let name = "registration-reply"

    func run(_ input: [UInt8]) throws {
        guard let reply = try? JSON.decode(RegistrationReply.self, from: input),
            Registrar.isUsable(reply)
        else { return }
        if let secret = reply.secret { _ = try SecretKey(hexadecimal: secret) }
        var registration = Samples.registration(secret: reply.secret)
        registration.webhookID = reply.webhookID
        registration.cloudhookURL = reply.cloudhookURL
        registration.remoteUIURL = reply.remoteUIURL
        let written = faultIsPlanted ? Samples.registration(secret: nil) : registration
        let json = try JSON.bytes(written, names: .snakeCase)
        let back = try JSON.decode(Registration.self, from: json)
        require(back == registration, "the registration changes on its way to the disk")
        let route = RouteChooser(registration: registration, Configuration()).route(on: .unknown)
        require(route.endpoints.first?.kind == .instance, "the instance cannot be used")
        for endpoint in route.endpoints {
            let isClean =
                endpoint.kind != .instance
                || endpoint.webhookURL.utf8.allSatisfy {
                    $0 > 0x20 && $0 < 0x7F
                }
            require(isClean, "an address with a character that no address has")
        }
    }
}
