import HomingCrypto
import Testing

@Suite("The secret key")
struct SecretKeyTests {
    private static let secret = String(repeating: "c0ffee42", count: 8)

    private static let malformedSecrets: [String] = {
        let short = String(secret.dropLast())
        let shorter = String(short.dropLast())
        return [
            "", "00", short, "\(secret)0", "\(secret)00", "\(short)g", "\(shorter)ä", " \(short)",
            "\(short)\n", "\(short)\0", String(repeating: ":", count: 64),
        ]
    }()

    @Test("a secret that is not 64 hexadecimal characters is refused", arguments: malformedSecrets)
    func malformed(secret: String) {
        #expect(throws: SecretKeyError.malformed) { try SecretKey(hexadecimal: secret) }
    }

    @Test("it prints as nothing, however it is asked")
    func unprintable() throws {
        let key = try SecretKey(hexadecimal: Self.secret)
        var dumped = ""
        dump(key, to: &dumped)
        dump(SecretBox(key: key), to: &dumped)
        for text in ["\(key)", String(reflecting: key), String(describing: SecretBox(key: key))] {
            #expect(text.contains("SecretKey(…)"))
            dumped += text
        }
        #expect(!dumped.lowercased().contains("c0ffee"))
        #expect(!dumped.contains("0x"))
    }

    @Test("the error does not repeat the secret")
    func errorIsSilent() {
        do {
            _ = try SecretKey(hexadecimal: "\(Self.secret)00")
            Issue.record("it was taken")
        } catch {
            #expect(!"\(error)".contains("c0ffee"))
        }
    }

    @Test("ten thousand keys leave no guarded page behind")
    func isFreed() throws {
        let before = try mappings()
        for _ in 0..<10_000 { _ = try SecretKey(hexadecimal: Self.secret) }
        for _ in 0..<1000 { _ = try? SecretKey(hexadecimal: "zz" + Self.secret.dropFirst(2)) }
        #expect(try mappings() - before < 50)
    }

    /// Counts the mappings of the process: each guarded allocation is three.
    private func mappings() throws -> Int {
        try TextFile.read("/proc/self/maps").filter { $0 == "\n" }.count
    }
}
