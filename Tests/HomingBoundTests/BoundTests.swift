import Glibc
import HomingBus
import HomingDelivery
import HomingJSON
import HomingRelayProtocol
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomeAssistantAPI
@testable import HomingAgent
@testable import HomingBase
@testable import HomingHealth
@testable import HomingMachine
@testable import HomingNotifications
@testable import HomingPush
@testable import HomingRoutes
@testable import HomingSensors
@testable import HomingSources

/// Everything that is kept of what comes from outside, filled to its bound at one time:
/// docs/threat-model.md has the largest parts.
@Suite(.serialized) struct BoundTests {
    /// Bytes that all of it may take.
    private static let limit = 4 << 20

    init() { LoopThread.start() }

    @Test("All texts from outside at their bounds take less than 4 MB")
    @LoopActor func all() async throws {
        let folder = try TemporaryFolder()
        // What is made once, by the first of each kind.
        _ = await filled(in: try TemporaryFolder(), few: true)
        let before = Heap.size
        let kept = await filled(in: folder, few: false)
        let growth = Heap.size - before
        withExtendedLifetime(kept) {}
        print("all bounds filled: \(growth / 1024) kB")
        #expect(growth > 1 << 20, "nothing was filled")
        #expect(growth <= Self.limit, "\(growth / 1024) kB")
    }

    @LoopActor private func filled(in folder: TemporaryFolder, few: Bool) async -> [Any] {
        let count = few ? 1 : 150
        var kept: [Any] = [
            Self.rate(count), Self.remembered(count), Self.held(count, folder),
            Self.categories(count), Self.answers(count), Self.health(few), Self.players(count),
        ]
        kept += [Self.desktops(count, folder), Self.shown(count), Self.pictured(count)]
        kept += [Self.machine(count), Self.refusals(count)]
        kept.append(Self.relay(few ? 1 : 5000))
        kept.append(await Self.scripts(few ? 1 : 8, folder))
        return kept
    }

    private static func relay(_ count: Int) -> Any {
        var (seen, ids) = (SeenMessages(), MessageIDs())
        for _ in 0..<count {
            _ = seen.relay.judge(ids.next(at: 1_800_000_000_000))
            _ = seen.front.judge(ids.next(at: 1_800_000_000_000))
        }
        return seen
    }

    // MARK: Notifications

    private static func rate(_ count: Int) -> Any {
        var rate = ShowRate()
        let now = Moment(uptime: 10, unixTime: 0)
        for number in 0..<count { _ = rate.offer(LargeTexts.notification(number), at: now) }
        return rate
    }

    private static func remembered(_ count: Int) -> Any {
        var known = Deduplicator()
        for number in 0..<8 * count {
            _ = known.isNew("\(number) " + String(repeating: "k", count: 120))
            _ = known.isNew(LargeTexts.text(number, "id"))
        }
        return known
    }

    @LoopActor private static func held(_ count: Int, _ folder: TemporaryFolder) -> Any {
        var held = HeldAnswers(folder: folder.path)
        for number in 0..<count where !held.isFull {
            let message = LargeTexts.notification(1000 + number)
            held.append(
                HeldAnswer(
                    action: message.actions[0],
                    reply: ActionPolicy.reply(LargeTexts.text(number, "reply")),
                    message: message, user: 1000, key: "key", until: 0))
        }
        return held
    }

    /// Maximum number of pictures that may be fetched at a time.
    @LoopActor private static func pictured(_ count: Int) -> Any {
        (0..<min(count, PictureFetcher.limit)).map { LargeTexts.notification(2000 + $0) }
    }

    private static func categories(_ count: Int) -> Any {
        let offers = (0..<count).map {
            NotificationCategory(
                id: "category \($0)", name: LargeTexts.text($0, "name"),
                actions: Array(LargeTexts.actions(3000 + $0).prefix(4)))
        }
        var book = CategoryStore()
        let (list, problems) = PushCategory.examine(offers)
        book.recordAnswer(.list(list), at: Moment(uptime: 0, unixTime: 0))
        return (book, problems)
    }

    @LoopActor private static func desktops(_ count: Int, _ folder: TemporaryFolder) -> Any {
        let desktops = SessionDesktops(
            folder: folder.path, expiry: { _ in 0 }, clock: SystemClock()
        ) { _ in }
        for user in 0..<UInt32(min(count, Bound.desktops)) {
            let message = LargeTexts.notification(4000)
            let answer = HeldAnswer(
                action: message.actions[0], reply: nil, message: message, user: user,
                key: "key", until: 0)
            desktops.expect(answer)
            let desktop = desktops.desktop(of: user)
            for number in 0..<min(count, 12) {
                let next = LargeTexts.notification(5000 + 100 * Int(user) + number)
                desktop?.show(next, image: nil)
                desktop?.remember(next, "key")
            }
        }
        return desktops
    }

    private static func shown(_ count: Int) -> Any {
        var shown = ShownNotifications()
        for number in 0..<count {
            _ = shown.shown(
                LargeTexts.notification(6000 + number), as: UInt32(number), replyAction: nil,
                replaced: nil)
        }
        return shown
    }

    // MARK: Home Assistant

