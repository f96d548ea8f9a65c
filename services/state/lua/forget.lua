-- Remove the deadline of an aggregate that no longer exists.
--
-- KEYS 1 record, 2 deadlines    ARGV 1 member of the deadlines
-- Returns 1 when it was removed, 0 when there was none or the aggregate exists (again), and then
-- nothing changes: it may have been created since its absence was seen.
-- Invariant 10. See commit.lua.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
return redis.call('ZREM', KEYS[2], ARGV[1])
