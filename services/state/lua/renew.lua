-- Let a lease last its whole time again, if it is still this holder's.
--
-- KEYS 1 lease    ARGV 1 token, 2 lease time in ms
-- Returns 1 when it was renewed, 0 when it was gone or another's, and then nothing changes.
-- Invariants 1, 5. See commit.lua.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 0
