internal import HomingValkey

/// The operations of the mailboxes in the engine: a script each, which runs whole or not at all.
///
/// All keys of a mailbox are in one slot: that of its shelf, which is the first byte of its id.
///
/// | key | holds |
/// |---|---|
/// | `hr:{7f}:m:ID` | hash: `g` generation, `b` blocked, `d` dropped, `u` used; `t` and a day: its count |
/// | `hr:{7f}:h:ID` | heads of the messages that wait, 50 bytes each, in the order of their ids |
/// | `hr:{7f}:p:ID` | hash: the parcels by id. The engine deletes it when the last has expired |
/// | `hr:{7f}:c:ID` | hash: confirmations, with message and end. The engine deletes it after ten minutes |
/// | `hr:{7f}:i` | sorted set: the mailboxes of the shelf |
/// | `hr:{7f}:due` | sorted set: when something of a mailbox is to be swept |
/// | `hr:{7f}:n` | hash: messages and bytes that wait on the shelf |
///
/// Each script names all keys of its mailbox, though it makes their names itself: while a slot is on its
/// way to another node, the engine then refuses the script (`TRYAGAIN`) unless all keys are there.
///
/// Heads lie apart from parcels, so that a deposit reads 50 bytes for each message that waits.
enum MailboxScripts {
    static let accept = Script(head("") + mailbox + acceptText)
    static let check = Script(head("flags=no-writes") + mailbox + checkText)
    static let open = Script(head("flags=allow-oom") + mailbox + openText)
    static let load = Script(head("flags=no-writes") + mailbox + loadText)
    static let acknowledge = Script(head("flags=allow-oom") + mailbox + acknowledgeText)
    static let isWaiting = Script(head("flags=no-writes") + mailbox + waitingText)
    static let raise = Script(head("flags=allow-oom") + mailbox + raiseText)
    static let block = Script(head("flags=allow-oom") + mailbox + blockText)
    static let forget = Script(head("flags=allow-oom") + mailbox + forgetText)

    static let all = [
        accept, check, open, load, acknowledge, isWaiting, raise, block, forget,
        ShelfScripts.list, ShelfScripts.sweep, CommonScripts.addInvitation, CommonScripts.spend,
        CommonScripts.sweepInvitations, CommonScripts.dates, CommonScripts.putRing,
    ]

    static func head(_ flags: String) -> String {
        (flags.isEmpty ? "#!lua" : "#!lua \(flags)") + "\n" + clock
    }

    /// The engine's clock, in milliseconds; tests give another.
    private static let clock = """
        local now
        if ARGV[1] == '' then
          local time = redis.call('TIME')
          now = time[1] * 1000 + math.floor(time[2] / 1000)
        else
          now = tonumber(ARGV[1])
        end
        local DAY = 86400000

        """

