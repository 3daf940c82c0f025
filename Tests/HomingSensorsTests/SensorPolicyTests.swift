import HomingBase
import HomingSensors
import Testing

@Suite struct SensorPolicyTests {
    private let start = Moment(uptime: 1000, unixTime: 1_800_000_000)

    private func after(_ seconds: Seconds) -> Moment { start.advanced(by: seconds) }

    private let battery = SensorDescription(
        "battery_level", "Battery level", unit: "%", icon: "mdi:battery", urgency: .prompt,
        minChange: 2, summary: "Charge.")
    private let load = SensorDescription(
        "load", "Load", stateClass: .measurement, icon: "mdi:chip", minChange: 0.1,
        summary: "Load.")
    private let kernel = SensorDescription(
        "kernel", "Kernel", icon: "mdi:penguin", lasts: true, summary: "Kernel.")

    @Test("what is said twice is told once")
    func once() {
        var policy = SensorPolicy()
        let reading = SensorReading(battery, .whole(80))
        #expect(policy.consider([reading], at: start) == [reading])
        #expect(policy.consider([reading], at: after(100)).isEmpty)
        #expect(policy.collect(at: after(200)).isEmpty)
        #expect(policy.readings == [reading])
    }

    @Test("a prompt change goes at once, a patient one when somebody collects")
    func urgency() {
        var policy = SensorPolicy()
        let (charge, work) = (SensorReading(battery, .whole(80)), SensorReading(load, .number(1)))
        #expect(policy.consider([work, charge], at: start) == [charge])
        #expect(policy.collect(at: start) == [work])
        let busier = SensorReading(load, .number(2))
        #expect(policy.consider([busier], at: after(60)).isEmpty)
        #expect(policy.nextPrompt == nil)
        #expect(policy.collect(at: after(61)) == [busier])
    }

    @Test("a prompt change too soon after the last waits for its time, and only the newest is told")
    func spacing() {
        var policy = SensorPolicy()
        _ = policy.consider([SensorReading(battery, .whole(80))], at: start)
        for (second, charge) in [(1.0, 70), (2, 60), (9.9, 50)] {
            let reading = SensorReading(battery, .whole(charge))
            #expect(policy.consider([reading], at: after(second)).isEmpty)
            #expect(policy.collect(at: after(second)).isEmpty)
        }
        #expect(policy.nextPrompt == start.uptime + 10)
        #expect(policy.consider([], at: after(10)) == [SensorReading(battery, .whole(50))])
        #expect(policy.nextPrompt == nil)
    }

    @Test("a prompt change that is taken back in time is not told at all")
    func takenBack() {
        var policy = SensorPolicy()
        _ = policy.consider([SensorReading(battery, .whole(80))], at: start)
        _ = policy.consider([SensorReading(battery, .whole(70))], at: after(1))
        _ = policy.consider([SensorReading(battery, .whole(80))], at: after(2))
        #expect(policy.nextPrompt == nil)
        #expect(policy.consider([], at: after(60)).isEmpty)
    }

    @Test("a patient change is told at most once a minute, however often somebody collects")
    func patience() {
        var policy = SensorPolicy()
        var told = 0
        for second in 0..<600 {
            let reading = SensorReading(load, .number(Double(second)))
            #expect(policy.consider([reading], at: after(Seconds(second))).isEmpty)
            told += policy.collect(at: after(Seconds(second))).count
        }
        #expect(told == 10)
    }

    @Test("while data is saved nothing is told but after a pause, and then everything that waits")
    func pause() {
        var policy = SensorPolicy()
        let (charge, work) = (SensorReading(battery, .whole(80)), SensorReading(load, .number(1)))
        policy.pause = 3600
        #expect(policy.consider([work, charge], at: start) == [charge, work])
        let (less, busier) = (SensorReading(battery, .whole(70)), SensorReading(load, .number(2)))
        #expect(policy.consider([busier, less], at: after(100)).isEmpty)
        #expect(policy.collect(at: after(3599)).isEmpty)
        let first = SensorReading(kernel, .text("6.1"))
        #expect(policy.consider([first], at: after(1800)) == [first], "a first state does not wait")
        #expect(policy.nextPrompt == start.uptime + 3600)
        #expect(policy.consider([], at: after(3600)) == [less, busier])
        #expect(policy.nextPrompt == nil)
        #expect(policy.consider([SensorReading(battery, .whole(60))], at: after(3700)).isEmpty)
        policy.pause = 0
        #expect(policy.consider([], at: after(3800)) == [SensorReading(battery, .whole(60))])
    }

