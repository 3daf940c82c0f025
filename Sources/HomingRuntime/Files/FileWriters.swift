internal import CLinux
public import Glibc

/// Writers of a file or a folder other than its owner. The access control list (acl(5)) names the
/// writers; without a list, the mode does.
///
/// With a list, the mode's bits for the group are the list's mask: the most that anybody in it may do,
/// and no word on what the group itself may.
public struct FileWriters: Equatable, Sendable {
    public private(set) var users: [UInt32] = []
    public private(set) var groups: [UInt32] = []
    public private(set) var includeEverybody: Bool

    /// - Parameters:
    ///   - path: not followed if it is a link.
    ///   - status: what lstat(2) says of it.
    public init(path: String, status: stat) {
        self.init(list: Self.list(of: path), mode: status.st_mode, group: status.st_gid)
    }

    /// - Parameter list: as the kernel keeps it, <linux/posix_acl_xattr.h>; empty if there is none.
    init(list: [UInt8], mode: mode_t, group: gid_t) {
        includeEverybody = mode & S_IWOTH != 0
        guard list.count >= 4 else {
            if mode & S_IWGRP != 0 { groups = [group] }
            return
        }
        // The bits that the mask leaves.
        guard mode & S_IWGRP != 0 else { return }
        for start in stride(from: 4, through: list.count - 8, by: 8) {
            let entry = list[start..<start + 8]
            guard Self.number(entry.dropFirst(2).prefix(2)) & Self.write != 0 else { continue }
            let id = Self.number(entry.suffix(4))
            switch Kind(rawValue: Self.number(entry.prefix(2))) {
            case .user: users.append(id)
            case .owningGroup: groups.append(group)
            case .group: groups.append(id)
            case nil: break
            }
        }
    }

    /// Kinds of entries that are told of here.
    private enum Kind: UInt32 {
        case user = 0x02
        case owningGroup = 0x04
        case group = 0x08
    }

    private static let write: UInt32 = 2

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Whether a file has an access control list of its own.
    public static func haveList(of path: String) -> Bool { !list(of: path).isEmpty }

    /// Empty where there is none, or the file system has none.
    private static func list(of path: String) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = lgetxattr(path, "system.posix_acl_access", &bytes, bytes.count)
        return count > 0 ? Array(bytes[..<count]) : []
    }
}
