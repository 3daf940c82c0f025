/// Notices that nearly all devices come from one address, as they do through a proxy that does not
/// tell for whom it asks.
///
/// A house has a single address too, so the number of devices decides: the last `capacity` devices
/// are remembered, each by its last address.
struct Sightings<Device: Hashable & Sendable, Address: Hashable & Sendable>: Sendable {
    /// Devices that are remembered.
    static var capacity: Int { 64 }
    /// Devices of a single address that a house may have.
    static var household: Int { 20 }
    /// The part of all devices that is nearly all.
    private static var share: Double { 0.95 }

    /// The longest unseen first.
    private var devices: [(device: Device, address: Address)] = []

    /// Notes the address of a device.
    mutating func note(_ device: Device, at address: Address) {
        if let index = devices.firstIndex(where: { $0.device == device }) {
            devices.remove(at: index)
        } else if devices.count == Self.capacity {
            devices.removeFirst()
        }
        devices.append((device, address))
    }

    /// Whether nearly all have the address of the last one.
    var haveOneAddress: Bool {
        guard let last = devices.last, devices.count >= Self.household else { return false }
        let same = devices.count { $0.address == last.address }
        return Double(same) >= Self.share * Double(devices.count)
    }
}
