internal import HomeAssistantAPI
internal import HomingDelivery
internal import HomingJSON
internal import HomingMachine
internal import HomingRuntime
internal import HomingSensors

/// Chooses the sensor readings that one home is told, and puts them into its queue.
@LoopActor final class SensorReporter {
    /// Seconds between the enabling of a sensor and the second time that it is told: Home Assistant
    /// makes the entity 30 s after it was enabled, and before 2025.12 it loses what it is told
    /// until then.
    private static let making: Seconds = 45

    private let delivery: Delivery
    private let files: HostFiles
    private let clock: any Clockwork
    private let machine: Machine
    private let report: @LoopActor (Home.Event) -> Void
    private var wanted: SensorChoice
    /// Runner of the home's own sensors.
    private var runner: SensorRunner
    private var policy = SensorPolicy()
    private var webhookID: String?
    /// Sensors that were just enabled in Home Assistant, until they are told for the second time.
    private var enabledAgain: Set<String> = []
    private var enabledTimer: (any Alarm)?
    private lazy var promptTimer = WakeTimer(clock) { [weak self] in self?.prompted() }

    init(
        _ delivery: Delivery, choice: SensorChoice, files: HostFiles, machine: Machine,
        clock: any Clockwork, report: @escaping @LoopActor (Home.Event) -> Void
    ) {
        self.delivery = delivery
        wanted = choice
        self.files = files
        self.machine = machine
        self.clock = clock
        self.report = report
        runner = SensorRunner(SensorCatalog.ofHome, choice: choice)
    }

    /// The sensors that are wanted here; `nil` without a registration.
    var choice: SensorChoice? { webhookID == nil ? nil : wanted }

    /// Works for this registration from now on; a new one knows no sensor yet.
    func adopt(webhookID: String?) {
        guard webhookID != self.webhookID else { return }
        self.webhookID = webhookID
        policy.forgetAllTold()
        forgetEnabled()
        warnOfUnknown()
        report(.sensorsWanted(anew: true))
        askSoon()
    }

    /// Another choice from now on.
    func apply(_ choice: SensorChoice) {
        guard choice != wanted else { return }
        wanted = choice
        runner.choice = choice
        forgetEnabled()
        warnOfUnknown()
        report(.sensorsWanted(anew: false))
    }

    private func warnOfUnknown() {
        guard webhookID != nil else { return }
        for word in wanted.unknown {
            delivery.log.warning(
                "[sensors]: no sensor is called \(word); the page sensors in /usr/share/doc/homing/docs lists all"
            )
        }
    }

    private func askSoon() {
        guard webhookID != nil else { return }
        machine.want(.sensors(after: SensorReader.firstTick))
    }

    // MARK: Readings

    /// The machine has read its sensors.
    ///
    /// - Parameter homing: the values of the home's own sensors.
    func considerReadings(_ round: SensorReader.Readings, homing: @autoclosure () -> HomingState) {
        guard webhookID != nil else { return }
        var readings = round.readings.compactMap { admitted($0) }
        if let occasion = round.occasion {
            var state = round.state
            state.homing = homing()
            let own = runner.read(
                occasion, MachineView(files: files, state: state, now: clock.now()),
                clock: clock.now)
            for notice in own.notices { delivery.log.warning(notice.text) }
            readings += own.readings
        }
        put(policy.consider(readings, at: clock.now()))
        if round.occasion == .tick { put(policy.collect(at: round.began)) }
    }

    /// Sets how often states are reported while data is saved; `nil` for the usual pace.
    func setThrift(_ thrift: Thrift?) {
        policy.isSilenced = thrift != nil && thrift?.sensorInterval == nil
        policy.pause = thrift?.sensorInterval ?? 0
        guard webhookID != nil else { return }
        prompted()
    }

    /// Drops what only another home wants. A sensor that this home wanted before is unavailable.
    private func admitted(_ reading: SensorReading) -> SensorReading? {
        if wanted.isOn(reading.sensor) { return reading }
        return policy.knows(reading.sensor.uniqueID) ? .unavailable(reading.sensor) : nil
    }

    private func prompted() { put(policy.consider([], at: clock.now())) }

    private func put(_ readings: [SensorReading]) {
        defer { promptTimer.set(at: policy.nextPrompt) }
        guard !readings.isEmpty else { return }
        for reading in readings {
            guard let item = SensorRegistration(reading).json() else { continue }
            let message = SensorMessage(uniqueID: reading.sensor.uniqueID, item: item)
            if delivery.append(.sensor(message)) == nil { policy.notStored([reading]) }
        }
        delivery.deliver(.sensors, urgent: false)
    }

    /// Tells every sensor, also what was told already.
    func tellAll() {
        guard webhookID != nil else { return }
        policy.forgetAllTold()
        machine.want(.sensors(after: nil))
    }

    // MARK: Requests of Home Assistant

    /// Home Assistant told which sensors are disabled; one that is enabled again is told soon.
    func setDisabled(_ ids: Set<String>) {
        let enabled = policy.setDisabled(ids)
        guard !enabled.isEmpty, webhookID != nil else { return }
        askSoon()
        enabledAgain.formUnion(enabled)
        enabledTimer = clock.slowOnce(after: Self.making) { [weak self] in self?.tellEnabled() }
    }

    /// Home Assistant told which sensors it holds; one that was deleted there is told soon.
    func setKnown(_ ids: Set<String>) {
        guard webhookID != nil, !policy.setKnown(ids, at: clock.now()).isEmpty else { return }
        askSoon()
    }

    /// Home Assistant answered an update of these with `is_disabled`.
    func noteDisabled(_ ids: [String]) { for id in ids { policy.noteDisabled(id) } }

    private func tellEnabled() {
        policy.reportAgain(enabledAgain)
        forgetEnabled()
        machine.want(.sensors(after: nil))
    }

    private func forgetEnabled() {
        enabledAgain = []
        enabledTimer = nil
    }

    // MARK: Sleep and end

    /// The machine goes to sleep, or the daemon ends: what would grow stale becomes unavailable.
    /// Returns whether there is such news.
    @discardableResult func leave() -> Bool {
        guard webhookID != nil else { return false }
        let leaving = policy.unavailable(at: clock.now())
        put(leaving)
        return !leaving.isEmpty
    }

    /// The machine is awake again.
    func comeBack() {
        policy.resume()
        guard webhookID != nil else { return }
        askSoon()
        promptTimer.rearm()
    }

    func shutdown() {
        forgetEnabled()
        promptTimer.cancel()
    }
}

extension SensorRegistration {
    /// A reading's sensor, with its present state.
    init(_ reading: SensorReading) {
        let sensor = reading.sensor
        self.init(
            uniqueID: sensor.uniqueID, name: sensor.name, type: sensor.kind.rawValue,
            deviceClass: sensor.deviceClass, stateClass: sensor.stateClass?.rawValue,
            unitOfMeasurement: sensor.unit,
            entityCategory: sensor.isDiagnostic ? "diagnostic" : nil,
            icon: reading.icon ?? sensor.icon, state: reading.state.json,
            attributes: reading.attributes.mapValues(\.json))
    }
}

extension SensorValue {
    fileprivate var json: JSONValue {
        switch self {
        case .number(let value): .number(value)
        case .whole(let value): .whole(value)
        case .text(let text): .string(text)
        case .boolean(let value): .boolean(value)
        case .unknown: .null
        // Of binary sensors too: before it reads the state as on or off, Home Assistant looks
        // whether it is this word.
        case .unavailable: .string("unavailable")
        }
    }
}
