require 'minitest/autorun'
require_relative 'sandbox'

class SandboxTest < Minitest::Test
  parallelize_me!

  ['Launch', 'Größer 🦔'].each_with_index do |content, index|
    define_method("test_a_sandbox_starts_with_the_rows_of_the_world_#{index}") do
      url, key = new_sandbox(name)
      annotations = URI("#{url}/api/projects/1/annotations/")
      headers = { 'Authorization' => "Bearer #{key}", 'Content-Type' => 'application/json' }

      created = Net::HTTP.post(annotations, { content: content }.to_json, headers)
      page = JSON.parse(Net::HTTP.get(annotations, headers))

      assert_equal ['201', 7], [created.code, page['count']]
    end
  end
end
