-- Posts one body again and again: wrk -s post.lua URL -- BODY
function init(args)
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  wrk.body = args[1]
end
