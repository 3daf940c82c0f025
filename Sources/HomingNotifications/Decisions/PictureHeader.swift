/// Kind and size of a picture, as its file states them before the picture is decoded.
///
/// A file of half a megabyte can say that it is 60 000 pixels wide; to decode it takes 14 GB.
/// Only the header is read here, and no length in it is believed.
public struct PictureHeader: Equatable, Sendable {
    /// The kinds that notification servers show.
    public enum Kind: String, Sendable {
        case png
        case jpg
        case gif
        case webp
    }

    /// Pixels of the longer side of a picture that is shown.
    public static let sideLimit = 4096
    /// Pixels of it in all.
    public static let areaLimit = 16 << 20

    public let kind: Kind
    /// Pixels.
    public let width: Int
    public let height: Int

    /// Whether a desktop may be asked to decode it.
    public var isShowable: Bool {
        (1...Self.sideLimit).contains(width) && (1...Self.sideLimit).contains(height)
            && width * height <= Self.areaLimit
    }

    /// `nil` if the file is of another kind, or its header is cut off.
    public init?(_ file: [UInt8]) {
        let reader = Reader(bytes: file)
        let size: (width: Int, height: Int)?
        if reader.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) {
            (kind, size) = (.png, reader.png)
        } else if reader.has([0xFF, 0xD8, 0xFF], at: 0) {
            (kind, size) = (.jpg, reader.jpeg)
        } else if reader.has("GIF8", at: 0) {
            (kind, size) = (.gif, reader.gif)
        } else if reader.has("RIFF", at: 0), reader.has("WEBP", at: 8) {
            (kind, size) = (.webp, reader.webP)
        } else {
            return nil
        }
        guard let size else { return nil }
        (width, height) = size
    }
}

/// Reads the sizes, each at its place.
private struct Reader {
    let bytes: [UInt8]

    func has(_ mark: String, at offset: Int) -> Bool { has(Array(mark.utf8), at: offset) }

    func has(_ mark: [UInt8], at offset: Int) -> Bool {
        bytes.count >= offset + mark.count
            && bytes[offset..<offset + mark.count].elementsEqual(mark)
    }

    private func little(_ offset: Int, _ count: Int) -> Int? {
        guard bytes.count >= offset + count else { return nil }
        return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private func big(_ offset: Int, _ count: Int) -> Int? {
        guard bytes.count >= offset + count else { return nil }
        return bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private func pair(_ width: Int?, _ height: Int?) -> (width: Int, height: Int)? {
        guard let width, let height else { return nil }
        return (width, height)
    }

    /// IHDR is the first chunk.
    var png: (width: Int, height: Int)? {
        has("IHDR", at: 12) ? pair(big(16, 4), big(20, 4)) : nil
    }

    /// The first SOF segment; what comes before it says how long it is.
    var jpeg: (width: Int, height: Int)? {
        var offset = 2
        while let marker = big(offset, 2), marker >> 8 == 0xFF {
            let code = marker & 0xFF
            switch code {
            // A filler, and marks without a content.
            case 0xFF: offset += 1
            case 0x01, 0xD0...0xD7: offset += 2
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                return pair(big(offset + 7, 2), big(offset + 5, 2))
            // The pixels, or the end, with no size before.
            case 0xD9, 0xDA: return nil
            default:
                guard let next = segmentEnd(offset) else { return nil }
                offset = next
            }
        }
        return nil
    }

    private func segmentEnd(_ offset: Int) -> Int? {
        guard let length = big(offset + 2, 2), length >= 2 else { return nil }
        return offset + 2 + length
    }

    /// The screen, and every frame: decoders differ in which of them they make room for.
    var gif: (width: Int, height: Int)? {
        guard var size = pair(little(6, 2), little(8, 2)), let flags = little(10, 1) else {
            return nil
        }
        var offset = 13 + Self.tableSize(flags)
        var frames = 0
        while let block = little(offset, 1) {
            switch block {
            case 0x21: offset = endOfParts(offset + 2)
            case 0x2C:
                guard let frame = pair(little(offset + 5, 2), little(offset + 7, 2)),
                    let flags = little(offset + 9, 1)
                else { return frames > 0 ? size : nil }
                frames += 1
                size = (max(size.width, frame.width), max(size.height, frame.height))
                offset = endOfParts(offset + 11 + Self.tableSize(flags))
            default: return frames > 0 ? size : nil
            }
        }
        return frames > 0 ? size : nil
    }

    /// Bytes of a table of colours.
    private static func tableSize(_ flags: Int) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << ((flags & 7) + 1)
    }

    /// Behind the parts of a block, each of which says how long it is; an empty one ends them.
    private func endOfParts(_ offset: Int) -> Int {
        var offset = offset
        while let length = little(offset, 1) {
            offset += 1 + length
            if length == 0 { break }
        }
        return offset
    }

    var webP: (width: Int, height: Int)? {
        if has("VP8X", at: 12) {
            return pair(little(24, 3).map { $0 + 1 }, little(27, 3).map { $0 + 1 })
        }
        if has("VP8L", at: 12), has([0x2F], at: 20) {
            return little(21, 4).map { (($0 & 0x3FFF) + 1, ($0 >> 14 & 0x3FFF) + 1) }
        }
        guard has("VP8 ", at: 12), has([0x9D, 0x01, 0x2A], at: 23) else { return nil }
        return pair(little(26, 2).map { $0 & 0x3FFF }, little(28, 2).map { $0 & 0x3FFF })
    }
}
