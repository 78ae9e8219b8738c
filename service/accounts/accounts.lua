-- How an account changes.
-- KEYS  1 the account
-- ARGV  1 "create": unless there is one; "change": if there is one  2 seconds to keep it  3.. its fields and values
local exists = redis.call("EXISTS", KEYS[1]) == 1
if (ARGV[1] == "create") == exists then return 0 end
redis.call("HSET", KEYS[1], unpack(ARGV, 3))
redis.call("EXPIRE", KEYS[1], ARGV[2])
return 1
