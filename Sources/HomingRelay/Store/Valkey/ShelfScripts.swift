internal import HomingValkey

/// Operations on all mailboxes of a shelf, which are in one slot.
enum ShelfScripts {
    static let list = Script(
        MailboxScripts.head("flags=no-writes") + MailboxScripts.mailbox + listText)
    static let sweep = Script(
        MailboxScripts.head("flags=allow-oom") + MailboxScripts.mailbox + sweepText)

    /// 2 prefix, 3 the mailbox before, 4 mailboxes at the most.
    private static let listText = """
        local found = {}
        local start = ARGV[3] == '' and '-' or '(' .. ARGV[3]
        for _, id in ipairs(redis.call('ZRANGEBYLEX', ARGV[2] .. 'i', start, '+', 'LIMIT', 0, ARGV[4])) do
          use(ARGV[2], id)
          local row, waiting, bytes, tells = read_row(), 0, 0, 0
          for _, head in ipairs(read_heads()) do
            if head.expires > now then
              waiting = waiting + 1
              bytes = bytes + head.size
              tells = tells + head.tells
            end
          end
          found[#found + 1] = {id, row.generation, row.blocked and 1 or 0, waiting, bytes,
            row.dropped + tells, string.format('%.0f', row.used)}
        end
        return found
        """

    /// 1 the date of the sweep, 2 prefix, 3 mailboxes at the most. Answers expired messages, forgotten
    /// mailboxes, and mailboxes that were due.
    private static let sweepText = """
        local expired, forgotten = 0, 0
        local due = redis.call('ZRANGEBYSCORE', ARGV[2] .. 'due', '-inf', string.format('%.0f', now),
          'LIMIT', 0, ARGV[3])
        for _, id in ipairs(due) do
          use(ARGV[2], id)
          local row = read_row()
          -- A row may be on its way to another node: the rest is left alone.
          if not row.exists then
            redis.call('ZADD', shelf.due, string.format('%.0f', now + 3600000), id)
          else
          local heads, kept, gone = read_heads(), {}, {}
          local number, bytes = count_waiting(heads)
          for _, head in ipairs(heads) do
            if head.expires <= now then
              gone[#gone + 1] = head.id
              row.dropped = row.dropped + losses(head)
            else
              kept[#kept + 1] = head
            end
          end
          if #gone > 0 then
            expired = expired + #gone
            delete_parcels(gone)
            write_heads(kept, number, bytes)
            write_row(row)
          end
          local days = (row.generation > 0 or row.dropped > 0) and 400 or 60
          if #kept == 0 and not row.blocked and row.used < now - days * DAY then
            delete_mailbox()
            forgotten = forgotten + 1
          else
            write_due(row, kept)
          end
          end
        end
        return {expired, forgotten, #due}
        """
}

/// Operations on invitations, on the ring of keys, and on the date of sweeping.
enum CommonScripts {
    static let addInvitation = Script(MailboxScripts.head("") + addText)
    static let spend = Script(MailboxScripts.head("flags=allow-oom") + spendText)
    static let sweepInvitations = Script(MailboxScripts.head("flags=allow-oom") + sweepText)
    static let dates = Script(MailboxScripts.head("flags=no-writes") + datesText)
    static let putRing = Script(MailboxScripts.head("flags=allow-oom") + putRingText)

    /// Key: the invitations. 2 hash, 3 expiry, 4 uses, 5 invitations at the most.
    private static let addText = """
        if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[5]) then return 0 end
        redis.call('HSET', KEYS[1], ARGV[2], ARGV[3] .. ' ' .. ARGV[4] .. ' ')
        return 1
        """

    /// 2 hash, 3 the mailbox in hexadecimal.
    private static let spendText = """
        local text = redis.call('HGET', KEYS[1], ARGV[2])
        if not text then return 0 end
        local expires, uses, spender = string.match(text, '^(%d+) (%d+) (%x*)$')
        if tonumber(expires) <= now then return 0 end
        if spender == ARGV[3] then return 1 end
        if tonumber(uses) == 0 then return 0 end
        redis.call('HSET', KEYS[1], ARGV[2], expires .. ' ' .. (uses - 1) .. ' ' .. ARGV[3])
        return 1
        """

    /// Key: the date of the last sweep. Answers the present time, and that date.
    private static let datesText = """
        return {string.format('%.0f', now), redis.call('GET', KEYS[1]) or ''}
        """

    /// Keys: the invitations, and the date of the last sweep, which never goes back.
    private static let sweepText = """
        local last = tonumber(redis.call('GET', KEYS[2]) or '')
        if not last or last < now then redis.call('SET', KEYS[2], string.format('%.0f', now)) end
        local all, gone = redis.call('HGETALL', KEYS[1]), 0
        for i = 1, #all, 2 do
          if tonumber(string.match(all[i + 1], '^(%d+)')) <= now then
            redis.call('HDEL', KEYS[1], all[i])
            gone = gone + 1
          end
        end
        return gone
        """

    /// Key: the ring. 2 the sealed ring that is replaced, or nothing where none is; 3 the sealed ring.
    private static let putRingText = """
        if (redis.call('HGET', KEYS[1], 'box') or '') ~= ARGV[2] then return 0 end
        redis.call('HSET', KEYS[1], 'box', ARGV[3])
        redis.call('SPUBLISH', KEYS[1], 'keys')
        return 1
        """
}
