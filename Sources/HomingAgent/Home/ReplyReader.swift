internal import HomeAssistantAPI
internal import HomingBase
internal import HomingDelivery
internal import HomingJSON
internal import HomingLocation

/// Reads an opened reply as the answer to what was asked; `nil` if it does not fit.
enum ReplyReader {
    static func read(
        _ content: JSONValue, request: Request, nonce: String, onNewConnection: Bool
    ) -> Answer? {
        switch request {
        case .configuration:
            configuration(content).map { .configuration($0) }
        case .zones: zones(content).map { .zones($0) }
        case .receipt:
            decode(ReceiptReply.self, content).flatMap { receipt($0, nonce) }
                .map { .receipt($0, onNewConnection: onNewConnection) }
        case .shortReceipt:
            // What another entity shows need not be a place. The same is then asked in full.
            (decode(ReceiptReply.self, content).map { shortReceipt($0, nonce) } ?? Self.unconfirmed)
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

    /// Reads the facts of Home Assistant about itself; `nil` if the content is something else.
    static func configuration(_ content: JSONValue) -> HomeAssistantFacts? {
        decode(ConfigurationReply.self, content).map(facts)
    }

    /// Those that make a circle; `nil` if it is no list of zones.
    static func zones(_ content: JSONValue) -> [Zone]? {
        decode([ZoneReply].self, content).map {
            Array($0.lazy.compactMap(zone).prefix(Bound.zones))
        }
    }

    private static func decode<Reply: Decodable>(
        _ type: Reply.Type, _ content: JSONValue
    ) -> Reply? {
        try? content.decoded(as: type)
    }

    private static func facts(_ reply: ConfigurationReply) -> HomeAssistantFacts {
        HomeAssistantFacts(
            version: reply.version.bounded(Bound.version),
            cloudhookURL: reply.cloudhookURL?.whole(within: Bound.address),
            remoteUIURL: reply.remoteUIURL?.whole(within: Bound.address),
            trackerLoaded: reply.trackerLoaded,
            disabledSensors: ids(reply.entities?.filter(\.value.disabled) ?? [:]) ?? [],
            knownSensors: reply.entities.flatMap(ids))
    }

    /// The unique ids; `nil` where there are more than may be kept.
    private static func ids(_ entities: [String: ConfigurationReply.Entity]) -> Set<String>? {
        let size = entities.keys.reduce(0) { $0 + $1.utf8.count }
        return entities.count <= Bound.entities && size <= Bound.entityIDs
            ? Set(entities.keys) : nil
    }

    private static func verdict(_ reply: SensorUpdateReply) -> SensorVerdict {
        if reply.success { return reply.isDisabled == true ? .disabled : .taken }
        if reply.error?.code == "not_registered" { return .notRegistered }
        return .invalid(reply.error?.message?.bounded(Bound.reason) ?? "it was refused")
    }

    private static func zone(_ reply: ZoneReply) -> Zone? {
        guard let attributes = reply.attributes else { return nil }
        guard let id = reply.entityID.whole(within: Bound.name), Zone.isEntityID(id) else {
            return nil
        }
        return Coordinate(latitude: attributes.latitude, longitude: attributes.longitude).map {
            Zone(
                entityID: id, name: attributes.friendlyName?.bounded(Bound.state) ?? id,
                coordinate: $0, radius: attributes.radius, passive: attributes.passive ?? false)
        }
    }

    /// An old reply played back would echo another nonce.
    private static func receipt(_ reply: ReceiptReply, _ nonce: String) -> Receipt? {
        guard reply.nonce == nonce else { return nil }
        return Receipt(
            trackerExists: reply.trackerState != nil,
            trackerState: reply.trackerState?.bounded(Bound.state), place: place(reply),
            witness: reply.witness, time: reply.time, names: names(reply))
    }

    /// An entity that is absent has a state, but no place.
    private static func shortReceipt(_ reply: ReceiptReply, _ nonce: String) -> Receipt? {
        guard reply.nonce == nonce else { return nil }
        let place = place(reply)
        return Receipt(
            trackerExists: place != nil,
            trackerState: reply.trackerState?.bounded(Bound.state), place: place,
            witness: reply.time, isShort: true)
    }

    /// A short receipt that shows nothing.
    private static let unconfirmed: Receipt? = Receipt(
        trackerExists: false, trackerState: nil, place: nil, isShort: true)

    private static func place(_ reply: ReceiptReply) -> Coordinate? {
        guard let latitude = reply.latitude, let longitude = reply.longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// The names, where each is one that Home Assistant gives to an entity.
    private static func names(_ reply: ReceiptReply) -> TrackerNames? {
        guard let tracker = reply.tracker, isEntityID(tracker),
            reply.witnessID.map(isEntityID) ?? (reply.witness == nil)
        else { return nil }
        return TrackerNames(tracker: tracker, witness: reply.witnessID)
    }

    /// Whether it is a domain and a name, of small letters, digits and `_`.
    private static func isEntityID(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= Bound.name && parts.count == 2
            && parts.allSatisfy {
                $0.isMade(of: ASCII.smallLetters + ASCII.digits + "_", 1...Bound.name)
            }
    }
}