    /// Functions that read and write a mailbox. `use` names the mailbox: prefix, id, and shelf.
    static let mailbox = """
        local HEAD = '>c16BBc16I4I8I4'
        local box, shelf
        local function use(prefix, id)
          box = {id = id, row = prefix .. 'm:' .. id, heads = prefix .. 'h:' .. id,
            parcels = prefix .. 'p:' .. id, confirmations = prefix .. 'c:' .. id}
          shelf = {index = prefix .. 'i', due = prefix .. 'due', counts = prefix .. 'n'}
        end
        local function read_row()
          local f = redis.call('HMGET', box.row, 'g', 'b', 'd', 'u')
          return {generation = tonumber(f[1] or 0), blocked = f[2] == '1',
            dropped = tonumber(f[3] or 0), used = tonumber(f[4] or now), exists = f[4] and true or false}
        end
        local function read_heads()
          local blob, heads = redis.call('GET', box.heads) or '', {}
          for at = 1, #blob, 50 do
            local id, kind, tagged, tag, tells, expires, size = struct.unpack(HEAD, blob, at)
            heads[#heads + 1] = {id = id, kind = kind, tag = tagged == 1 and tag or nil, tells = tells,
              expires = expires, size = size, raw = string.sub(blob, at, at + 49)}
          end
          return heads
        end
        local function losses(head) return head.tells + (head.kind == 0 and 1 or 0) end
        local function count_waiting(heads)
          local sum = 0
          for _, head in ipairs(heads) do sum = sum + head.size end
          return #heads, sum
        end
        -- Deletes parcels; in pieces, as a call takes some 8000 arguments.
        local function delete_parcels(ids)
          for first = 1, #ids, 1000 do
            redis.call('HDEL', box.parcels, unpack(ids, first, math.min(first + 999, #ids)))
          end
        end
        -- Writes the heads; `before` is what waited before: number and bytes.
        local function write_heads(heads, number, bytes)
          local parts, last = {}, 0
          for i, head in ipairs(heads) do
            parts[i] = head.raw
            if head.expires > last then last = head.expires end
          end
          if #parts == 0 then
            redis.call('DEL', box.heads, box.parcels)
          else
            redis.call('SET', box.heads, table.concat(parts))
            redis.call('PEXPIREAT', box.parcels, string.format('%.0f', last))
          end
          local n, b = count_waiting(heads)
          if n ~= number then redis.call('HINCRBY', shelf.counts, 'messages', n - number) end
          if b ~= bytes then redis.call('HINCRBY', shelf.counts, 'bytes', b - bytes) end
        end
        local function write_row(row)
          redis.call('HSET', box.row, 'g', row.generation, 'b', row.blocked and '1' or '0',
            'd', row.dropped, 'u', string.format('%.0f', row.used))
          if not row.exists then redis.call('ZADD', shelf.index, 0, box.id) end
        end
        -- Notes when the mailbox is to be swept.
        local function write_due(row, heads)
          local due
          if #heads > 0 then
            for _, head in ipairs(heads) do
              if not due or head.expires < due then due = head.expires end
            end
          elseif not row.blocked then
            local days = (row.generation > 0 or row.dropped > 0) and 400 or 60
            due = row.used + days * DAY + 1
          end
          if due then redis.call('ZADD', shelf.due, string.format('%.0f', due), box.id)
          else redis.call('ZREM', shelf.due, box.id) end
        end
        local function delete_mailbox()
          redis.call('DEL', box.row, box.heads, box.parcels, box.confirmations)
          redis.call('ZREM', shelf.index, box.id)
          redis.call('ZREM', shelf.due, box.id)
        end
        local function used_now(row)
          if math.abs(now - row.used) >= 21600000 then row.used = now end
        end
        local function read_tally(day)
          local text = redis.call('HGET', box.row, 't' .. day)
          local tally = {0, 0, 0, 0, 0, isNew = not text}
          if text then
            local i = 1
            for number in string.gmatch(text, '%d+') do tally[i] = tonumber(number); i = i + 1 end
          end
          return tally
        end
        -- Seven more are kept, as a clock may leap and be set back. Far days to come go first, then the oldest.
        local function write_tally(tally, day)
          local days = {}
          for _, field in ipairs(tally.isNew and redis.call('HKEYS', box.row) or {}) do
            days[#days + 1] = tonumber(string.match(field, '^t(%d+)$'))
          end
          local function rank(other) return other > day + 3 and other - 1e9 or other end
          table.sort(days, function(a, b) return rank(a) < rank(b) end)
          for i = 1, #days - 7 do redis.call('HDEL', box.row, string.format('t%.0f', days[i])) end
          redis.call('HSET', box.row, 't' .. day, table.concat(tally, ' '))
        end
        local function today() return math.floor(now / DAY) end
        local function counted(first, tally)
          local midnight = string.format('%.0f', (today() + 1) * DAY)
          for i = 1, 4 do first[#first + 1] = tally[i] end
          first[#first + 1] = midnight
          return first
        end
        -- Ids are bytes: the order of texts would be that of a language.
        local function is_before(one, other)
          for i = 1, 16 do
            local a, b = string.byte(one, i), string.byte(other, i)
            if a ~= b then return a < b end
          end
          return false
        end

        """

