internal import CLinux
internal import Glibc

/// Pages of the program and its libraries that are as they are on the disk.
public enum CleanPages {
    /// Lets all of them go: the kernel could at any time, and brings back what is used again, from the
    /// page cache mostly. Starting uses far more of the code than what follows does.
    ///
    /// Nothing that this process has written is lost: a segment that is mapped without the right to
    /// write has never been written. What relocation wrote lies in others.
    public static func release() {
        _ = homing_visit_objects(
            { object, _, _ in
                guard let object = object?.pointee else { return 0 }
                for number in 0..<Int(object.count) {
                    CleanPages.release(object.segments[number], object.address)
                }
                return 0
            }, nil)
    }

    private static func release(_ segment: Elf64_Phdr, _ base: Elf64_Addr) {
        guard segment.p_type == PT_LOAD, segment.p_flags & Elf64_Word(PF_W) == 0 else { return }
        let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
        let begin = (UInt(base + segment.p_vaddr) + page - 1) / page * page
        let end = UInt(base + segment.p_vaddr + segment.p_memsz) / page * page
        guard begin < end, let address = UnsafeMutableRawPointer(bitPattern: begin) else { return }
        // The kernel's own page (vdso) refuses, and may.
        _ = madvise(address, Int(end - begin), MADV_DONTNEED)
    }
}
