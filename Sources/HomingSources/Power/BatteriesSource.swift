public import HomingBus
public import HomingMachine
internal import HomingRuntime

extension ObjectsSource {
    /// Watches each battery through UPower: `.batteries`.
    ///
    /// Batteries that power the machine count, and uninterruptible supplies; those of mice and phones
    /// do not.
    public static func batteries(
        bus: Bus, deliver: @escaping @LoopActor (Observation) -> Void
    ) -> ObjectsSource {
        let name = "org.freedesktop.UPower"
        let lister = Lister(
            place: BusObjectSet.Place(name, "/org/freedesktop/UPower", name),
            method: "EnumerateDevices"
        ) { listed in
            listed.compactMap(\.text).map { BusObjectSet.Place(name, $0, "\(name).Device") }
        }
        return ObjectsSource(bus: bus, listedBy: lister, deliver: deliver) { devices in
            .batteries(
                devices?.compactMap { Battery($0.properties) }.sorted { $0.name < $1.name })
        }
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
