require 'json'
require 'net/http'

# A world of its own for one test: its url and its key.
def new_sandbox(name)
  server = ENV.fetch('UNDERSTUDY_URL') { abort 'Run the tests with npx ./understudy-api-0.1.0.tgz exec --' }
  json = { 'Content-Type' => 'application/json' }
  created = Net::HTTP.post(URI("#{server}/__admin/sandboxes"), { name: name, ttl_s: 600 }.to_json, json)
  JSON.parse(created.body).values_at('url', 'key')
end
