import { expect, test } from 'vitest'
import { redactCommand } from '../../../src/cli/redact-command.ts'
import { execFlags } from '../../../src/cli/sweep/sweep-flags.ts'

test('the flags of a sweep that change the service are those of the line to see it fail', () => {
  const words = ['sweep', '--jobs', '1', '--data', './my world.json', '--forward-keys', '--mutate']
  const more = ['--fault', '{"preset": "x"}', '--profile=live', '--token', 'abc', '--only', 'x']

  expect(execFlags([...words, ...more, '--'])).toEqual([
    "--data './my world.json'",
    '--forward-keys',
    `--fault '{"preset": "x"}'`,
    '--profile=live',
  ])
})

test.each([
  [['npm', 'test'], 'npm test'],
  [['npx', 'vitest', '--outputFile=a,b.xml'], 'npx vitest --outputFile=a,b.xml'],
  [['sh', '-c', "echo 'a b' && npm test"], "sh -c 'echo '\\''a b'\\'' && npm test'"],
  [['deploy', '--token', 'a b'], 'deploy --token …'],
  [['deploy', '--token=a b', 'API_KEY=c'], 'deploy --token=… API_KEY=…'],
  [['curl', '-H', 'Authorization: Bearer phx_secret1'], "curl -H 'Authorization: Bearer …'"],
  [['curl', '-H', 'X-Api-Key: abc def'], "curl -H 'X-Api-Key: …'"],
  [['curl', '-H', 'Cookie: a=b; id=c'], "curl -H 'Cookie: …'"],
  [['curl', '-H', 'Accept: text/html'], "curl -H 'Accept: text/html'"],
])('%j is quoted for a shell and has no secrets', (line, text) => {
  expect(redactCommand(line)).toBe(text)
})
