public import HomingRuntime

/// Runs the scripts of a folder, each at its own pace, and turns what they write into readings.
///
/// The folder is looked at again whenever a script is due, and at least every `interval`.
@LoopActor public final class ScriptRunner {
    private let folder: String
    private let interval: Seconds
    private let choice: SensorChoice
    private var confinement: Confinement
    private let deliver: @LoopActor ([SensorReading]) -> Void
    private let warn: @LoopActor (String) -> Void
    private var schedule = ScriptSchedule()
    private var process: ChildProcess?
    private let clock: any Clockwork
    private var timer: (any Alarm)?
    /// Sensors whose readings each script gave last.
    private var given: [String: [SensorDescription]] = [:]
    /// Bytes of the texts that each script gave last.
    private var sizes: [String: Int] = [:]
    /// Remark that was made last about each file, so that the same remark is not made again.
    private var said: [String: String] = [:]

    /// - Parameters:
    ///   - folder: absolute, such as `/etc/homing/sensors.d`; it need not be there.
    ///   - interval: seconds between two runs of a script that names no other.
    ///   - choice: which sensors are on.
    ///   - confinement: the files that no script may read, at first.
    ///   - deliver: gets readings for `SensorPolicy.consider`; a sensor that is no more is among them
    ///     as unavailable.
    ///   - warn: gets sentences for the journal.
    public init(
        folder: String, interval: Seconds, choice: SensorChoice = SensorChoice(),
        confinement: Confinement = .none, clock: any Clockwork,
        deliver: @escaping @LoopActor ([SensorReading]) -> Void,
        warn: @escaping @LoopActor (String) -> Void
    ) {
        self.folder = folder
        self.interval = interval
        self.choice = choice
        self.confinement = confinement
        self.clock = clock
        self.deliver = deliver
        self.warn = warn
    }

    /// Keeps scripts from reading these files, from their next run on.
    public func confine(_ confinement: Confinement) { self.confinement = confinement }

    /// Begins: every script runs once, one after the other.
    public func start() { step() }

    /// Ends it, and kills a script that runs; nothing is delivered after that.
    public func shutdown() {
        process?.cancel()
        process = nil
        timer = nil
    }

    /// Looks what is there, starts what is due, and sleeps until the next is.
    private func step() {
        let now = clock.now()
        let found = ScriptFolder(folder)
        let wanted = found.scripts.filter(choice.mayBeOn(script:))
        for gone in schedule.update(wanted, at: now) { replaceGiven(of: gone, by: []) }
        for (file, reason) in found.refused.sorted(by: { $0.key < $1.key }) {
            sayOnce("\(file) \(reason): it is not run", of: file)
        }
        if let next = schedule.start(at: now) { run(next.name, timeout: next.timeout) }
        let wait = min((schedule.nextAt ?? .infinity) - now.uptime, interval)
        timer = clock.slowOnce(after: wait) { [weak self] in self?.step() }
    }

    private func run(_ name: String, timeout: Seconds) {
        do throws(SystemError) {
            process = try ChildProcess(
                "\(folder)/\(name)", timeout: timeout, limit: ScriptOutput.limit,
                confinement: confinement
            ) { [weak self] in self?.ended(name, $0) }
        } catch {
            note(name, .failure(ScriptFault("it", "does not run: \(error)")))
        }
    }

    private func ended(_ name: String, _ result: ChildProcess.Result) {
        process = nil
        note(name, ScriptOutput.reading(result, of: name))
        step()
    }

    private func note(_ name: String, _ outcome: Result<ScriptOutput, ScriptFault>) {
        let now = clock.now()
        let file = "\(folder)/\(name)"
        switch outcome.flatMap({ fitting($0, of: name) }) {
        case .success(let output):
            let failures = schedule.ended(
                pause: output.interval ?? interval, timeout: output.timeout, at: now)
            if failures >= ScriptSchedule.strikes { warn("\(file) works again") }
            said[file] = nil
            // Its file may have gone while it ran.
            replaceGiven(of: name, by: schedule.has(name) ? output.readings : [])
        case .failure(let fault):
            let failures = schedule.failed(interval: interval, at: now)
            if failures != ScriptSchedule.strikes {
                return sayOnce("\(file): \(fault.message)", of: file)
            }
            replaceGiven(of: name, by: [])
            warn("\(file) keeps failing, and its sensors are unavailable: \(fault.message)")
        }
    }

    private func replaceGiven(of script: String, by readings: [SensorReading]) {
        let readings = readings.filter { choice.isOn($0.sensor) }
        let now = Set(readings.map(\.sensor.uniqueID))
        let gone = (given[script] ?? []).filter { !now.contains($0.uniqueID) }
        given[script] = readings.isEmpty ? nil : readings.map(\.sensor)
        sizes[script] = readings.isEmpty ? nil : readings.reduce(0) { $0 + $1.size }
        let all = readings + gone.map { SensorReading.unavailable($0) }
        if !all.isEmpty { deliver(all) }
    }

    /// The output, if there is room for it beside what the other scripts say.
    private func fitting(
        _ output: ScriptOutput, of script: String
    ) -> Result<ScriptOutput, ScriptFault> {
        let others = sizes.filter { $0.key != script }.values.reduce(0, +)
        let own = output.readings.reduce(0) { $0 + $1.size }
        guard others + own > Bound.scripts else { return .success(output) }
        let limit = Bound.scripts / 1024
        return .failure(
            ScriptFault("its output", "finds no room: all scripts together may say \(limit) kB"))
    }

    private func sayOnce(_ text: String, of file: String) {
        if said.count > Bound.remarks { said = [:] }
        guard said.updateValue(text, forKey: file) != text else { return }
        warn(text)
    }
}

extension ScriptOutput {
    /// Returns the output of a run, or the fault in the run.
    static func reading(
        _ result: ChildProcess.Result, of script: String
    ) -> Result<ScriptOutput, ScriptFault> {
        let last = String(decoding: result.errors, as: UTF8.self).streamSafe.split(separator: "\n")
            .last
        let said = last.map { ": \($0.prefix(200).debugDescription)" } ?? ""
        switch result.ending {
        case .exited(0):
            return Result { () throws(ScriptFault) in
                try ScriptOutput(result.output, of: script)
            }
        case .exited(let status):
            return .failure(ScriptFault("it", "ended with status \(status)\(said)"))
        case .signalled(let number):
            return .failure(ScriptFault("it", "was killed by signal \(number)\(said)"))
        case .timedOut: return .failure(ScriptFault("it", "took too long and was killed\(said)"))
        case .wroteTooMuch:
            return .failure(
                ScriptFault("its output", "is larger than \(limit / 1024) kB; it was killed"))
        }
    }
}
