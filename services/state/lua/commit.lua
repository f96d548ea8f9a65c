-- The protocol by which many processes share aggregates (tables, tournaments, players), told here
-- for all scripts beside this one; then the commit itself.
--
-- Keys of an aggregate, all with its shard's hash tag (keys.py says what each holds):
--   record, parts, log, lease, answers to requests in two generations, results; and its shard's
--   outbox and deadlines. Channels: one an aggregate, announced by every write.
--
-- Steps of a write, by an API process or a worker:
--   1. acquire   takes the lease and reads the record; an answered request gets its answer instead
--   2. decide    outside the server, for as long as the lease lasts; renew lets it last longer, for
--      work whose length nobody knows, and for minutes at most
--   3. commit    compares token and version, then writes everything, and frees or keeps the lease
--      or release  frees the lease of a decision that changes nothing
-- Others: create makes an aggregate (use cases); report enters a result without a lease (workers);
-- claim_due and forget are the sweep's; presence and pulse tell who is there (API processes);
-- index_move keeps lists short (whoever ends a table, or lists it).
-- Reads take no lease. Parts are read after the record that speaks of them (I-16).
--
-- Invariants, each with tests that name it
--   I-1   At most one token stands in a lease, and it leaves by itself when its time is over.
--   I-2   The fence grows with every new holder: it names one holding of a record for good.
--   I-3   A script changes all or nothing: every check comes before the first write.
--   I-4   A commit writes only while its token is in the lease and the version is the one it read.
--   I-5   A holder that lost its lease writes nothing and frees nothing.
--   I-6   A commit raises the version by one; the log is dense: an entry's id is its last sequence.
--   I-7   A script that is repeated because its reply was lost has one effect; a commit learns that
--         it is in also when others have written since (the record keeps the last commits' ids).
--   I-8   A request id is answered once, and again with the same answer, for as long as it is among
--         the last answers; it takes no lease then; with other content it is refused.
--   I-9   A message is in the outbox if and only if its commit is in, and stays until acknowledged.
--   I-10  A deadline is what the last commit says; a claim only moves it on, and two claimers never
--         get one within the hold.
--   I-11  A result is entered once, and one message follows the last that is awaited.
--   I-12  What expires does so with all its keys.
--   I-13  All keys of a call lie in one slot.
--   I-14  A wake-up carries nothing that counts: a lost one costs time, never an event.
--   I-15  Stored bytes that are not what was written are told, not used.
--   I-16  A part is what the last commit that named it wrote. Whoever reads a record, and then a
--         part, finds what that record's commits wrote there or what a later one did; a holder of
--         the lease finds the former.
--   I-17  An event of a log brings the deadline of the webhook that tells of it, if it has one, to
--         the event's time, unless that is earlier.
--
-- Faults, and what becomes of them
--   Holder paused or slow past its lease: the next holder goes on, the late commit gets {"lost"}
--     and the late release does nothing (I-4, I-5). Nobody waits longer than the lease, or
--     than it may be renewed.
--   Holder killed: its lease ends by itself (I-1); what it had not committed never was.
--   Caller gives up: a commit that was sent is seen to its end; a lease that was asked for is freed
--     once it was given.
--   Reply lost: the client repeats the script, with the same token and ids (I-7). When it has to
--     give up, the outcome is unknown to it: the same commit may be tried again, and the request
--     it served may be repeated under its id (I-8). A repeat of acquire that arrives late may hold
--     a lease for nobody, until its time is over (I-1).
--   Server restarted: the hash of a script is unknown, so its text is sent; leases, deadlines and
--     outbox are kept as the rest is. With appendfsync always nothing acknowledged is lost; with
--     everysec the last second may be, in whole scripts: what is left is a moment of the past.
--   Failover to a replica: the same as everysec with what was not yet replicated. A holder from
--     before finds its token or its version gone and is refused (I-4); its client asks again.
--   Slot moved or master dead, in a cluster: a call is sent on, or fails before any write, and only
--     for the aggregates of that slot or master.
--   Memory full: the server refuses a script before its first write (I-3).
--   Wrong clock: a lease's time is the server's alone. A process's clock counts for deadlines and
--     log times only: one ahead claims too early, and whoever claims looks at the record, which
--     says when the decision is due. Pulses: see pulse.lua.
--
-- The commit
--
-- KEYS 1 record, 2 log, 3 lease, 4 answers to requests, 5 their older generation, 6 results,
--      7 outbox, 8 deadlines, 9 parts
-- ARGV 1 token, 2 expected version, 3 commit id, 4 data, 5 its checksum,
--      6 events in the batch, 7 the batch, 8 its checksum,
--      9 request id or "", 10 answer, 11 most answers in a generation,
--      12 deadline in ms or "" for none, 13 member of the deadlines,
--      14 lease time in ms to keep the lease or "" to free it, 15 results awaited or "",
--      16 ms until all of the aggregate expires or "", 17 wake-up channel,
--      18 time of the events in ms, 19 member of the webhook that may tell of them, or "",
--      20 parts to write, 21 ... of each its field and its value, then the outbox messages
-- Returns {"done", seq} | {"lost"} (the lease is gone or another's) | {"conflict"} (the version
-- is another) | {"answered", answer} (the request has its answer; the lease is freed).
--
-- Invariants 3 to 10, 12, 16, 17. Answers are kept in two generations of bounded size: when the newer
-- is full it becomes the older.
local r = redis.call('HMGET', KEYS[1], 'version', 'by', 'seq')
local own = ';' .. ARGV[3] .. ';'
if r[2] and string.find(r[2], own, 1, true) then
  return {'done', r[3]}
end
if redis.call('GET', KEYS[3]) ~= ARGV[1] then
  return {'lost'}
end
if r[1] ~= ARGV[2] then
  return {'conflict'}
end
if ARGV[9] ~= '' then
  local answer = redis.call('HGET', KEYS[4], ARGV[9]) or redis.call('HGET', KEYS[5], ARGV[9])
  if answer then
    redis.call('DEL', KEYS[3])
    return {'answered', answer}
  end
end
local count = tonumber(ARGV[6])
local seq = r[3]
if count > 0 then
  seq = string.format('%.0f', tonumber(seq) + count)
  redis.call('XADD', KEYS[2], seq .. '-0', 'n', count, 'b', ARGV[7], 'c', ARGV[8],
    't', ARGV[18])
  if ARGV[19] ~= '' then
    redis.call('ZADD', KEYS[8], 'XX', 'LT', ARGV[18], ARGV[19])
  end
end
redis.call('HSET', KEYS[1], 'version', string.format('%.0f', tonumber(r[1]) + 1),
  'by', string.sub(own .. string.sub(r[2], 2), 1, 160),
  'data', ARGV[4], 'crc', ARGV[5], 'seq', seq)
if ARGV[15] ~= '' then
  redis.call('HSET', KEYS[1], 'expected', ARGV[15])
end
if ARGV[9] ~= '' then
  redis.call('HSET', KEYS[4], ARGV[9], ARGV[10])
  if redis.call('HLEN', KEYS[4]) >= tonumber(ARGV[11]) then
    redis.call('RENAME', KEYS[4], KEYS[5])
  end
end
if ARGV[12] ~= '' then
  redis.call('ZADD', KEYS[8], ARGV[12], ARGV[13])
else
  redis.call('ZREM', KEYS[8], ARGV[13])
end
local first = 21 + 2 * tonumber(ARGV[20])
for i = 21, first - 1, 2 do
  redis.call('HSET', KEYS[9], ARGV[i], ARGV[i + 1])
end
for i = first, #ARGV do
  redis.call('XADD', KEYS[7], '*', 'm', ARGV[i])
end
if ARGV[14] ~= '' then
  redis.call('PEXPIRE', KEYS[3], ARGV[14])
else
  redis.call('DEL', KEYS[3])
end
local ttl = ARGV[16]
if ttl == '' then
  ttl = redis.call('PTTL', KEYS[1])
end
if tonumber(ttl) > 0 then
  for _, i in ipairs({1, 2, 4, 5, 6, 9}) do
    redis.call('PEXPIRE', KEYS[i], ttl)
  end
end
redis.call('PUBLISH', ARGV[17], seq)
return {'done', seq}
