-- One operation over and over; ids and pages spread over all rows. What it counted is printed as JSON.
local count = tonumber(os.getenv('ROWS'))
local operation = os.getenv('OPERATION')
local all = os.getenv('ALL') or '/api/projects/1/annotations/'
local page = os.getenv('PAGE') or all .. '?limit=100&offset={offset}'
local one = os.getenv('ONE') or all .. '{id}/'
local edit = os.getenv('EDIT') or 'PATCH'
local row = os.getenv('ROW') or '{"content":"Launch","date_marker":"2024-06-01T09:00:00Z"}'
local index = tonumber(os.getenv('START') or '0')

wrk.headers['authorization'] = 'Bearer phx_all'
wrk.headers['content-type'] = 'application/json'

local function page_at(offset)
  local place = math.floor(offset / 100)
  local path = page:gsub('{offset}', offset):gsub('{page}', place + 1):gsub('{index}', place)
  return wrk.format('GET', path)
end

function request()
  index = index + 7919
  if operation == 'list' then return page_at(0) end
  if operation == 'pages' then return page_at(index % (count - 100)) end
  if operation == 'create' then return wrk.format('POST', all, nil, row) end
  local path = one:gsub('{id}', index % count + 1)
  if operation == 'get' then return wrk.format('GET', path) end
  return wrk.format(edit, path, nil, '{"content":"changed ' .. index .. '"}')
end

function done(summary, latency)
  io.write(string.format(
    '\n{"requests":%d,"seconds":%f,"bytes":%d,"refused":%d,"broken":%d,"p50":%f,"p99":%f}\n',
    summary.requests, summary.duration / 1e6, summary.bytes, summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3
  ))
end
