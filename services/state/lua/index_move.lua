-- Move an id from one index to another.
--
-- KEYS 1 the index where it is, 2 the one it goes to
-- ARGV 1 id, 2 its score there, 3 what has a lower score there leaves it
-- Returns 1 when it was moved, 0 when it was not in the first, and then it is not added either.
--
-- Invariants 3, 7, 13. See commit.lua.
local moved = redis.call('ZREM', KEYS[1], ARGV[1])
if moved == 1 then
  redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', '(' .. ARGV[3])
return moved
