-- Take the lease of an aggregate and read it, in one step.
--
-- KEYS 1 record, 2 lease    ARGV 1 token, unique to this attempt; 2 lease time in ms
-- Returns {"gone"} | {"busy", ms until the lease ends} | {"held", fence, version, data, crc, seq}.
--
-- Invariants: at most one token stands in the lease key; the fence grows with every new holder; a
-- repeat by the same token (its reply was lost) finds its own lease and changes nothing but its time.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return {'gone'}
end
local holder = redis.call('GET', KEYS[2])
if holder and holder ~= ARGV[1] then
  return {'busy', redis.call('PTTL', KEYS[2])}
end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
if not holder then
  redis.call('HINCRBY', KEYS[1], 'fence', 1)
end
local r = redis.call('HMGET', KEYS[1], 'fence', 'version', 'data', 'crc', 'seq')
return {'held', r[1], r[2], r[3], r[4], r[5]}
