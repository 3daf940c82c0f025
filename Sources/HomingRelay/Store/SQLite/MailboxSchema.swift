internal import HomingSQLite

/// The tables of a relay's mailboxes.
///
/// Rows lie in the order in which they are looked for (WITHOUT ROWID): the messages of a mailbox
/// side by side in the order of their ids, the counts of a day side by side. So a deposit changes
/// three or four pages: message, its expiry, count, and seldom the mailbox.
///
/// The number of waiting messages and of their bytes stands nowhere: both are counted where needed,
/// over at most `StoreLimits.messages` neighbours. A count that is not stored can never be wrong.
///
/// Parcels are sealed, names are blind: the file holds no word of a notification.
enum MailboxSchema {
    /// "HomR".
    static let migrations = Migrations(applicationID: 0x486F_6D52, steps: [first, front])

    private static let first = """
        CREATE TABLE mailbox (
            id BLOB PRIMARY KEY CHECK (length(id) = 16),
            generation INTEGER NOT NULL DEFAULT 0,
            blocked INTEGER NOT NULL DEFAULT 0,
            dropped INTEGER NOT NULL DEFAULT 0,
            used INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX mailbox_used ON mailbox (used);
        CREATE TABLE message (
            mailbox BLOB NOT NULL CHECK (length(mailbox) = 16),
            id BLOB NOT NULL CHECK (length(id) = 16),
            kind INTEGER NOT NULL,
            tells INTEGER NOT NULL DEFAULT 0,
            tag BLOB CHECK (tag IS NULL OR length(tag) = 16),
            expires INTEGER NOT NULL,
            parcel BLOB NOT NULL,
            PRIMARY KEY (mailbox, id)
        ) WITHOUT ROWID;
        CREATE INDEX message_expires ON message (expires);
        CREATE TABLE tally (
            day INTEGER NOT NULL,
            mailbox BLOB NOT NULL CHECK (length(mailbox) = 16),
            notifications INTEGER NOT NULL DEFAULT 0,
            free INTEGER NOT NULL DEFAULT 0,
            errors INTEGER NOT NULL DEFAULT 0,
            free_errors INTEGER NOT NULL DEFAULT 0,
            told INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (day, mailbox)
        ) WITHOUT ROWID;
        CREATE TABLE confirmation (
            mailbox BLOB NOT NULL CHECK (length(mailbox) = 16),
            name BLOB NOT NULL CHECK (length(name) = 16),
            message BLOB NOT NULL CHECK (length(message) = 16),
            until INTEGER NOT NULL,
            PRIMARY KEY (mailbox, name)
        ) WITHOUT ROWID;
        CREATE INDEX confirmation_until ON confirmation (until);
        CREATE TABLE invitation (
            hash BLOB PRIMARY KEY CHECK (length(hash) = 16),
            expires INTEGER NOT NULL,
            uses INTEGER NOT NULL,
            spender BLOB
        ) WITHOUT ROWID;
        CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        """

    /// Schema that a front needs: whether a message counts, and the far relay's tokens.
    private static let front = """
        ALTER TABLE message ADD COLUMN free INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE far (
            mailbox BLOB PRIMARY KEY CHECK (length(mailbox) = 16),
            token TEXT NOT NULL,
            url TEXT NOT NULL
        ) WITHOUT ROWID;
        """
}
