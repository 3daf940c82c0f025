import HomingNotifications
import Testing

/// The kind and the size of pictures, by their first bytes.
@Suite struct PictureHeaderTests {
    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        big(value, count).reversed()
    }

    /// The beginning of a PNG of this size.
    static func png(_ width: Int, _ height: Int) -> [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        file += Array("IHDR".utf8)
        file += big(width, 4)
        file += big(height, 4)
        file += [8, 6, 0, 0, 0]
        return file
    }

    private static func frame(_ sof: UInt8, _ width: Int, _ height: Int) -> [UInt8] {
        var segment: [UInt8] = [0xFF, sof, 0, 17, 8]
        segment += big(height, 2)
        segment += big(width, 2)
        segment += [3]
        return segment
    }

    /// With an EXIF segment that holds a thumbnail's header, and tables, before its size.
    private static func jpeg(_ width: Int, _ height: Int, sof: UInt8 = 0xC0) -> [UInt8] {
        let thumbnail: [UInt8] = [0xFF, 0xD8] + frame(0xC0, 9, 9)
        var file: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1]
        file += big(thumbnail.count + 2, 2)
        file += thumbnail
        file += [0xFF, 0xFF, 0xC4, 0, 4, 1, 2, 0xFF, 0x01]
        file += frame(sof, width, height)
        return file
    }

    /// Two frames, the first of one pixel.
    private static func gif(_ width: Int, _ height: Int, frame: (Int, Int)) -> [UInt8] {
        var file = Array("GIF89a".utf8)
        file += little(width, 2)
        file += little(height, 2)
        file += [0x80, 0, 0, 0, 0, 0, 0, 0, 0]
        file += [0x21, 0xF9, 4, 0, 0, 0, 0, 0]
        for (width, height) in [(1, 1), frame] {
            file += [0x2C, 0, 0, 0, 0]
            file += little(width, 2)
            file += little(height, 2)
            file += [0, 2, 1, 0x44, 0]
        }
        file += [0x3B]
        return file
    }

    private static func webP(_ chunk: String, _ content: [UInt8]) -> [UInt8] {
        var file = Array("RIFF".utf8)
        file += [0, 0, 0, 0]
        file += Array("WEBP\(chunk)".utf8)
        file += [0, 0, 0, 0]
        file += content
        return file
    }

    private static func extended(_ width: Int, _ height: Int) -> [UInt8] {
        webP("VP8X", [0, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
    }

    private static func lossless(_ width: Int, _ height: Int) -> [UInt8] {
        webP("VP8L", [0x2F] + little(width - 1 | (height - 1) << 14, 4))
    }

    private static func lossy(_ width: Int, _ height: Int) -> [UInt8] {
        webP("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A] + little(width, 2) + little(height, 2))
    }

    private static func all(_ width: Int, _ height: Int) -> [(PictureHeader.Kind, [UInt8])] {
        [
            (.png, png(width, height)), (.jpg, jpeg(width, height)),
            (.jpg, jpeg(width, height, sof: 0xC2)), (.gif, gif(width, height, frame: (1, 1))),
            (.webp, extended(width, height)), (.webp, lossless(width, height)),
            (.webp, lossy(width, height)),
        ]
    }

    @Test("Each kind says its size")
    func sizes() throws {
        for (kind, file) in Self.all(640, 480) {
            let header = try #require(PictureHeader(file), "\(kind)")
            #expect(header.kind == kind && header.width == 640 && header.height == 480)
            #expect(header.isShowable)
        }
    }

    @Test("None is shown whose side or area is beyond the bounds, or that has no size")
    func bounds() {
        for (kind, file) in Self.all(4097, 1) + Self.all(1, 16_000) {
            #expect(PictureHeader(file)?.isShowable == false, "\(kind)")
        }
        #expect(PictureHeader(Self.png(60_000, 60_000))?.isShowable == false)
        #expect(PictureHeader(Self.png(1 << 31, 1 << 31))?.isShowable == false)
        #expect(PictureHeader(Self.png(0, 1))?.isShowable == false)
        #expect(PictureHeader(Self.png(4096, 4096))?.isShowable == true)
        #expect(PictureHeader(Self.gif(1, 1, frame: (9000, 1)))?.isShowable == false)
    }

    @Test("A header that ends before its size is refused, and no bytes trap")
    func hostile() {
        for (kind, file) in Self.all(640, 480) {
            for count in 0..<20 {
                #expect(PictureHeader(Array(file[..<count])) == nil, "\(kind) cut to \(count)")
            }
            for _ in 0..<2000 {
                var bytes = file
                for _ in 0..<4 { bytes[.random(in: 0..<bytes.count)] = .random(in: 0...255) }
                let header = PictureHeader(bytes)
                #expect(header.map { $0.width >= 0 && $0.height >= 0 } != false)
            }
        }
        #expect(PictureHeader(Array("<svg/>".utf8)) == nil && PictureHeader([]) == nil)
    }
}
