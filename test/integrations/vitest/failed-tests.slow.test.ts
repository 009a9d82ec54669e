import { expect, test } from 'vitest'
import { runVitest } from './run-vitest.ts'

test('a failed test prints its latest requests, and other tests print nothing', async () => {
  const { code, stdout, stderr } = await runVitest('failing')

  expect(code).toBe(1)
  expect(stdout).toContain('4 failed | 3 passed | 1 expected fail (8)')
  const printed = stderr.split(/(?:^|\n)stderr \| /).map((text) => text.trim())
  const by = (name: string) =>
    printed
      .filter((text) => text.startsWith(`failing.example.ts > ${name}\n`))
      .map((text) => text.slice(text.indexOf('\n') + 1).split('\n\n')[0])
  expect(by('a write with a key that can only read')).toEqual([
    expect.stringMatching(
      new RegExp(
        '^Requests to the simulator, the latest last:\n' +
          '  200 GET /api/projects/1/annotations/\\?limit=1, key "all"\n' +
          '  403 POST /api/projects/1/annotations/, key "annotation:read" – .*annotation:write.*$',
      ),
    ),
  ])
  for (const name of [
    'in a batch > comes second',
    'a hook restores fetch > fetch was replaced until then',
  ])
    expect
      .soft(by(name))
      .toEqual([
        expect.stringMatching(/^The simulator received no requests.\nIf the client sent some to /),
      ])
  const silent = ['asks for a key that the world does not have', 'passes', 'fails as expected']
  for (const name of [...silent, 'in a batch > starts the timer']) expect.soft(by(name)).toEqual([])
})