    private static func answers(_ count: Int) -> Any {
        let zones = (0..<4 * count).map {
            """
            {"entity_id":"zone.\($0)","attributes":{"latitude":52,"longitude":\($0 % 90),\
            "radius":100,"friendly_name":"\(LargeTexts.text($0, "zone", bytes: 1100))"}}
            """
        }
        let entities = (0..<10 * count).map {
            "\"\(LargeTexts.text($0, "entity", bytes: 90))\":{\"disabled\":true}"
        }
        let configuration = """
            {"version":"\(LargeTexts.text(1, "version"))","components":[],\
            "cloudhook_url":"\(LargeTexts.text(1, "url", bytes: 2000))",\
            "entities":{\(entities.joined(separator: ","))}}
            """
        return (
            JSONValue(json: Array("[\(zones.joined(separator: ","))]".utf8)).flatMap(
                ReplyReader.zones) as Any,
            JSONValue(json: Array(configuration.utf8)).flatMap(ReplyReader.configuration) as Any
        )
    }

    /// Returns the health that is remembered for the status.
    private static func health(_ few: Bool) -> Any {
        var board = HealthBoard()
        let now = Moment(uptime: 0, unixTime: 0)
        for warnable in Warnable.all.prefix(few ? 1 : 100) {
            _ = board.set(warnable, true, detail: LargeTexts.text(1, warnable.code), at: now)
        }
        var endpoint = EndpointHealth()
        endpoint.failed(.network(LargeTexts.text(1, "network")), at: now)
        return (board, endpoint)
    }

    /// Returns the refusals of a working Home Assistant.
    private static func refusals(_ count: Int) -> Any {
        var rejections = Rejections()
        for number in 0..<count {
            _ = rejections.noteRejection(
                [EntryID(.events, Int64(number))], LargeTexts.text(number, "reason"),
                at: Moment(uptime: 0, unixTime: 0))
        }
        return rejections
    }

    // MARK: This machine

    /// State with the maximum number of networks, users and batteries, each with the longest
    /// name.
    private static func machine(_ count: Int) -> Any {
        func name(_ number: Int, _ part: String) -> String {
            LargeTexts.text(number, part).bounded(Bound.name)
        }
        let objects = min(count, Bound.busObjects)
        var state = MachineState()
        state.applyObservation(
            .networkDetails(
                NetworkDetails(
                    hasWiFi: true, connection: name(0, "connection"),
                    vpns: (0..<min(count, Bound.connections)).map { name($0, "vpn") })))
        state.applyObservation(
            .batteries(
                (0..<objects).map { Battery(name: name($0, "battery"), model: name($0, "model")) }))
        state.applyObservation(
            .sessions(
                (0..<objects).map {
                    UserSession(
                        user: name($0, "user"), isLocal: true, isGraphical: true, isActive: false)
                }))
        return state
    }

    private static func players(_ count: Int) -> Any {
        (0..<min(count, Bound.players)).map { number -> MediaPlayer in
            var room = Bound.largeBusProperty
            let song = BusValue.table([
                "xesam:title": .text(LargeTexts.text(number, "title")),
                "xesam:artist": .list((0..<100).map { .text(LargeTexts.text($0, "artist")) }),
                "xesam:album": .text(LargeTexts.text(number, "album")),
            ])
            return MediaPlayer(
                name: "player", properties: ["Metadata": song.within(&room) ?? .other])
        }
    }

    /// Scripts that each write as much as one may, through real processes, and what the policy keeps.
    @LoopActor private static func scripts(_ count: Int, _ folder: TemporaryFolder) async -> Any {
        let path = "\(folder.path)/scripts.d"
        for number in 0..<count { try? write(number, path, folder) }
        let heard = Heard()
        let runner = ScriptRunner(
            folder: path, interval: 3600, clock: SystemClock(),
            deliver: { heard.readings += $0.isEmpty ? [] : [$0] }, warn: { heard.faults.append($0) }
        )
        runner.start()
        await heard.wait(for: count)
        var policy = SensorPolicy()
        let now = Moment(uptime: 0, unixTime: 0)
        for readings in heard.readings { _ = policy.consider(readings, at: now) }
        _ = policy.collect(at: now)
        heard.readings = []
        return (policy, runner)
    }

    @LoopActor private static func write(
        _ number: Int, _ path: String, _ folder: TemporaryFolder
    ) throws {
        let sensors = (0..<50).map { sensor in
            let texts = (0..<4).map {
                "\"a\($0)\":\"\(LargeTexts.text(sensor, "\(number)", bytes: 240))\""
            }
            return """
                {"unique_id":"s\(sensor)","name":"S","state":"\(LargeTexts.text(sensor, "\(number)", bytes: 100))",\
                "attributes":{\(texts.joined(separator: ","))}}
                """
        }
        let output = try folder.write(
            "{\"sensors\":[\(sensors.joined(separator: ","))]}", to: "output\(number)")
        try folder.writeProgram(
            "#!/bin/sh\ncat \(output)\n", to: "scripts.d/script\(number)")
        chmod(path, 0o755)
    }

    @LoopActor private final class Heard {
        var readings: [[SensorReading]] = []
        var faults: [String] = []

        /// Until each script was heard, or refused for want of room.
        func wait(for count: Int) async {
            for _ in 0..<1000 where readings.count + faults.count < count {
                await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                    var timer: Watch?
                    timer = Watch.timer(0.01) {
                        withExtendedLifetime(timer) { timer = nil }
                        done.resume()
                        return .done
                    }
                }
            }
        }
    }
}
