internal import HomingBase
internal import HomingLocation
public import HomingMachine
internal import HomingSettings

/// `[place.NAME]`: a place that is known by its networks.
public struct PlaceDefinition: Equatable, Sendable {
    /// The name of a zone of Home Assistant, or its entity id.
    public var zone: String?
    /// Degrees; with `longitude`, in place of `zone`.
    public var latitude: Double?
    /// Degrees.
    public var longitude: Double?
    /// Metres.
    public var accuracy: Double = 100
    /// Names of Wi-Fi networks, 1 to 32 bytes each.
    public var ssids: [String] = []
    /// Addresses of access points, `AA:BB:CC:DD:EE:FF` in upper case.
    public var bssids: [String] = []
    /// NetworkManager's `connection.id` or `connection.uuid`.
    public var connections: [String] = []
    /// Hardware addresses of gateways, in upper case.
    public var gateways: [String] = []

    /// Makes a configuration without a place.
    public init() {}

    /// Location of the place; `nil` if the section does not say.
    var target: Place.Target? {
        if let zone { return .zone(zone) }
        guard let latitude, let longitude,
            let point = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        return .point(point, accuracy: accuracy)
    }

    /// Whether a network is named.
    var hasNetwork: Bool {
        [ssids, bssids, connections, gateways].contains { !$0.isEmpty }
    }
}

extension Configuration {
    /// The place of that name; a place that is not there is the same as all defaults.
    subscript(place name: String) -> PlaceDefinition {
        get { places[name] ?? PlaceDefinition() }
        set { places[name] = newValue == PlaceDefinition() ? nil : newValue }
    }
}

extension [String: PlaceDefinition] {
    /// The places, in the order of their names.
    public var known: [Place] {
        sorted { $0.key < $1.key }.compactMap { name, place in
            place.target.map {
                Place(
                    name: name, target: $0, ssids: place.ssids, bssids: place.bssids,
                    connections: place.connections, gateways: place.gateways)
            }
        }
    }
}

extension Section<Configuration> {
    static let places = Section(
        each: "place", scope: .inherited,
        """
        A place that this machine knows by its networks, for times without a receiver. There may be \
        any number of such sections. The network at home needs no section: it is learned once Home \
        Assistant was reached there, on that network. If several places fit, an access point or a \
        gateway counts most, then a connection, then an SSID.
        """
    ) { name in
        [
            Key(
                "zone", \.[place: name].zone, .zoneName,
                """
                The zone of the place in Home Assistant, by its name or its entity id, such as \
                Work or zone.work.
                """),
            Key(
                "latitude", \.[place: name].latitude, .degrees(90),
                "Instead of a zone: where the place is, in degrees. Needs longitude."),
            Key(
                "longitude", \.[place: name].longitude, .degrees(180),
                "Instead of a zone: where the place is, in degrees. Needs latitude."),
            Key(
                "accuracy", \.[place: name].accuracy, .number(1...10_000, unit: "metres"),
                "Radius of the place around this point."),
            Key(
                "ssid", \.[place: name].ssids, .ssids,
                """
                Wi-Fi networks by name, separated by ";". Anybody can give a network this name: \
                bssid or gateway is safer.
                """),
            Key(
                "bssid", \.[place: name].bssids, .bssids,
                "Access points by hardware address, separated by \";\"."),
            Key(
                "connection", \.[place: name].connections, .names,
                """
                Connections by their id or UUID in NetworkManager ("nmcli connection"), separated \
                by ";". A connection that NetworkManager made by itself, such as "Wired connection \
                1", does not count: it is the same at every dock. Name its gateway.
                """),
            Key(
                "gateway", \.[place: name].gateways, .hardwareAddresses,
                """
                Gateways by hardware address, separated by ";". "ip neighbour" shows the address of \
                the gateway that "ip route" names.
                """),
        ]
    }
}

extension Kind where Value == String? {
    /// A zone of Home Assistant, or nothing.
    fileprivate static let zoneName = Kind(optional: "a zone's name") { (text) throws(Refusal) in
        guard text.utf8.count <= Bound.state, !["unknown", "unavailable"].contains(text) else {
            throw Refusal("no zone has this name")
        }
        return text
    }
}

extension Kind where Value == Double? {
    /// Degrees with a decimal point, or nothing.
    fileprivate static func degrees(_ limit: Double) -> Kind {
        let allowed = "-\(Int(limit)) to \(Int(limit)) (degrees), or nothing"
        return Kind(
            allowed,
            read: { (raw) throws(Refusal) in
                let text = try raw.text()
                if text.isEmpty { return nil }
                guard text.isMade(of: ASCII.digits + "-.", 1...24), let number = Double(text) else {
                    throw Refusal("\(quoted(text)) is not a number; allowed is \(allowed)")
                }
                guard abs(number) <= limit else {
                    throw Refusal("\(text) is out of range; allowed is \(allowed)")
                }
                return number
            }, write: { $0.map { String($0) } ?? "" })
    }
}