    /// 2 prefix, 3 mailbox, 4 id, 5 kind of content, 6 generation, 7 expiry, 8 tag, 9 confirmation,
    /// 10 kind of row, 11 dropped, 12 parcel, 13 maximum, 14 commands, 15 messages, 16 bytes,
    /// 17 whether a mailbox may be made.
    private static let acceptText = """
        use(ARGV[2], ARGV[3])
        local id, content, expires = ARGV[4], ARGV[5], tonumber(ARGV[7])
        local kind, parcel = tonumber(ARGV[10]), ARGV[12]
        if expires <= now then return {'late'} end
        local row = read_row()
        if row.blocked then return {'blocked'} end
        local before = {row.generation, row.dropped, row.used}
        local day = today()
        local tally, counts = read_tally(day), false
        if content == 'n' or content == 'f' then
          local generation, free = tonumber(ARGV[6]), content == 'f' and 1 or 0
          if generation < row.generation then return {'revoked'} end
          row.generation = generation
          if ARGV[9] ~= '' then
            local known = redis.call('HGET', box.confirmations, ARGV[9])
            if known then
              local message, till = struct.unpack('>c16I8', known)
              if till > now and till <= now + 600000 then
                return counted({'repeated', message}, tally)
              end
            end
          end
          local limit = tonumber(ARGV[13 + free])
          if limit > 0 and tally[1 + free] >= limit then
            tally[3 + free] = tally[3 + free] + 1
            write_tally(tally, day)
            return counted({'limited', math.floor(tally[5] / (1 + free)) % 2}, tally)
          end
          tally[1 + free] = tally[1 + free] + 1
          counts = true
        elseif content == 'l' or content == 'm' then
          local bit = content == 'l' and 1 or 2
          if math.floor(tally[5] / bit) % 2 == 1 then return {'outdated'} end
          tally[5] = tally[5] + bit
          counts = true
        end
        if not row.exists and ARGV[17] ~= '1' then return {'full'} end
        local heads = read_heads()
        local number, bytes = count_waiting(heads)
        local kept, gone, rivals, room = {}, {}, 0, #parcel
        local function delete(head)
          gone[#gone + 1] = head.id
          row.dropped = row.dropped + losses(head)
        end
        for _, head in ipairs(heads) do
          local replaced
          if kind >= 2 then replaced = head.kind == kind
          else replaced = ARGV[8] ~= '' and head.tag == ARGV[8] end
          if replaced then
            gone[#gone + 1] = head.id
            row.dropped = row.dropped + head.tells
          elseif head.expires <= now then
            delete(head)
          else
            kept[#kept + 1] = head
            if head.kind < 2 then rivals = rivals + 1; room = room + head.size end
          end
        end
        if kind < 2 then
          local rest = {}
          rivals = rivals + 1
          for _, head in ipairs(kept) do
            if head.kind < 2 and (rivals > tonumber(ARGV[15]) or room > tonumber(ARGV[16])) then
              delete(head)
              rivals = rivals - 1
              room = room - head.size
            else
              rest[#rest + 1] = head
            end
          end
          kept = rest
        end
        local tells = tonumber(ARGV[11])
        if kind == 4 then
          if tells > row.dropped then return {'outdated'} end
          row.dropped = row.dropped - tells
        end
        local tagged = ARGV[8] ~= ''
        local head = {id = id, kind = kind, tells = tells, expires = expires, size = #parcel}
        head.raw = struct.pack(HEAD, id, kind, tagged and 1 or 0, tagged and ARGV[8] or string.rep('\\0', 16),
          tells, expires, #parcel)
        local place = #kept + 1
        while place > 1 and is_before(id, kept[place - 1].id) do place = place - 1 end
        table.insert(kept, place, head)
        delete_parcels(gone)
        redis.call('HSET', box.parcels, id, parcel)
        write_heads(kept, number, bytes)
        used_now(row)
        if not row.exists or row.generation ~= before[1] or row.dropped ~= before[2] or row.used ~= before[3] then
          write_row(row)
        end
        write_due(row, kept)
        if counts then write_tally(tally, day) end
        if ARGV[9] ~= '' then
          local till = math.min(expires, now + 600000)
          if redis.call('HLEN', box.confirmations) % 64 == 63 then
            local all = redis.call('HGETALL', box.confirmations)
            for i = 1, #all, 2 do
              local _, other = struct.unpack('>c16I8', all[i + 1])
              if other <= now then redis.call('HDEL', box.confirmations, all[i]) end
            end
          end
          redis.call('HSET', box.confirmations, ARGV[9], struct.pack('>c16I8', id, till))
          redis.call('PEXPIREAT', box.confirmations, string.format('%.0f', now + 600000))
        end
        redis.call('SPUBLISH', box.row, 'stored')
        return counted({'stored', row.exists and 0 or 1}, tally)
        """

    /// 2 prefix, 3 mailbox, 4 generation.
    private static let checkText = """
        use(ARGV[2], ARGV[3])
        local row = read_row()
        if row.blocked then return {'blocked'} end
        if tonumber(ARGV[4]) < row.generation then return {'revoked'} end
        return counted({'good'}, read_tally(today()))
        """

