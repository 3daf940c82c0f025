internal import HomeAssistantAPI
internal import HomingCore
internal import HomingJSON

/// Reads an opened reply as the answer to what was asked; `nil` if it does not fit.
enum ReplyReader {
    static func read(
        _ content: [UInt8], request: Request, nonce: String, onNewConnection: Bool
    ) -> Answer? {
        switch request {
        case .configuration:
            configuration(content).map { .configuration($0) }
        case .zones: zones(content).map { .zones($0) }
        case .receipt:
            decode(ReceiptReply.self, content).flatMap { receipt($0, nonce) }
                .map { .receipt($0, onNewConnection: onNewConnection) }
        case .sensors:
            decode([String: SensorUpdateReply].self, content)
                .map { .sensors($0.mapValues(verdict), onNewConnection: onNewConnection) }
        case .registerSensor:
            decode(SensorRegistrationReply.self, content).flatMap { $0.success ? $0 : nil }
                .map { _ in .sensorRegistered(onNewConnection: onNewConnection) }
        case .location, .track, .event: nil
        }
    }

    /// What Home Assistant tells of itself; `nil` if it is something else.
    static func configuration(_ content: [UInt8]) -> HomeAssistantFacts? {
        decode(ConfigurationReply.self, content).map(facts)
    }

    /// Those that make a circle; `nil` if it is no list of zones.
    static func zones(_ content: [UInt8]) -> [Zone]? {
        decode([ZoneReply].self, content).map { $0.compactMap(zone) }
    }

    private static func decode<Reply: Decodable>(_ type: Reply.Type, _ content: [UInt8]) -> Reply? {
        try? JSON.decode(type, from: content)
    }

    private static func facts(_ reply: ConfigurationReply) -> HomeAssistantFacts {
        HomeAssistantFacts(
            version: reply.version, cloudhookURL: reply.cloudhookURL,
            remoteUIURL: reply.remoteUIURL,
            trackerLoaded: reply.trackerLoaded,
            disabledSensors: Set(reply.entities?.filter(\.value.disabled).keys.map { $0 } ?? []),
            knownSensors: reply.entities.map { Set($0.keys) })
    }

    private static func verdict(_ reply: SensorUpdateReply) -> SensorVerdict {
        if reply.success { return reply.isDisabled == true ? .disabled : .taken }
        if reply.error?.code == "not_registered" { return .notRegistered }
        return .invalid(reply.error?.message ?? "it was refused")
    }

    private static func zone(_ reply: ZoneReply) -> Zone? {
        guard let attributes = reply.attributes else { return nil }
        return Coordinate(latitude: attributes.latitude, longitude: attributes.longitude).map {
            Zone(
                entityID: reply.entityID, name: attributes.friendlyName ?? reply.entityID,
                coordinate: $0, radius: attributes.radius, passive: attributes.passive ?? false)
        }
    }

    /// An old reply played back would echo another nonce.
    private static func receipt(_ reply: ReceiptReply, _ nonce: String) -> Receipt? {
        guard reply.nonce == nonce else { return nil }
        var place: Coordinate?
        if let latitude = reply.latitude, let longitude = reply.longitude {
            place = Coordinate(latitude: latitude, longitude: longitude)
        }
        return Receipt(
            trackerExists: reply.trackerState != nil, trackerState: reply.trackerState,
            place: place, witness: reply.witness, time: reply.time)
    }
}
