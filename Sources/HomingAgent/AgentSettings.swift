internal import HomingBase
internal import HomingConfiguration
internal import HomingDelivery
internal import HomingLocation

/// The configuration as the stages take it.
struct AgentSettings {
    var location: LocationPolicy.Settings
    var stillInterval: Seconds
    var courier: Courier.Settings
    var queueTTL: Seconds?

    init(_ configuration: Configuration) {
        let location = configuration.location
        self.location = LocationPolicy.Settings(
            maxAccuracy: location.maxAccuracy, minDistance: location.minDistance,
            heartbeat: location.heartbeat, maxAge: location.maxAge)
        stillInterval = location.stillInterval
        courier = Courier.Settings(
            maxAge: location.maxAge, backlog: location.backlog,
            stalePosition: location.stalePosition, batch: location.batch,
            batchMetered: location.batchMetered)
        queueTTL = configuration.outbox.queueTTL == 0 ? nil : configuration.outbox.queueTTL
    }
}
