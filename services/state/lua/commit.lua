-- The one commit: all that changes about an aggregate changes here, or not at all.
--
-- KEYS 1 record, 2 log, 3 lease, 4 answers to requests, 5 their older generation, 6 results,
--      7 outbox, 8 deadlines
-- ARGV 1 token, 2 expected version, 3 commit id, 4 data, 5 its checksum,
--      6 events in the batch, 7 the batch, 8 its checksum,
--      9 request id or "", 10 answer, 11 most answers in a generation,
--      12 deadline in ms or "" for none, 13 member of the deadlines,
--      14 lease time in ms to keep the lease or "" to free it, 15 results awaited or "",
--      16 ms until all of the aggregate expires or "", 17 wake-up channel,
--      18 time of the events in ms, 19 ... outbox messages
-- Returns {"done", seq} | {"lost"} (the lease is gone or another's) | {"conflict"} (the version
-- is another) | {"answered", answer} (the request has its answer; the lease is freed).
--
-- Protocol: acquire, decide outside the server, commit. Every check comes before the first write,
-- because an error midway would keep the writes before it.
-- Invariants: nothing is written unless both the token and the version match; the version grows by
-- one; the log stays dense (an entry's id is its last sequence); a request is answered once; a
-- holder that lost its lease frees nothing. The record keeps the ids of its last commits, so that
-- a commit repeated for want of a reply is told it is in, also when others have written since.
-- Answers are kept in two generations of bounded size: when the newer is full it becomes the older.
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
for i = 19, #ARGV do
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
  for _, i in ipairs({1, 2, 4, 5, 6}) do
    redis.call('PEXPIRE', KEYS[i], ttl)
  end
end
redis.call('PUBLISH', ARGV[17], seq)
return {'done', seq}
