public import HomingBus
public import HomingMachine
internal import HomingRuntime

extension ObjectsSource {
    /// Watches battery and mains through UPower: `.power`.
    ///
    /// UPower's DisplayDevice stands for all batteries together. Where that is absent, or the bus, the
    /// state is `.mains`. UPower also announces changes of its own update time alone (each second for
    /// a while after a plug): these deliver nothing.
    public static func power(
        bus: Bus, deliver: @escaping @LoopActor (Observation) -> Void
    ) -> ObjectsSource {
        let (name, path) = ("org.freedesktop.UPower", "/org/freedesktop/UPower")
        let places = [
            BusObjectSet.Place(name, path, name),
            BusObjectSet.Place(name, "\(path)/devices/DisplayDevice", "\(name).Device"),
        ]
        return ObjectsSource(bus: bus, places, deliver: deliver) { objects in
            guard let objects, objects.allSatisfy(\.isOwned) else { return .power(.mains) }
            let (daemon, device) = (objects[0].properties, objects[1].properties)
            let percentage = device["Percentage"]?.number.map { min(max($0, 0), 100) }
            return .power(
                PowerState(
                    batteryPercentage: device["IsPresent"]?.boolean == true ? percentage : nil,
                    onBattery: daemon["OnBattery"]?.boolean ?? false))
        }
    }
}
