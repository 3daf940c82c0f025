import HomingCrypto
import Testing

@testable import HomingRelayProtocol

/// Results of Python's hashlib.blake2b and PyNaCl for the same keys. They fix every form and every
/// use.
///
/// The device's pair is Bob's of RFC 7748. The sender's secret is the bytes 17 to 48.
enum Vector {
    static let deviceSecret = "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"
    static let token = "hr1.BwEC3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK09VpEij8Z28S3rmSkrMX3iS"
    static let mailbox = "6e06b0cac9c021b6025065efa77760f0"
    static let label = "e9f52c79"
    static let parcelKey = "1c05d36d45b7f4e2adb98b55e71a4a38da180536909b243fb17e14375afa5468"
    static let tagOfDoor = "2eb80e48bf1cc3d171eeae80e7d72767"
    static let confirmIDOfDoor = "53b697521c1a23d832d081d1aac49f69"
    static let invitationOfDoor = "86a673d0f89b3a904f9046cca1807783"
    /// Message 5 of the millisecond 1 792 000 000 123, with the bytes 0 to 7.
    static let messageID = "AaE7hgB7AAUAAQIDBAUGBw"
    static let body = #"{"message":"Back at home"}"#
    /// Parcel that came at 1 792 000 000 123, and expires a day later.
    static let parcel =
        "AQdNJ7zuMTXElEso0n3YCbB74Qw1Fg0gExyqfoVXVJjQfEBBQkNERUZHSElKS0xNTk9QUVJTVFVWV_wA"
        + "YCuq_gQwtvSV7_vE8JuCzD4nFptEm3eCmBhPwreaAk5xZmXJjSkALuiI8Iv__1nAXciZ2Sw5C3MbUva3"
        + "M9onlUxElR9LZBzWEP5PKgUaTAe8RNSpB19cW7mzZ2vs-og42N9jKv_3AOjOrfS_e2fm1t_oKEADi0KL"
        + "QEYaDHn4obXS1xAuo-WQsNX53dFd80m4LofbRbwgwsNNdq8EpXMs_Z0LTGWNQWjFZv1nKOoxTFRJu5Vt"
        + "y3zVtAsgs3GW9ZarvC584AWovrWkmL0qqpSDDBkrn2KBCRfndscXS81yVYcr2mqm6h8coL6HMmcE8rm1"
        + "45g1B-3xNOHLQl0Lj1fyJD2lI-PoSJZFqkD6TpXv"
    /// Its answer is the bytes 0 to 31.
    static let challenge =
        "AQdNJ7zuMTXElEso0n3YCbB74Qw1Fg0gExyqfoVXVJjQfEBBQkNERUZHSElKS0xNTk9QUVJTVFVWV0Ml"
        + "SUw4n5NcHim1rkprYiCTzZ4ek586nXWKkBBHyr-SCjBmxLwUWB6hNKH3BDCVgbZAXck44qo5cHMbU1f3"
        + "n4Zc7m4p8Gw4BXuzMsRtaGR5JyfdMPTBaDI5ecQzZ2vs-og42N9jKv_3AOjOrfS_e2fm1t_oKEADi0KL"
        + "QEYaDHn4obXS1xAuo-WQsNX53dFd80m4LofbRbwgwsNNdq8EpXMs_Z0LTGWNQWjFZv1nKOoxTFRJu5Vt"
        + "y3zVtAsgs3GW9ZarvC584AWovrWkmL0qqpSDDBkrn2KBCRfndscXS81yVYcr2mqm6h8coL6HMmcE8rm1"
        + "45g1B-3xNOHLQl0Lj1fyJD2lI-PoSJZFqkD6TpXv"
    static let grant =
        "AQdNJ7zuMTXElEso0n3YCbB74Qw1Fg0gExyqfoVXVJjQfEBBQkNERUZHSElKS0xNTk9QUVJTVFVWV_zU"
        + "3dq3bjl7TA313dJQhBC4FLUPDVJL6tdjErsrdps4P1QYInnhADVUO-HDzN-HxE5p65f1AsgdO6O_vaeS"
        + "WjBA5EoWeP5x7TJSY-e7NlYf6yXkDcAqjem7rUYPYTUSUvJN1M-fyHeClFPGQ00088NfPhhvAP3ohQC1"
        + "6CQIwEcQGff60UmZdmA7JTdUPj9nfmKabLldwUjlp_-r7le-jNXTvxvMdOuVOGg57sSn5la1bBI9Il73"
        + "NKWnnsxTr9bYaf-loFvDKzRgTorDBjcWDa_2xNdaXEs0nzgqRmyABectWubW8PSrUtggu9EgyvcEKK52"
        + "fR91orKFLVW0XEBpkrTonuFo755xRevbzs6WIlS5"

    static let frontKey = "689aa50ae26d4f15d541d2317bc0334e2ec303284b96277023df2a77281dd494"
    static let frontFingerprint = "603f-7436-a14c-0861-121f-11e6-394b-d07e"
    /// Signature of the bytes 0 to 39, for the mailbox above.
    static let boxSignature =
        "tp2eDxs21MSzYNV6DBOv-ATcCZ9MXp3a_0XGVaV3o-KANXXtrZGXTSQijyWBGdu6UjFW28kZu2osxOFUAaG-"
        + "Bw"
    /// Signature of `https://far.example/relay`, with `https://front.example/v1/push` and the bytes
    /// 0 to 9.
    static let offerSignature =
        "uPCLjddRCkICxsrZr9xxM8bM74PP-HJX3C9qffzXa_XaYw2yKu4XpPNuTS7GmDSrB0nqJZkCOduGUVHh4PWz"
        + "CA"

    /// The ring of the vectors: key 7 is the bytes 128 to 159, that of names 160 to 191.
    static func ring() throws -> TokenRing {
        let key = try SecretKey { memory in fill(memory, from: 128) }
        let names = try SecretKey { memory in fill(memory, from: 160) }
        return try #require(TokenRing([RingKey(id: 7, key: key)], names: names))
    }

    private static func fill(_ memory: UnsafeMutablePointer<UInt8>, from first: UInt8) {
        for index in 0..<32 { memory[index] = first + UInt8(index) }
    }

    static func device() throws -> KeyPair {
        KeyPair(secret: try SecretKey(hexadecimal: deviceSecret))
    }

    static func opener() throws -> ParcelOpener {
        let key = try #require(DerivedKey(hexadecimal: parcelKey))
        return ParcelOpener(pair: try device(), parcelKeys: [7: key])
    }

    static func bytes(_ text: String) throws -> [UInt8] {
        try #require(URLBase64.bytes(of: text))
    }
}

/// Lowercase hexadecimal.
func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
