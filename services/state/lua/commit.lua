-- The one commit: all that changes about an aggregate changes here, or not at all.
--
-- KEYS 1 record, 2 log, 3 lease, 4 requests, 5 outbox, 6 deadlines
-- ARGV 1 token, 2 expected version, 3 commit id, 4 data, 5 crc, 6 events in the batch, 7 the batch,
--      8 request id or "", 9 answer, 10 deadline in ms or "" for none, 11 member of the deadlines,
--      12 lease time in ms to keep the lease or "" to free it, 13 results awaited or "",
--      14 wake-up channel, 15 ... outbox messages
-- Returns {"done", version, seq} | {"lost"} (the lease is gone or another's) | {"conflict", version}.
--
-- Invariants: nothing is written unless both the token and the version match; the version grows by
-- one; the log stays dense; a commit that is repeated because its reply was lost is recognised by
-- its id and changes nothing. A holder that lost its lease frees nothing.
local r = redis.call('HMGET', KEYS[1], 'version', 'by', 'seq')
if r[2] == ARGV[3] then
  return {'done', r[1], r[3]}
end
if redis.call('GET', KEYS[3]) ~= ARGV[1] then
  return {'lost'}
end
if r[1] ~= ARGV[2] then
  return {'conflict', r[1]}
end
local count = tonumber(ARGV[6])
local seq = tonumber(r[3]) + count
if count > 0 then
  redis.call('XADD', KEYS[2], string.format('%d-0', seq), 'n', count, 'b', ARGV[7])
end
local version = string.format('%d', tonumber(r[1]) + 1)
redis.call('HSET', KEYS[1], 'version', version, 'by', ARGV[3], 'data', ARGV[4], 'crc', ARGV[5],
  'seq', string.format('%d', seq))
if ARGV[13] ~= '' then
  redis.call('HSET', KEYS[1], 'expected', ARGV[13])
end
if ARGV[8] ~= '' then
  redis.call('HSET', KEYS[4], ARGV[8], ARGV[9])
end
if ARGV[10] ~= '' then
  redis.call('ZADD', KEYS[6], ARGV[10], ARGV[11])
else
  redis.call('ZREM', KEYS[6], ARGV[11])
end
for i = 15, #ARGV do
  redis.call('XADD', KEYS[5], '*', 'm', ARGV[i])
end
if ARGV[12] ~= '' then
  redis.call('PEXPIRE', KEYS[3], ARGV[12])
else
  redis.call('DEL', KEYS[3])
end
redis.call('PUBLISH', ARGV[14], '1')
return {'done', version, string.format('%d', seq)}
