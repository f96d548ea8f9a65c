-- Note that a player's stream lives, or has ended.
--
-- KEYS 1 presence of the player
-- ARGV 1 stream, 2 now in ms, 3 ms until which it counts as live, or "" when it has ended,
--      4 ms for which the presence is kept
-- Returns 1.
--
-- The member "" has the time the player was last seen. Streams that ran out are swept first, and
-- that member with them; it comes back with a later time, unless a clock ahead has set it later.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. ARGV[2])
redis.call('ZADD', KEYS[1], 'GT', ARGV[2], '')
if ARGV[3] == '' then
  redis.call('ZREM', KEYS[1], ARGV[1])
else
  redis.call('ZADD', KEYS[1], 'GT', ARGV[3], ARGV[1])
end
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
