-- One operation over and over; ids spread over all rows.
local count = tonumber(os.getenv('ROWS'))
local operation = os.getenv('OPERATION')
local all = '/api/projects/1/annotations/'
local index = 0

wrk.headers['authorization'] = 'Bearer phx_all'
wrk.headers['content-type'] = 'application/json'

function request()
  index = index + 7919
  local one = all .. (index % count + 1) .. '/'
  if operation == 'list' then return wrk.format('GET', all .. '?limit=100') end
  if operation == 'get' then return wrk.format('GET', one) end
  if operation == 'patch' then return wrk.format('PATCH', one, nil, '{"content":"changed ' .. index .. '"}') end
  return wrk.format('POST', all, nil, '{"content":"Launch","date_marker":"2024-06-01T09:00:00Z"}')
end