    @Test("while data is saved a diagnostic sensor waits four times as long")
    func diagnosticPause() {
        let memory = SensorDescription(
            "memory", "Memory", isDiagnostic: true, icon: "mdi:memory", summary: "Memory.")
        var policy = SensorPolicy()
        policy.pause = 3600
        #expect(policy.consider([SensorReading(memory, .whole(1))], at: start).count == 1)
        #expect(policy.consider([SensorReading(memory, .whole(2))], at: after(3700)).isEmpty)
        #expect(policy.nextPrompt == start.uptime + 4 * 3600)
        #expect(policy.collect(at: after(4 * 3600 - 1)).isEmpty)
        #expect(policy.collect(at: after(4 * 3600)).count == 1)
    }

    @Test("a sensor that still waits for company is not taken for deleted")
    func knownWhileSaving() {
        var policy = SensorPolicy()
        let charge = SensorReading(battery, .whole(80))
        policy.pause = 21_600
        #expect(policy.consider([charge], at: start) == [charge])
        #expect(policy.setKnown([], at: after(3600)).isEmpty)
        #expect(policy.setKnown([], at: after(3661)) == ["battery_level"])
        policy.isSilenced = true
        #expect(policy.setKnown([], at: after(7200)).isEmpty)
    }

    @Test("silence holds back all but first states, and everything that waits is told afterwards")
    func silence() {
        var policy = SensorPolicy()
        policy.isSilenced = true
        let charge = SensorReading(battery, .whole(80))
        #expect(policy.consider([charge], at: start) == [charge])
        let less = SensorReading(battery, .whole(60))
        #expect(policy.consider([less], at: after(100)).isEmpty)
        #expect(policy.collect(at: after(90_000)).isEmpty)
        #expect(policy.nextPrompt == nil)
        policy.isSilenced = false
        #expect(policy.consider([], at: after(90_001)) == [less])
    }

    @Test("while data is saved, a machine that often sleeps still tells the sensors that last")
    func pauseOverSleep() {
        var policy = SensorPolicy()
        policy.pause = 6 * 3600
        _ = policy.consider(
            [SensorReading(load, .number(1)), SensorReading(kernel, .text("6.1"))], at: start)
        var told: [SensorReading] = []
        for hour in 1...12 {
            let now = after(Seconds(hour) * 3600)
            _ = policy.unavailable(at: now)
            policy.resume()
            told += policy.consider(
                [SensorReading(load, .number(Double(hour))), SensorReading(kernel, .text("6.2"))],
                at: now.advanced(by: 60))
        }
        #expect(told.filter { $0.sensor.uniqueID == "kernel" }.count == 1)
        #expect(told.filter { $0.sensor.uniqueID == "load" }.count == 12)
    }

    @Test("a pause holds back neither a new registration nor a sensor that is enabled again")
    func pauseEnds() {
        var policy = SensorPolicy()
        let charge = SensorReading(battery, .whole(80))
        policy.pause = 3600
        #expect(policy.consider([charge], at: start) == [charge])
        policy.forgetAllTold()
        #expect(policy.consider([], at: after(60)) == [charge])
        policy.reportAgain(["battery_level"])
        #expect(policy.consider([], at: after(120)) == [charge])
    }

    @Test("a change waits for the next tick and not for the one after it, though that comes early")
    func earlyTick() {
        var policy = SensorPolicy()
        for tick in 0..<10 {
            let reading = SensorReading(load, .number(Double(tick)))
            // A slow timer of GLib's fires up to a quarter of a second before its time.
            let now = after(Seconds(tick) * 59.75)
            #expect(policy.consider([reading], at: now).isEmpty)
            #expect(policy.collect(at: now) == [reading])
        }
    }

