-- Claim deadlines that have passed, and set them to come up again in case the claimer dies.
--
-- KEYS 1 deadlines    ARGV 1 now in ms, 2 most to claim, 3 ms until a claim comes up again
-- Returns the members claimed, the earliest first.
--
-- Invariant 10. A commit that answers a decision moves or removes its own member afterwards. See
-- commit.lua.
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
local again = string.format('%.0f', ARGV[1] + ARGV[3])
for _, member in ipairs(due) do
  redis.call('ZADD', KEYS[1], again, member)
end
return due
