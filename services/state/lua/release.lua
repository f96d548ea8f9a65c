-- Free a lease, if it is still this holder's.
--
-- KEYS 1 lease    ARGV 1 token
-- Returns 1 when it was freed, 0 when it was gone or another's, and then nothing changes.
-- Invariant 5. See commit.lua.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
