-- Create an aggregate unless it exists.
--
-- KEYS 1 record, 2 log, 3 outbox, 4 deadlines
-- ARGV 1 creation id, 2 data, 3 crc, 4 events in the batch, 5 the batch, 6 deadline in ms or "",
--      7 member of the deadlines, 8 ... outbox messages
-- Returns 1 when this creation made it (also when repeated after a lost reply), else 0.
if redis.call('EXISTS', KEYS[1]) == 1 then
  if redis.call('HGET', KEYS[1], 'made') == ARGV[1] then
    return 1
  end
  return 0
end
if tonumber(ARGV[4]) > 0 then
  redis.call('XADD', KEYS[2], ARGV[4] .. '-0', 'n', ARGV[4], 'b', ARGV[5])
end
redis.call('HSET', KEYS[1], 'version', '1', 'made', ARGV[1], 'by', '', 'fence', '0',
  'data', ARGV[2], 'crc', ARGV[3], 'seq', ARGV[4])
if ARGV[6] ~= '' then
  redis.call('ZADD', KEYS[4], ARGV[6], ARGV[7])
end
for i = 8, #ARGV do
  redis.call('XADD', KEYS[3], '*', 'm', ARGV[i])
end
return 1
