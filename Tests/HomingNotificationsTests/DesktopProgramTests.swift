import Testing

@testable import HomingNotifications

/// Start of programs with a window.
@Suite struct DesktopProgramTests {
    private let link = ["xdg-open", "https://example.org/?a=b&c='d'"]

    @Test("With a systemd of the user's own, a browser gets a unit of its own")
    func manager() {
        let words = DesktopProgram.detached(link, hasManager: true)
        #expect(words.first == "/usr/bin/systemd-run" && words.contains("--user"))
        #expect(words.contains("--property=ExitType=cgroup"))
        // Nothing of the link can be taken for an option.
        #expect(Array(words.suffix(3)) == ["--"] + link)
    }

    @Test("Without one it leaves our process group, which is ended with us")
    func withoutManager() {
        #expect(
            DesktopProgram.detached(link, hasManager: false)
                == ["/usr/bin/setsid", "--fork"] + link)
        #expect(DesktopProgram.attached(link, seconds: 5, hasManager: false) == link)
    }

    @Test("A link is opened by xdg-open, else by gio, else by nothing")
    func opener() {
        let address = "https://example.org"
        #expect(
            DesktopProgram.opener(of: address) { "/usr/bin/\($0)" }
                == ["/usr/bin/xdg-open", address])
        #expect(
            DesktopProgram.opener(of: address) { $0 == "gio" ? "/usr/bin/gio" : nil }
                == ["/usr/bin/gio", "open", address])
        #expect(DesktopProgram.opener(of: address) { _ in nil } == nil)
    }

    @Test("A window is waited for, and ended if nobody comes")
    func window() {
        let words = DesktopProgram.attached(["zenity", "--entry"], seconds: 600, hasManager: true)
        #expect(words.contains("--wait") && words.contains("--pipe"))
        #expect(words.contains("--property=RuntimeMaxSec=600"))
        #expect(Array(words.suffix(3)) == ["--", "zenity", "--entry"])
    }

    @Test("A question has nothing that the programs on its way would obey")
    func question() {
        let evil = #"${HOME} $USER \t _a <b> & "c""#
        for word in ReplyPrompt.zenityWords(evil, evil) + ReplyPrompt.kdialogWords(evil) {
            let hasOrder = word.contains { "$\\_<>&".contains($0) }
            #expect(!hasOrder, "\(word)")
        }
        #expect(ReplyPrompt.kdialogWords("$A").last == "A ")
        #expect(ReplyPrompt.zenityWords("$A", nil).last == "--text=A")
    }
}
