-- Enter a result once, without a lease, and send a message when the last awaited one is in.
--
-- KEYS 1 record, 2 log, 3 results, 4 outbox
-- ARGV 1 field, 2 value, 3 events in the batch, 4 the batch, 5 wake-up channel, 6 message
-- Returns -1 (no such aggregate) | 1 (entered) | 0 (was in already; nothing changed).
--
-- Invariants: a field is written once; the message leaves in the same step as the result that
-- completes the number in the record's "expected"; the record's data and version stay.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return -1
end
if redis.call('HSETNX', KEYS[3], ARGV[1], ARGV[2]) == 0 then
  return 0
end
local count = tonumber(ARGV[3])
if count > 0 then
  local seq = redis.call('HINCRBY', KEYS[1], 'seq', count)
  redis.call('XADD', KEYS[2], string.format('%d-0', seq), 'n', count, 'b', ARGV[4])
end
local expected = tonumber(redis.call('HGET', KEYS[1], 'expected') or '0')
if redis.call('HLEN', KEYS[3]) == expected then
  redis.call('XADD', KEYS[4], '*', 'm', ARGV[6])
end
redis.call('PUBLISH', ARGV[5], '1')
return 1
