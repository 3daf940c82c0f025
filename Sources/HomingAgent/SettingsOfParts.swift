internal import HomingConfiguration
internal import HomingDelivery
internal import HomingLocation
internal import HomingMachine
internal import HomingSensors

/// The settings of each part, from the configuration.
extension Machine.Settings {
    /// Makes the settings of what the machine observes for all homes: what any home may want.
    ///
    /// - Parameter homes: the configuration of each.
    init(_ configuration: Configuration, homes: [Configuration], choice: SensorChoice) {
        let location = configuration.location
        self.init(
            receiver: Receiver.Settings(
                filter: FixFilter.Settings(
                    maxAccuracy: location.maxAccuracy,
                    maxAge: homes.map(\.location.maxAge).max() ?? location.maxAge),
                stillInterval: location.stillInterval,
                minDistance: homes.map(\.location.minDistance).min() ?? location.minDistance),
            gpsd: configuration.gpsd,
            lookUps: LookUpStage.Settings(
                isOn: configuration.geoclue.enabled, interval: configuration.geoclue.interval,
                maxAccuracy: location.maxAccuracy),
            sensors: SensorReader.Settings(
                choice: choice, interval: configuration.sensors.interval,
                scripts: configuration.sensors.scripts),
            thrift: ThriftPolicy.Settings(configuration.thrift))
    }
}

extension ThriftPolicy.Settings {
    init(_ thrift: Configuration.Thrift) {
        self.init(
            mode: thrift.mode, budget: thrift.budget == 0 ? nil : thrift.budget * Megabytes.bytes,
            quiet: thrift.quiet)
    }
}

extension ReportPolicy.Settings {
    /// - Parameter thrift: how much data is saved; `nil` if nothing is.
    init(_ configuration: Configuration, _ thrift: Thrift?) {
        let location = configuration.location
        self.init(
            disclosure: location.tell,
            minDistance: thrift?.minDistance(location.minDistance) ?? location.minDistance,
            heartbeat: thrift?.heartbeat(location.heartbeat) ?? location.heartbeat,
            maxAge: location.maxAge)
    }
}

extension Delivery.Settings {
    init(_ configuration: Configuration) {
        let location = configuration.location
        let queueTTL = configuration.outbox.queueTTL
        self.init(
            courier: Courier.Settings(
                maxAge: location.maxAge, backlog: location.backlog,
                stalePosition: location.stalePosition, batch: location.batch,
                batchMetered: location.batchMetered,
                receipts: configuration.outbox.durability == .crash ? .quick : .usual),
            queueTTL: queueTTL == 0 ? nil : queueTTL, disclosure: location.tell)
    }
}

extension PlaceReporter.Settings {
    init(_ configuration: Configuration) {
        self.init(
            places: configuration.places.known, silence: configuration.location.receiverSilence,
            isTold: configuration.location.tell != .never,
            hasLookUps: configuration.geoclue.enabled)
    }
}

extension SensorChoice {
    /// The sensors that a home is told of.
    init(_ configuration: Configuration) {
        let hidden = configuration.location.tell == .exact ? [] : SensorCatalog.namingNetworks
        let sensors = configuration.sensors
        self.init(enable: sensors.enable, disable: sensors.disable + hidden)
    }
}
