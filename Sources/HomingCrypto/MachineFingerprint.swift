/// An identity for this machine that does not give its machine id away.
public enum MachineFingerprint {
    /// machine-id(5) wants the id hashed with a fixed key of the application before it leaves the
    /// machine. To change this string is to turn every machine into a new device.
    private static let key = Array("homing device id".utf8)

    /// 32 lowercase hexadecimal characters, always the same for one machine: BLAKE2b of the content
    /// of /etc/machine-id under a key of ours. White space around the id does not count.
    public static func make(machineID: String) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0d).contains($0) }
        let id = machineID.utf8.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        return Fingerprint.make(of: Array(id), key: key)
    }

    /// Whether a text has the form of a fingerprint, which each device id has.
    public static func isFingerprint(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
