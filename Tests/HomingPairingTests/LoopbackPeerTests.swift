import Glibc
import Testing

@testable import HomingPairing

/// Owner of the socket at the other end of a connection.
@Suite struct LoopbackPeerTests {
    private static let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 111 1 0 100 0 0 10 0
           1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 112 1 0 20 4 30 10 -1
           2: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 113 1 0 20 4 30 10 -1
           3: 0100007F:C351 0100007F:1F90 06 00000000:00000000 03:000001F4 00000000     0        0 0 3 0
           4: 0100007F:C352

        """
    private static let mapped = """
          sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0000000000000000FFFF00000100007F:C353 0000000000000000FFFF00000100007F:1F90 01 00000000:00000000 00:00000000 00000000  1002        0 114 1 0 20 4 30 10 -1

        """

    @Test("The client's line tells the account, not the server's")
    func found() {
        let (server, client) = ("0100007F:1F90", "0100007F:C350")
        #expect(LoopbackPeer.user(in: Self.table, from: client, to: server) == 1001)
        #expect(LoopbackPeer.user(in: Self.table, from: server, to: client) == 1000)
        #expect(LoopbackPeer.user(in: Self.mapped, from: "0100007F:C353", to: server) == 1002)
    }

    @Test("A closed socket, a line that is cut and a socket that is not there tell none")
    func missing() {
        for client in ["0100007F:C351", "0100007F:C352", "0100007F:C354"] {
            #expect(LoopbackPeer.user(in: Self.table, from: client, to: "0100007F:1F90") == nil)
        }
        #expect(LoopbackPeer.user(in: "", from: "", to: "") == nil)
    }

    @Test("Our own account may end a login, and the account that used sudo or pkexec")
    func accounts() {
        let own = LoginAccounts.current { _ in nil }
        #expect(own.contains(geteuid()) && !own.contains(.max) && !own.contains(4242))
        for name in ["SUDO_UID", "PKEXEC_UID"] {
            #expect(LoginAccounts.current { $0 == name ? "4242" : nil } == own.union([4242]))
        }
        #expect(LoginAccounts.current { _ in "anna" } == own)
    }
}
