internal import HomeAssistantAPI
internal import HomingBase
internal import HomingDelivery
internal import HomingHealth
internal import HomingLocation
internal import HomingPush
internal import HomingRoutes
internal import HomingSensors

/// The state of a home at one moment, which the status, its own sensors, the doctor and the token's
/// gate read of it.
struct HomeState: Sendable {
    /// The rows of one stream.
    struct Queue: Sendable {
        let stream: Stream
        let ledger: Ledger
        /// Seconds since 1970 at which the oldest queued row was accepted.
        let oldest: Seconds?
    }

    let name: String
    let registration: Registration?
    let delivery: DeliveryState
    /// Fixes that were not reported here, by reason.
    let skipped: [SkipReason: Int]
    let zones: ZoneMap
    /// A stream that cannot be read is missing.
    let queues: [Queue]
    let channel: PushChannelState
    let warnings: [(warnable: Warnable, detail: String?)]
    /// Whether another machine uses this registration.
    let isShared: Bool

    /// Messages of all kinds that wait.
    var queued: Int { queues.reduce(0) { $0 + $1.ledger.queued } }

    /// The values of the home's own sensors.
    var homing: HomingState {
        HomingState(
            version: homingVersion, queued: queued, deliveredAt: delivery.lastSuccess,
            way: delivery.current?.title)
    }
}
