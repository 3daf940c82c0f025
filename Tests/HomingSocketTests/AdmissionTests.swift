import Glibc
import Testing

@testable import HomingSocket

@Suite struct AdmissionTests {
    /// Counts how many of a hundred connections of one user may enter.
    private func crowd(
        _ admission: inout Admission, _ user: uid_t,
        _ standing: Admission.Standing = .stranger
    ) -> Int {
        var entered = 0
        for _ in 0..<100 where admission.enter(user, standing) { entered += 1 }
        return entered
    }

    @Test("However many strangers come, there is room for the trusted, and the other way round")
    func roomForBoth() {
        var admission = Admission()
        var strangers = 0
        for user in 1000..<2000 where admission.enter(uid_t(user), .stranger) {
            strangers += 1
        }
        let trusted = crowd(&admission, 0, .trusted)
        #expect(strangers == Admission.maxStrangers && trusted == Admission.maxTrusted)
    }

    @Test("However many strangers come, there is room for who sits at the machine")
    func roomForThePresent() {
        var admission = Admission()
        for user in 1000..<2000 { _ = admission.enter(uid_t(user), .stranger) }
        let first = crowd(&admission, 1000, .present)
        let second = crowd(&admission, 1001, .present)
        #expect(first == Admission.maxPerUser && second == Admission.maxPerUser)
        admission.leave(1000, .present)
        #expect(admission.enter(1000, .present) && !admission.enter(1000, .stranger))
    }

    @Test("One stranger does not take the places of all")
    func roomForAnother() {
        var admission = Admission()
        let entered = [1000, 1001, 1002].map { crowd(&admission, $0) }
        let rest = Admission.maxStrangers - Admission.maxPerUser
        #expect(entered == [Admission.maxPerUser, rest, 0])
    }

    @Test("Whoever goes makes room for one, and only one")
    func leaving() {
        var admission = Admission()
        _ = crowd(&admission, 1000)
        _ = crowd(&admission, 0, .trusted)
        admission.leave(1000, .stranger)
        admission.leave(0, .trusted)
        let strangers = crowd(&admission, 1000)
        let trusted = crowd(&admission, 0, .trusted)
        #expect(strangers == 1 && trusted == 1)
    }
}
