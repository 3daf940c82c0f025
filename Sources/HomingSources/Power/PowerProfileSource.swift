public import HomingBus
public import HomingMachine
internal import HomingRuntime

extension ObjectsSource {
    /// Watches the power profile: `.powerProfile`.
    ///
    /// power-profiles-daemon 0.20 moved to a new name; later ones, and tuned in its place, have both,
    /// and Debian 12's has the old one only.
    public static func powerProfile(
        bus: Bus, deliver: @escaping @LoopActor (Observation) -> Void
    ) -> ObjectsSource {
        let (new, old) = ("org.freedesktop.UPower.PowerProfiles", "net.hadess.PowerProfiles")
        let places = [
            BusObjectSet.Place(new, "/org/freedesktop/UPower/PowerProfiles", new),
            BusObjectSet.Place(old, "/net/hadess/PowerProfiles", old),
        ]
        return ObjectsSource(bus: bus, places, deliver: deliver) {
            let profiles = $0?.lazy.filter(\.isOwned).compactMap {
                $0.properties["ActiveProfile"]?.text?.bounded(Bound.word)
            }
            return .powerProfile(profiles?.first)
        }
    }
}
