-- Note that an API process lives; if none did for too long, keep that span as an outage.
--
-- KEYS 1 last pulse, 2 outages, 3 that some process lives
-- ARGV 1 now in ms, 2 longest ms between two pulses that is no outage,
--      3 ms before now that an outage is forgotten at, 4 most outages kept
-- Returns 1 when this pulse ended an outage, else 0.
--
-- The last pulse only grows, so outages never overlap, and a clock that is behind changes nothing.
-- One that is ahead by more than the gap makes one outage too many, which favours the players.
-- Whether an outage is going on now is told by a key that runs out on the server's own clock, so
-- that processes whose clocks differ agree about it.
redis.call('SET', KEYS[3], '', 'PX', ARGV[2])
local now = tonumber(ARGV[1])
local last = redis.call('GET', KEYS[1])
if last and now <= tonumber(last) then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1])
if not last or now - tonumber(last) <= tonumber(ARGV[2]) then
  return 0
end
redis.call('ZADD', KEYS[2], ARGV[1], last .. '-' .. ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', '(' .. string.format('%.0f', now - ARGV[3]))
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - ARGV[4])
return 1
