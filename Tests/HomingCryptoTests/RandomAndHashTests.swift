import HomingCrypto
import Testing

@Suite("Random tokens and the machine's fingerprint")
struct RandomAndHashTests {
    @Test("a token has two lowercase hexadecimal characters a byte", arguments: [0, 1, 8, 16, 33])
    func tokenLength(bytes: Int) {
        let token = RandomToken.hex(bytes: bytes)
        #expect(token.utf8.count == bytes * 2)
        #expect(token.allSatisfy { "0123456789abcdef".contains($0) })
    }

    @Test("tokens do not repeat")
    func tokensDiffer() {
        #expect(Set((0..<1000).map { _ in RandomToken.hex(bytes: 16) }).count == 1000)
    }

    @Test("a nonce has 24 bytes and no two are alike")
    func nonces() {
        #expect(Nonce([UInt8](repeating: 0, count: 23)) == nil)
        #expect(Nonce([UInt8](repeating: 0, count: 25)) == nil)
        #expect(Nonce([UInt8](repeating: 0, count: 24)) != nil)
        #expect(Nonce() != Nonce())
    }

    /// Vector from Python: `hashlib.blake2b(id, digest_size=16, key=b"homing device
    /// id").hexdigest()`.
    @Test("the fingerprint is BLAKE2b under our key, now and for ever")
    func fingerprintVector() {
        let machine = "b08dfa6083e7567a1921a715000001fb"
        #expect(MachineFingerprint.make(machineID: machine) == "8b06c3638f57221d1a3a343f3fe18541")
        #expect(
            MachineFingerprint.make(machineID: " \(machine)\n")
                == MachineFingerprint.make(machineID: machine))
    }

    @Test("the fingerprint does not hold the machine id, and differs between machines")
    func fingerprintHides() {
        let machine = "b08dfa6083e7567a1921a715000001fb"
        let fingerprint = MachineFingerprint.make(machineID: machine)
        #expect(fingerprint.utf8.count == 32)
        #expect(fingerprint != machine)
        #expect(fingerprint != MachineFingerprint.make(machineID: String(machine.reversed())))
    }
}
