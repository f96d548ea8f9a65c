-- Claim deadlines that have passed, and set them to come up again in case the claimer dies.
--
-- KEYS 1 deadlines    ARGV 1 now in ms, 2 most to claim, 3 ms until a claim comes up again
-- Returns the members claimed, the earliest first. A commit that answers a decision moves or
-- removes its own member, so a claim never undoes it.
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
for _, member in ipairs(due) do
  redis.call('ZADD', KEYS[1], ARGV[1] + ARGV[3], member)
end
return due
