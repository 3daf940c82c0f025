internal import Glibc
internal import HomingRuntime

/// A short log of byte strings on a disk. Each string is there after a power cut once `append` has returned.
///
/// The file has a fixed size, so that a string costs the disk the block that it lies in and nothing else. A string
/// lies within a block where it fits into a block, and no two strings share a sector. Clearing the log writes
/// nothing: strings from before have an older generation, and the next strings take their place.
public final class BlockLog {
    /// The contents of a file from before.
    public struct Contents: Sendable {
        /// The name that the log was made with.
        public var owner: String
        /// The strings of the first generation that is found, in their order, up to the first that is missing.
        public var strings: [[UInt8]] = []
        /// Strings beyond: of older generations, and those behind a string that cannot be read.
        public var others: [[UInt8]] = []
        /// Whether the disk could read all of the file.
        public var isReadable = true
    }

    /// Bytes that a disk writes at a time.
    static let block = 4096
    /// Bytes of the file.
    static let size = 16 * block
    private static let mark = Array("homing blocks 1\n".utf8)
    private static let ownerLength = 32
    private static let headLength = mark.count + ownerLength

    private let file: DiskFile
    private var generation: UInt64 = 1
    /// The number of the next string of the generation.
    private var index: UInt32 = 0
    /// Offset from which the next string is placed.
    private var end = block

    /// Reads the file; `nil` where there is no such file, and for a file that is no log.
    public static func read(_ path: String) throws(DatabaseError) -> Contents? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if [ENOENT, ENOTDIR].contains(errno) { return nil }
            throw DatabaseError(SystemError("cannot look for \(path)"))
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        return try contents(of: DiskFile(path, mayMake: false))
    }

    /// Reads the file block by block. A block that the disk cannot read is damage and leaves the rest as it is; other
    /// errors are thrown.
    private static func contents(of file: DiskFile) throws(DatabaseError) -> Contents? {
        guard try file.size() == size else { return nil }
        var (bytes, isReadable): ([UInt8], Bool) = ([], true)
        for offset in stride(from: 0, to: size, by: block) {
            do throws(DatabaseError) { bytes += try file.read(block, at: offset) } catch {
                guard error.kind == .damaged else { throw error }
                bytes += [UInt8](repeating: 0, count: block)
                isReadable = false
            }
        }
        var found = contents(in: bytes)
        found?.isReadable = isReadable
        return found
    }

    /// The contents of a file with these bytes.
    static func contents(in bytes: [UInt8]) -> Contents? {
        let head = bytes.prefix(headLength)
        guard bytes.count == size, head.starts(with: mark),
            bytes[headLength...].starts(with: Digest.sha1(Array(head))),
            let owner = String(validating: head.dropFirst(mark.count), as: UTF8.self)
        else { return nil }
        var contents = Contents(owner: owner)
        var (offset, generation): (Int, UInt64?) = (block, nil)
        while let frame = BlockFrame.next(
            contents.strings.count, of: generation, in: bytes, from: offset)
        {
            generation = frame.generation
            contents.strings.append(frame.string)
            offset = frame.end
        }
        while offset < size {
            let frame = BlockFrame(in: bytes, at: offset)
            if let frame {
                contents.others.append(frame.string)
            }
            offset = frame?.end ?? offset + BlockFrame.sector
        }
        return contents
    }

    /// Removes a log, which may be missing.
    public static func remove(_ path: String) throws(DatabaseError) { try DiskFile.delete(path) }

    /// The owner's name as the file has it: 32 bytes.
    public static func fitted(_ owner: String) -> String {
        let bytes = Array(owner.utf8.prefix(ownerLength))
        let blanks = [UInt8](repeating: UInt8(ascii: " "), count: ownerLength - bytes.count)
        return String(decoding: bytes + blanks, as: UTF8.self)
    }

    /// Makes an empty log in the place of any other. `read` comes first.
    ///
    /// The file is new and is written block by block. Some kernels keep a file that was read or written at once in
    /// larger pieces, and count a whole piece as written for each string.
    public init(_ path: String, owner: String) throws(DatabaseError) {
        try Self.remove(path)
        file = try DiskFile(path, mayMake: true)
        let head = Self.mark + Array(Self.fitted(owner).utf8)
        let start = head + Digest.sha1(head)
        try file.write(start + [UInt8](repeating: 0, count: Self.block - start.count), at: 0)
        try Self.fill(file)
        try file.sync()
    }

    private static func fill(_ file: DiskFile) throws(DatabaseError) {
        let nothing = [UInt8](repeating: 0, count: block)
        for offset in stride(from: block, to: size, by: block) {
            try file.write(nothing, at: offset)
        }
    }

    /// Adds a string. Returns false, and adds nothing, where the log has no room. After an error the string may be
    /// there: make a new log.
    public func append(_ string: [UInt8]) throws(DatabaseError) -> Bool {
        let frame = BlockFrame.bytes(of: string, generation: generation, index: index)
        let offset = BlockFrame.place(of: frame.count, from: end)
        guard offset + frame.count <= Self.size else { return false }
        try file.write(frame, at: offset)
        try file.sync()
        index += 1
        end = offset + frame.count
        return true
    }

    /// Forgets all strings as soon as another string is added.
    public func clear() {
        guard index > 0 else { return }
        generation += 1
        (index, end) = (0, Self.block)
    }

    /// Overwrites all strings.
    public func wipe() throws(DatabaseError) {
        clear()
        try Self.fill(file)
    }
}
