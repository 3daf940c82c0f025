import HomingBase
import HomingNotifications
import Testing

@testable import HomeAssistantAPI

/// Categories that are known while Home Assistant starts, and when it has no category any more.
@Suite struct CategoryStoreTests {
    private let alarm = PushCategory.examine([
        NotificationCategory(
            id: "alarm", name: nil, actions: [OfferedAction(id: "SOUND", title: "Sound")])
    ]).categories

    private func at(_ uptime: Seconds) -> Moment { Moment(uptime: uptime, unixTime: 1e9 + uptime) }

    @Test("One answer that there are none is asked again, and a second one believed")
    func missingTwice() {
        var book = CategoryStore()
        book.recordAnswer(.list(alarm), at: at(0))
        #expect(book["ALARM"] != nil && book.nextAsking == nil)
        book.recordAnswer(.missing, at: at(1000))
        #expect(book.count == 1 && book.nextAsking == 1000 + CategoryStore.patience)
        book.recordAnswer(.missing, at: at(1020))
        #expect(book.count == 1, "the channel opened again meanwhile: that is no minute later")
        #expect(book.nextAsking == 1000 + CategoryStore.patience)
        book.recordAnswer(.missing, at: at(1300))
        #expect(book.count == 0 && book.nextAsking == nil)
    }

    @Test("Categories that come late are found, and a list ends the doubt")
    func late() {
        var book = CategoryStore()
        book.recordAnswer(.missing, at: at(0))
        #expect(book.nextAsking == CategoryStore.patience)
        book.recordAnswer(.list(alarm), at: at(300))
        #expect(book.count == 1 && book.nextAsking == nil)
        book.recordAnswer(.missing, at: at(400))
        #expect(book.count == 1, "the doubt begins anew")
        book.recordAnswer(.list([]), at: at(700))
        #expect(book.count == 0, "an empty list is an answer")
    }

    @Test("A failure changes nothing, and is tried again a few times")
    func failures() {
        var book = CategoryStore()
        book.recordAnswer(.list(alarm), at: at(0))
        let times = (1...4).map { (number: Int) -> Seconds? in
            book.recordAnswer(.failed, at: at(Seconds(number) * 300))
            return book.nextAsking
        }
        #expect(times == [600, 900, nil, nil] && book.count == 1)
        book.recordAnswer(.missing, at: at(2000))
        book.recordAnswer(.failed, at: at(2300))
        #expect(book.count == 1 && book.nextAsking == 2600)
        book.recordAnswer(.missing, at: at(2600))
        #expect(book.count == 0)
    }
}
