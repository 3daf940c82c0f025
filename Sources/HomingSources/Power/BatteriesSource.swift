public import HomingBus
public import HomingMachine
public import HomingRuntime

/// Watches each battery through UPower, and delivers `.batteries` whenever one changed.
///
/// Batteries that power the machine count, and uninterruptible supplies; those of mice and phones do
/// not.
@LoopActor public final class BatteriesSource: Source {
    private var listing: BusListing?
    private let deliver: @LoopActor (Observation) -> Void
    private var delivered: [Battery]??

    /// - Parameters:
    ///   - bus: the bus UPower is on; whoever made it opens it.
    ///   - deliver: gets `.batteries` and nothing else.
    public init(bus: Bus, deliver: @escaping @LoopActor (Observation) -> Void) {
        self.deliver = deliver
        listing = BusListing(
            bus: bus, service: "org.freedesktop.UPower",
            manager: ("/org/freedesktop/UPower", "org.freedesktop.UPower"),
            method: "EnumerateDevices", interface: "org.freedesktop.UPower.Device",
            paths: { answer in (answer.first?.list ?? []).compactMap(\.text) }
        ) { [weak self] in self?.note($0) }
    }

    /// Begins to watch: joins the bus, open or not yet.
    public func start() { listing?.start() }

    /// Ends it; nothing is delivered after that, until it is started again.
    public func shutdown() {
        listing?.shutdown()
        delivered = nil
    }

    private func note(_ devices: [[String: BusValue]]?) {
        let batteries = devices?.compactMap { Battery($0) }.sorted { $0.name < $1.name }
        guard delivered != .some(batteries) else { return }
        delivered = .some(batteries)
        deliver(.batteries(batteries))
    }
}

extension Battery {
    /// Reads a device of UPower's; `nil` if it is no battery of the machine.
    init?(_ device: [String: BusValue]) {
        // 2 is a battery, 3 an uninterruptible supply.
        guard [2, 3].contains(device["Type"]?.whole), device["PowerSupply"]?.boolean == true,
            device["IsPresent"]?.boolean != false
        else { return nil }
        let above0 = { (property: String) -> Double? in
            device[property]?.number.flatMap { $0 > 0 ? $0 : nil }
        }
        self.init(
            name: device["NativePath"]?.text.map {
                String($0.split(separator: "/").last ?? "").bounded(Bound.name)
            } ?? "battery",
            model: device["Model"]?.text?.bounded(Bound.name),
            state: device["State"]?.whole.flatMap { State(rawValue: $0) } ?? .unknown,
            percentage: device["Percentage"]?.number.map { min(max($0, 0), 100) },
            rate: device["EnergyRate"]?.number.map { abs($0) }, capacity: above0("Capacity"),
            temperature: above0("Temperature"),
            cycles: device["ChargeCycles"]?.whole.flatMap { $0 > 0 ? $0 : nil })
    }
}