    @Test("small steps add up: the change is measured from what was told, not from what was said")
    func drift() {
        var policy = SensorPolicy()
        _ = policy.consider([SensorReading(battery, .number(80))], at: start)
        #expect(policy.consider([SensorReading(battery, .number(79))], at: after(20)).isEmpty)
        #expect(policy.consider([SensorReading(battery, .number(78.1))], at: after(40)).isEmpty)
        let third = SensorReading(battery, .number(78))
        #expect(policy.consider([third], at: after(60)) == [third])
        #expect(policy.readings == [third])
    }

    @Test("what is shown now is the newest, told or not")
    func newest() {
        var policy = SensorPolicy()
        _ = policy.consider([SensorReading(battery, .number(80))], at: start)
        _ = policy.consider([SensorReading(battery, .number(79))], at: after(20))
        #expect(policy.readings == [SensorReading(battery, .number(79))])
    }

    @Test("from a number to none and back is a change, however small the number's")
    func unknown() {
        var policy = SensorPolicy()
        _ = policy.consider([SensorReading(battery, .whole(80))], at: start)
        let unknown = SensorReading(battery, .unknown)
        #expect(policy.consider([unknown], at: after(20)) == [unknown])
        let known = SensorReading(battery, .whole(80))
        #expect(policy.consider([known], at: after(40)) == [known])
    }

    @Test("attributes that change are told, but hurry nobody; an icon is seen, and hurries")
    func attributes() {
        var policy = SensorPolicy()
        _ = policy.consider([SensorReading(battery, .whole(80))], at: start)
        let model = SensorReading(battery, .whole(80), attributes: ["model": .text("X")])
        #expect(policy.consider([model], at: after(70)).isEmpty)
        #expect(policy.nextPrompt == nil)
        #expect(policy.collect(at: after(70)) == [model])
        let charging = SensorReading(
            battery, .whole(80), attributes: ["model": .text("X")], icon: "mdi:battery-charging")
        #expect(policy.consider([charging], at: after(140)) == [charging])
    }

    @Test("what could not be stored is told again, with what it says by then")
    func notStored() {
        var policy = SensorPolicy()
        let told = policy.consider([SensorReading(battery, .whole(80))], at: start)
        policy.notStored(told)
        #expect(policy.nextPrompt ?? 0 <= start.uptime)
        let newer = SensorReading(battery, .whole(81))
        #expect(policy.consider([newer], at: after(1)) == [newer])
    }

    @Test("a sensor disabled in Home Assistant is not told, and told anew when it is enabled again")
    func disabled() {
        var policy = SensorPolicy()
        let reading = SensorReading(battery, .whole(80))
        _ = policy.consider([reading], at: start)
        policy.noteDisabled("battery_level")
        #expect(policy.disabled == ["battery_level"])
        let changed = SensorReading(battery, .whole(50))
        #expect(policy.consider([changed], at: after(20)).isEmpty)
        #expect(policy.collect(at: after(20)).isEmpty)
        #expect(policy.nextPrompt == nil)
        policy.setDisabled(["battery_level", "other"])
        #expect(policy.collect(at: after(30)).isEmpty)
        _ = policy.consider([reading], at: after(40))
        policy.setDisabled([])
        #expect(policy.consider([], at: after(41)) == [reading], "though it was told before")
    }

    @Test("a sensor that was deleted in Home Assistant is told anew, though its state is the same")
    func deleted() {
        var policy = SensorPolicy()
        let all = [SensorReading(battery, .whole(80)), SensorReading(kernel, .text("6.1"))]
        _ = policy.consider(all, at: start)
        _ = policy.collect(at: start)
        let deleted = { policy.setKnown(["battery_level", "tracker"], at: after($0)) }
        #expect(deleted(30).isEmpty, "it may still be on its way")
        #expect(policy.collect(at: after(61)).isEmpty)
        #expect(deleted(61) == ["kernel"])
        #expect(policy.collect(at: after(62)) == [all[1]])
        #expect(policy.setKnown(["battery_level", "kernel"], at: after(200)).isEmpty)
        #expect(policy.collect(at: after(200)).isEmpty)
    }

