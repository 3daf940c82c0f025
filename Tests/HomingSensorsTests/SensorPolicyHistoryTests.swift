import HomingBase
import HomingSensors
import HomingTestKit
import Testing

/// Random histories of readings, collections, disablings, registrations, failures and sleeps, with a
/// Home Assistant that holds what it was told.
@Suite struct SensorPolicyHistoryTests {
    @Test("whatever happens, Home Assistant holds in the end what the sensors say")
    func histories() {
        let seed = TestRun.seed()
        print("SensorPolicyHistoryTests: HOMING_SEED=\(seed)")
        for run in 0..<400 {
            var history = SensorHistory(seed: seed &+ UInt64(run))
            for _ in 0..<150 { history.step() }
            history.settle()
            #expect(
                history.faults.isEmpty, "seed \(seed), run \(run): \(history.faults.first ?? "")")
        }
    }
}

private struct SensorHistory {
    private var random: SeededRandom
    private var policy = SensorPolicy()
    private var now = Moment(uptime: 1000, unixTime: 1_800_000_000)
    private var states: [String: SensorReading] = [:]
    /// Readings of ours that Home Assistant holds.
    private var held: [String: SensorReading] = [:]
    private var toldAt: [String: Seconds] = [:]
    private var isAsleep = false
    private(set) var faults: [String] = []

    private let sensors = (0..<6).map { index in
        SensorDescription(
            "sensor_\(index)", "Sensor \(index)", unit: "%", icon: "mdi:eye",
            urgency: index.isMultiple(of: 2) ? .prompt : .patient, minChange: Double(index % 3),
            lasts: index == 5, summary: "A sensor.")
    }

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func step() {
        now = now.advanced(by: Seconds.random(in: 0...40, using: &random))
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<9: say(sensors.randomElement(using: &random) ?? sensors[0])
        case 9..<13: recordReadings(policy.collect(at: now))
        case 13: recordReadings(policy.consider([], at: now))
        case 14: disableOne()
        case 15:
            policy.setDisabled([])
            toldAt = [:]
        case 16: registerAgain()
        case 17, 18: isAsleep ? wake() : sleep()
        default: loseOne()
        }
        if let next = policy.nextPrompt, isAsleep { faults.append("awake at \(next)") }
    }

    private mutating func say(_ sensor: SensorDescription) {
        let reading = SensorReading(
            sensor, .number(Double(Int.random(in: 0...40, using: &random)) / 4))
        states[sensor.uniqueID] = reading
        recordReadings(policy.consider([reading], at: now))
    }

    private mutating func recordReadings(_ readings: [SensorReading], isStored: Bool = true) {
        if isAsleep, !readings.isEmpty { faults.append("told asleep: \(readings)") }
        for reading in readings {
            let id = reading.sensor.uniqueID
            if policy.disabled.contains(id) { faults.append("\(id) is disabled") }
            if held[id] == reading { faults.append("\(id) was told \(reading.state) twice") }
            if let last = toldAt[id], now.uptime - last < 10 { faults.append("\(id) too soon") }
            toldAt[id] = now.uptime
            held[id] = reading
        }
    }

    private mutating func disableOne() {
        let id = sensors.randomElement(using: &random)?.uniqueID ?? ""
        policy.noteDisabled(id)
        // While it is disabled Home Assistant forgets.
        held[id] = nil
    }

    private mutating func registerAgain() {
        policy.forgetAllTold()
        (held, toldAt) = ([:], [:])
    }

    /// The outbox refuses what was just taken.
    private mutating func loseOne() {
        let before = held
        let lost = policy.collect(at: now)
        if isAsleep, !lost.isEmpty { faults.append("told asleep: \(lost)") }
        held = before
        for reading in lost {
            held[reading.sensor.uniqueID] = nil
            toldAt[reading.sensor.uniqueID] = nil
        }
        policy.notStored(lost)
    }

    private mutating func sleep() {
        for reading in policy.unavailable(at: now) {
            held[reading.sensor.uniqueID] = reading
            toldAt[reading.sensor.uniqueID] = nil
        }
        for (id, reading) in held where reading.state != .unavailable && !reading.sensor.lasts {
            if !policy.disabled.contains(id) { faults.append("\(id) stays \(reading.state)") }
        }
        isAsleep = true
    }

    private mutating func wake() {
        isAsleep = false
        policy.resume()
    }

    /// All is read and collected, with time enough.
    mutating func settle() {
        if isAsleep { wake() }
        policy.setDisabled([])
        toldAt = [:]
        for sensor in sensors where states[sensor.uniqueID] == nil { say(sensor) }
        now = now.advanced(by: 100)
        recordReadings(policy.consider(Array(states.values), at: now))
        now = now.advanced(by: 100)
        recordReadings(policy.collect(at: now))
        for (id, reading) in states {
            guard let told = held[id], case .number(let value) = told.state,
                case .number(let truth) = reading.state
            else {
                faults.append("\(id) is not told")
                continue
            }
            let difference = abs(value - truth)
            if difference != 0, difference >= reading.sensor.minChange {
                faults.append("\(id) is \(truth), told \(value)")
            }
        }
    }
}
