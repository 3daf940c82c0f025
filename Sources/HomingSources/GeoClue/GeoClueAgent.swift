internal import HomingBus
internal import HomingRuntime

/// The agent of this program's user at GeoClue, which permits Homing and nobody else.
///
/// A desktop has an agent for its user. The user of a system service has none.
@LoopActor final class GeoClueAgent {
    /// Debian's GeoClue admits the agents that geoclue.conf names (`[agent] whitelist`); this is one.
    static let identity = "geoclue-demo-agent"
    static let desktopID = "homing"

    private static let path = "/org/freedesktop/GeoClue2/Agent"
    private static let description = """
        <node><interface name="org.freedesktop.GeoClue2.Agent">
        <property name="MaxAccuracyLevel" type="u" access="read"/>
        <method name="AuthorizeApp">
        <arg name="desktop_id" type="s" direction="in"/>
        <arg name="req_accuracy_level" type="u" direction="in"/>
        <arg name="authorized" type="b" direction="out"/>
        <arg name="allowed_accuracy_level" type="u" direction="out"/>
        </method></interface></node>
        """

    private var object: BusExport?

    /// Puts the agent on the bus, where it may be already. Returns whether it is there.
    func export(on connection: OpaquePointer) -> Bool {
        if object != nil { return true }
        object = BusExport(
            Self.description, at: Self.path, properties: ["MaxAccuracyLevel": .uint32(8)],
            on: connection
        ) { _, values in
            let isOwn = values.first?.text == Self.desktopID
            return [.boolean(isOwn), .uint32(isOwn ? values.last?.uint32 ?? 0 : 0)]
        }
        return object != nil
    }

    /// The bus has gone.
    func withdraw() { object = nil }
}