    @Test("after a new registration everything is told again, and nothing is disabled")
    func registeredAgain() {
        var policy = SensorPolicy()
        let all = [SensorReading(battery, .whole(80)), SensorReading(kernel, .text("6.1"))]
        _ = policy.consider(all, at: start)
        _ = policy.collect(at: start)
        policy.noteDisabled("kernel")
        policy.forgetAllTold()
        #expect(policy.disabled.isEmpty)
        #expect(policy.collect(at: after(1)) == all)
    }

    @Test("a thing that is gone is told to be, but not where it was never heard of")
    func gone() {
        var policy = SensorPolicy()
        let gone = SensorReading.unavailable(battery)
        #expect(policy.consider([gone], at: start).isEmpty)
        let reading = SensorReading(battery, .whole(80))
        _ = policy.consider([reading], at: after(20))
        #expect(policy.consider([gone], at: after(40)) == [gone])
        #expect(policy.readings.isEmpty)
        policy.forgetAllTold()
        #expect(policy.collect(at: after(60)).isEmpty)
        #expect(policy.consider([reading], at: after(80)) == [reading])
    }

    @Test("a thing that is gone is told again if that could not be stored")
    func goneNotStored() {
        var policy = SensorPolicy()
        let gone = SensorReading.unavailable(battery)
        _ = policy.consider([SensorReading(battery, .whole(80))], at: start)
        policy.notStored(policy.consider([gone], at: after(20)))
        #expect(policy.consider([], at: after(21)) == [gone])
    }

    @Test("before sleep what would grow stale is unavailable, once; what lasts stays")
    func sleeps() {
        var policy = SensorPolicy()
        let all = [
            SensorReading(battery, .whole(80)), SensorReading(kernel, .text("6.1")),
            SensorReading(load, .number(1)),
        ]
        _ = policy.consider(all, at: start)
        _ = policy.collect(at: start)
        #expect(
            policy.unavailable(at: after(5)) == [.unavailable(battery), .unavailable(load)])
        #expect(policy.unavailable(at: after(5)).isEmpty)
    }

    @Test("asleep nothing is told; awake, only what was read since, and that at once")
    func wakes() {
        var policy = SensorPolicy()
        let reading = SensorReading(battery, .whole(80))
        _ = policy.consider([reading, SensorReading(load, .number(1))], at: start)
        _ = policy.collect(at: start)
        _ = policy.unavailable(at: after(5))
        #expect(policy.consider([SensorReading(battery, .whole(79))], at: after(6)).isEmpty)
        #expect(policy.collect(at: after(6)).isEmpty)
        #expect(policy.nextPrompt == nil)
        policy.resume()
        _ = policy.unavailable(at: after(7))
        policy.resume()
        #expect(policy.collect(at: after(8)).isEmpty, "what was read before is stale")
        #expect(policy.consider([reading], at: after(8)) == [reading])
    }

    @Test("a disabled sensor is not told to be unavailable, nor one that was never told")
    func leavesOthersAlone() {
        var policy = SensorPolicy()
        _ = policy.consider([SensorReading(battery, .whole(80))], at: start)
        _ = policy.consider([SensorReading(load, .number(1))], at: start)
        policy.noteDisabled("battery_level")
        #expect(policy.unavailable(at: after(5)).isEmpty)
    }

    @Test("an unavailability that could not be stored leaves nothing untold after waking")
    func unavailableNotStored() {
        var policy = SensorPolicy()
        let reading = SensorReading(battery, .whole(80))
        _ = policy.consider([reading], at: start)
        policy.notStored(policy.unavailable(at: after(5)))
        policy.resume()
        #expect(policy.consider([reading], at: after(6)) == [reading])
    }
}
