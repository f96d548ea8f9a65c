-- Take the lease of an aggregate and read it, in one step.
--
-- KEYS 1 record, 2 lease, 3 answers to requests, 4 their older generation
-- ARGV 1 token, unique to this attempt; 2 lease time in ms; 3 request id or ""
-- Returns {"gone"} | {"answered", answer} | {"busy", ms until the lease ends}
--       | {"held", fence, version, data, crc, seq}.
--
-- Invariants 1, 2, 7 (a repeat by the same token finds its own lease and changes nothing but its
-- time), 8. See commit.lua.
local r = redis.call('HMGET', KEYS[1], 'fence', 'version', 'data', 'crc', 'seq')
if not r[2] then
  return {'gone'}
end
if ARGV[3] ~= '' then
  local answer = redis.call('HGET', KEYS[3], ARGV[3]) or redis.call('HGET', KEYS[4], ARGV[3])
  if answer then
    return {'answered', answer}
  end
end
local holder = redis.call('GET', KEYS[2])
if holder and holder ~= ARGV[1] then
  return {'busy', redis.call('PTTL', KEYS[2])}
end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
local fence = r[1]
if not holder then
  fence = redis.call('HINCRBY', KEYS[1], 'fence', 1)
end
return {'held', fence, r[2], r[3], r[4], r[5]}
