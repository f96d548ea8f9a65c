-- Create an aggregate unless it exists.
--
-- KEYS 1 record, 2 log, 3 outbox, 4 deadlines, 5 parts
-- ARGV 1 creation id, 2 data, 3 its checksum, 4 events in the batch, 5 the batch, 6 its checksum,
--      7 deadline in ms or "", 8 member of the deadlines, 9 wake-up channel,
--      10 time of the events in ms, 11 parts to write, 12 ... of each its field and its value, then
--      the outbox messages
-- Returns 1 when this creation made it (also when repeated after a lost reply), else 0.
--
-- Invariants 3, 6 (version 1 is the creation, fence 0 precedes any holder), 7, 16. What exists is
-- not touched. See commit.lua.
local by = redis.call('HGET', KEYS[1], 'by')
local own = ';' .. ARGV[1] .. ';'
if by then
  return string.find(by, own, 1, true) and 1 or 0
end
if tonumber(ARGV[4]) > 0 then
  redis.call('XADD', KEYS[2], ARGV[4] .. '-0', 'n', ARGV[4], 'b', ARGV[5], 'c', ARGV[6],
    't', ARGV[10])
end
redis.call('HSET', KEYS[1], 'version', '1', 'by', own, 'fence', '0', 'data', ARGV[2],
  'crc', ARGV[3], 'seq', ARGV[4])
if ARGV[7] ~= '' then
  redis.call('ZADD', KEYS[4], ARGV[7], ARGV[8])
end
local first = 12 + 2 * tonumber(ARGV[11])
for i = 12, first - 1, 2 do
  redis.call('HSET', KEYS[5], ARGV[i], ARGV[i + 1])
end
for i = first, #ARGV do
  redis.call('XADD', KEYS[3], '*', 'm', ARGV[i])
end
redis.call('PUBLISH', ARGV[9], ARGV[4])
return 1
