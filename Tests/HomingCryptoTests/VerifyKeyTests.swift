import HomingCrypto
import Testing

/// A verify key as text.
@Suite struct VerifyKeyTests {
    private static let text = "689aa50ae26d4f15d541d2317bc0334e2ec303284b96277023df2a77281dd494"

    @Test("A key is kept as 64 hexadecimal characters, and nothing else is read as one")
    func hexadecimal() throws {
        let key = try #require(VerifyKey(hexadecimal: Self.text))
        #expect(key.hexadecimal == Self.text && key.bytes.first == 0x68)
        #expect(VerifyKey(hexadecimal: Self.text.uppercased()) == key)
        for wrong in ["", "00", Self.text + "0", String(Self.text.dropLast()) + "g"] {
            #expect(VerifyKey(hexadecimal: wrong) == nil)
        }
    }

    @Test(
        "A fingerprint is known in whatever case, with and without dashes and blanks; a part is not"
    )
    func fingerprint() throws {
        let key = try #require(VerifyKey(hexadecimal: Self.text))
        let print = key.fingerprint
        for same in [
            print, print.uppercased(), print.replacing("-", with: ""),
            " \(print.replacing("-", with: " - "))\n",
        ] { #expect(key.hasFingerprint(same), "\(same)") }
        let other = (print.first == "0" ? "1" : "0") + print.dropFirst()
        for wrong in ["", String(print.dropLast()), print + "0", other, Self.text] {
            #expect(!key.hasFingerprint(wrong), "\(wrong)")
            #expect(VerifyKey.isFingerprint(wrong) == (wrong == other), "\(wrong)")
        }
        #expect(VerifyKey.isFingerprint(print.uppercased()))
        #expect(!VerifyKey.isFingerprint("g" + print.dropFirst()))
    }
}
