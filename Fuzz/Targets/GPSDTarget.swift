internal import Glibc
internal import HomeAssistantAPI
internal import HomingBase
internal import HomingLocation
internal import HomingRuntime
internal import HomingTestKit

@testable internal import HomingSources

/// Reports of gpsd, through libgps, up to the message to Home Assistant. No report, however odd,
/// makes a message that Home Assistant would drop.
final class GPSDTarget: FuzzTarget {
    static let name = "gpsd"

    private let server: Loopback
    /// After everything a report may name, of which nothing is then from the future.
    private let now = Moment(uptime: 1000, unixTime: 1e11)

    init() throws { server = try Loopback() }

    func run(_ input: [UInt8]) throws {
        server.serve(input)
        var events: [GPSDConnection.Event] = []
        var isLost = false
        var connection: GPSDConnection?
        connection = GPSDConnection(try server.connect()) { event in
            events.append(event)
            switch event {
            case .lost: isLost = true
            case .sky: Self.check(connection)
            default: break
            }
        }
        Loop.turn { isLost }
        server.reset()
        connection?.close()
        // What it tells goes to a closure that has it.
        connection = nil
        var filter = FixFilter(settings: FixFilter.Settings(maxAge: .infinity))
        for (index, event) in events.enumerated() {
            switch event {
            case .report(let report): try check(report, &filter)
            case .sky: break
            case .timeOfDay(let time):
                require(0..<86_401 ~= time, "\(time) s of a day")
            case .otherReceiver: require(false, "no receiver was chosen")
            case .receivers(let names): require(names.count <= 100, "\(names.count) receivers")
            case .lost(let text):
                require(index == events.count - 1, "something comes after the end")
                require(!text.isEmpty, "lost without a reason")
            }
        }
    }

    @LoopActor private static func check(_ connection: GPSDConnection?) {
        let hdop = connection?.hdop()
        require(
            hdop.map { $0.isFinite && $0 > 0 } ?? true, "an HDOP of \(String(describing: hdop))")
        guard let sky = connection?.sky() else { return }
        require(sky.used >= 0 && sky.seen >= 0, "\(sky)")
        require(sky.hdop.map { $0.isFinite && $0 > 0 } ?? true, "\(sky)")
    }

    private func check(_ report: PositionReport, _ filter: inout FixFilter) throws {
        let values = [
            report.time, report.latitude, report.longitude, report.accuracy, report.altitude,
            report.verticalAccuracy, report.speed, report.course, report.hdop, report.timeOfDay,
        ]
        require(values.allSatisfy { $0?.isFinite ?? true }, "\(report)")
        require(report.time ?? 1 > 0 && report.source == .gpsd, "\(report)")
        guard case .believed(let fix) = filter.judge(report, at: now) else { return }
        let update = LocationUpdate(
            latitude: faultIsPlanted ? 2 * fix.coordinate.latitude : fix.coordinate.latitude,
            longitude: fix.coordinate.longitude,
            accuracy: fix.accuracy, speed: fix.speed, altitude: fix.altitude, course: fix.course,
            verticalAccuracy: fix.verticalAccuracy)
        guard let update else { return require(false, "accepted, and cannot be told: \(fix)") }
        try SentLocation.check(update)
    }
}
