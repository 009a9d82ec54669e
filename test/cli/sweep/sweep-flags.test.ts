import { expect, test } from 'vitest'
import { execFlags, redactCommand } from '../../../src/cli/command-line.ts'

test('the flags of a sweep that change the service are those of the line to see it fail', () => {
  const words = ['sweep', '--jobs', '1', '--world', './my world.json']
  const more = ['--fault', '{"preset": "x"}', '--profile=live', '--token', 'abc', '--only', 'x']

  expect(execFlags([...words, ...more, '--'])).toEqual([
    "--world './my world.json'",
    `--fault '{"preset": "x"}'`,
    '--profile=live',
  ])
})

test.each([
  [['npm', 'test'], 'npm test'],
  [['npx', 'vitest', '--outputFile=a,b.xml'], 'npx vitest --outputFile=a,b.xml'],
  [['sh', '-c', "echo 'a b' && npm test"], "sh -c 'echo '\\''a b'\\'' && npm test'"],
  [['deploy', '--token', 'a b'], 'deploy --token …'],
  [['keytool', '-password', 'abc12345'], 'keytool -password …'],
  [['deploy', '--token=a b', 'API_KEY=c'], 'deploy --token=… API_KEY=…'],
  [['curl', '-H', 'Authorization: Bearer phx_secret1'], "curl -H 'Authorization: Bearer …'"],
  [['curl', '-H', 'X-Api-Key: abc def'], "curl -H 'X-Api-Key: …'"],
  [['curl', '-H', 'Cookie: a=b; id=c'], "curl -H 'Cookie: …'"],
  [['curl', 'https://x/?a=1&api_key=abc&b=2'], "curl 'https://x/?a=1&api_key=…&b=2'"],
  [['curl', 'https://x/?code=abc', 'code=abc'], "curl 'https://x/?code=…' code=abc"],
  [['curl', '-d', '{"password": "a b", "n": 1}'], `curl -d '{"password": "…", "n": 1}'`],
  [['curl', '-H', 'Accept: text/html'], "curl -H 'Accept: text/html'"],
  [['deploy', '--ticket', 'a', '--Ticket=b', 'TICKET=c'], 'deploy --ticket … --Ticket=… TICKET=…'],
  [['npm', 'run', 'auth:login', '--', '--', 'a'], 'npm run auth:login -- -- a'],
])('%j is quoted for a shell and has no secrets', (line, text) => {
  expect(redactCommand(line, ['ticket'])).toBe(text)
})