    /// 2 prefix, 3 mailbox, 4 generation, 5 whether a mailbox may be made.
    private static let openText = """
        use(ARGV[2], ARGV[3])
        local row, generation = read_row(), tonumber(ARGV[4])
        if row.blocked then return {'blocked'} end
        local heads, made = read_heads(), 0
        if row.exists or ARGV[5] == '1' then
          local before = {row.generation, row.used}
          row.generation = math.max(row.generation, generation)
          used_now(row)
          if not row.exists or row.generation ~= before[1] or row.used ~= before[2] then
            write_row(row)
            write_due(row, heads)
            made = row.exists and 0 or 1
          end
        end
        local waiting = 0
        for _, head in ipairs(heads) do
          if head.expires > now then waiting = waiting + 1 end
        end
        return counted({'open', made, math.max(row.generation, generation), waiting}, read_tally(today()))
        """

    /// 2 prefix, 3 mailbox, 4 messages at the most, 5 bytes, 6 the known ids in one text.
    private static let loadText = """
        use(ARGV[2], ARGV[3])
        local known = {}
        for at = 1, #ARGV[6], 16 do known[string.sub(ARGV[6], at, at + 15)] = true end
        local limit, rest, found, told, more = tonumber(ARGV[4]), tonumber(ARGV[5]), {}, 0, 0
        for _, head in ipairs(read_heads()) do
          told = told + head.tells
          if head.expires > now and not known[head.id] then
            if #found / 2 < limit and rest > 0 then
              local parcel = redis.call('HGET', box.parcels, head.id)
              if parcel then
                found[#found + 1] = head.id
                found[#found + 1] = parcel
                rest = rest - #parcel
              end
            else
              more = 1
            end
          end
        end
        return {read_row().dropped, told, more, found}
        """

    /// 2 prefix, 3 mailbox, 4 the ids in one text.
    private static let acknowledgeText = """
        use(ARGV[2], ARGV[3])
        local heads = read_heads()
        if #heads == 0 then return 0 end
        local number, bytes = count_waiting(heads)
        local done, kept, gone = {}, {}, {}
        for at = 1, #ARGV[4], 16 do done[string.sub(ARGV[4], at, at + 15)] = true end
        for _, head in ipairs(heads) do
          if done[head.id] then gone[#gone + 1] = head.id else kept[#kept + 1] = head end
        end
        if #gone > 0 then
          delete_parcels(gone)
          write_heads(kept, number, bytes)
          write_due(read_row(), kept)
        end
        return #gone
        """

    /// 2 prefix, 3 mailbox.
    private static let waitingText = """
        use(ARGV[2], ARGV[3])
        for _, head in ipairs(read_heads()) do
          if head.expires > now then return 1 end
        end
        return 0
        """

    /// 2 prefix, 3 mailbox, 4 generation, 5 whether a mailbox may be made.
    private static let raiseText = """
        use(ARGV[2], ARGV[3])
        local row = read_row()
        if not row.exists and ARGV[5] ~= '1' then return {'full'} end
        local last = math.max(row.generation, tonumber(ARGV[4]))
        if last >= 65535 then return {'exhausted'} end
        row.generation = last + 1
        row.used = now
        write_row(row)
        write_due(row, read_heads())
        return {'raised', row.exists and 0 or 1, row.generation}
        """

    /// 2 prefix, 3 mailbox, 4 whether it is to be blocked.
    private static let blockText = """
        use(ARGV[2], ARGV[3])
        local row, blocked = read_row(), ARGV[4] == '1'
        if not row.exists then return 0 end
        if row.blocked ~= blocked then
          row.blocked = blocked
          if blocked and row.generation < 65535 then row.generation = row.generation + 1 end
          write_row(row)
          write_due(row, read_heads())
        end
        if blocked then redis.call('SPUBLISH', box.row, 'blocked') end
        return 1
        """

    /// 2 prefix, 3 mailbox. Answers 0 for no mailbox, 1 if a row stays, 2 if nothing stays.
    private static let forgetText = """
        use(ARGV[2], ARGV[3])
        local row = read_row()
        if not row.exists then return 0 end
        local number, bytes = count_waiting(read_heads())
        write_heads({}, number, bytes)
        if not row.blocked and row.generation == 0 then
          delete_mailbox()
          return 2
        end
        redis.call('DEL', box.confirmations)
        for _, field in ipairs(redis.call('HKEYS', box.row)) do
          if string.sub(field, 1, 1) == 't' then redis.call('HDEL', box.row, field) end
        end
        row.dropped = 0
        write_row(row)
        write_due(row, {})
        return 1
        """
}
