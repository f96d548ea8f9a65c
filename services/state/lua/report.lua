-- Enter a result once, without a lease, and send a message when the last awaited one is in.
--
-- KEYS 1 record, 2 log, 3 results, 4 outbox, 5 deadlines
-- ARGV 1 field, 2 value, 3 events in the batch, 4 the batch, 5 its checksum, 6 wake-up channel,
--      7 message, 8 member of the deadlines, 9 ms from when on to look, should it get lost,
--      10 time of the events in ms, 11 member of the webhook that may tell of them, or ""
-- Returns -1 (no such aggregate) | 1 (entered) | 0 (was in already; nothing changed).
--
-- Invariants 6, 7, 11, 12, 17. The record's data and version stay, and a holder of the lease may
-- commit meanwhile, for a commit takes the sequence from the record and not from its holder. See
-- commit.lua.
local r = redis.call('HMGET', KEYS[1], 'version', 'expected')
if not r[1] then
  return -1
end
if redis.call('HSETNX', KEYS[3], ARGV[1], ARGV[2]) == 0 then
  return 0
end
local count = tonumber(ARGV[3])
local seq = ''
if count > 0 then
  seq = string.format('%.0f', redis.call('HINCRBY', KEYS[1], 'seq', count))
  redis.call('XADD', KEYS[2], seq .. '-0', 'n', count, 'b', ARGV[4], 'c', ARGV[5],
    't', ARGV[10])
  if ARGV[11] ~= '' then
    redis.call('ZADD', KEYS[5], 'XX', 'LT', ARGV[10], ARGV[11])
  end
end
if redis.call('HLEN', KEYS[3]) >= tonumber(r[2] or '0') then
  redis.call('XADD', KEYS[4], '*', 'm', ARGV[7])
  redis.call('ZADD', KEYS[5], 'XX', 'LT', ARGV[9], ARGV[8])
end
local ttl = redis.call('PTTL', KEYS[1])
if ttl > 0 then
  redis.call('PEXPIRE', KEYS[2], ttl)
  redis.call('PEXPIRE', KEYS[3], ttl)
end
redis.call('PUBLISH', ARGV[6], seq)
return 1
