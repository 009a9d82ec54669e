import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startCommand } from '../support/cli/command.ts'
import { badUse } from '../support/cli/output.ts'
import { temporaryFolder } from '../support/files.ts'

const url = 'https://app.example.com/api/projects/1/annotations/'
const request = { method: 'GET', url, headers: [{ name: 'authorization', value: 'Bearer phx_a' }] }
const content = { mimeType: 'application/json', text: '{"count":0,"next":null,"results":[]}' }
const entry = {
  startedDateTime: '2024-06-15T12:00:00Z',
  request,
  response: { status: 200, headers: [], content },
}
const archive = JSON.stringify({ log: { version: '1.2', entries: [entry] } })
const step = { as: 'all', method: 'GET', path: '/api/projects/', expect: { status: 200 } }
const story = JSON.stringify({ title: 'A story', world: 'default', steps: [step] })
const world = JSON.stringify({ projects: [{ id: 1 }], generate: {} })
const settings = JSON.stringify({ settings: { 'annotations.delete.status': '404' } })
const explained = ['explain', 'DELETE', '/api/projects/1/annotations/1/']

const run = (args: readonly string[], stdin: string) => startCommand(args, {}, { stdin }).end

/** FILE stands for a pipe. */
const readers: readonly (readonly [text: string, args: readonly string[], output: RegExp])[] = [
  [archive, ['import', 'FILE'], /"title": "Imported from a pipe"/],
  [story, ['validate', 'FILE'], /^(stdin|\/.*) is a valid scenario: 1 step\./],
  [world, ['validate', 'FILE'], /^(stdin|\/.*) is a valid world: 1 organization, 1 project,/],
  [story, ['replay', 'FILE'], /1 of 1 steps? passed\./],
  [world, ['replay', 'scenarios/delete-not-allowed.json', '--world', 'FILE'], /passed\./],
  [world, [...explained, '--world', 'FILE'], / 405: /],
  [settings, [...explained, '--settings', 'FILE'], / 404: /],
  ['{"content": "x"}', ['explain', 'POST', explained[2] as string, '--body', '@FILE'], /405: /],
]

test.each(readers)('stdin and a named pipe are read once: %s %j', async (text, args, output) => {
  const pipe = join(temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  const named = (name: string) => args.map((word) => word.replace('FILE', name))

  const { stdout } = await run(named('-'), text)
  const [piped] = await Promise.all([run(named(pipe), ''), writeFile(pipe, text)])

  expect.soft(stdout).toMatch(output)
  expect(piped.stdout).toMatch(output)
})

test('/dev/stdin is stdin', async () => {
  expect((await run(['validate', '/dev/stdin'], story)).stdout).toMatch(/^stdin is a valid/)
})

test('a pipe that ends early says how much was read', async () => {
  const cut = archive.slice(0, 90)
  const cure = 'bytes were read. Check the command that writes them.\n'

  expect(await run(['import', '-'], cut)).toEqual(
    badUse(
      `stdin is not valid JSON: Unterminated string starting at: line 1 column 89 (char 88). 90 ${cure}`,
    ),
  )
  expect(await run(['import', '-'], '[{"id":1')).toEqual(
    badUse(`stdin is not a valid journal: it is not JSON. 8 ${cure}`),
  )
  expect(await run(['validate', '-'], '')).toEqual(
    badUse(`stdin is not valid JSON: Expecting value: line 1 column 1 (char 0). 0 ${cure}`),
  )
})

test.each([
  [['replay', '-', '--update'], '--update writes to the file, and stdin is a pipe. Name a file.'],
  [
    ['import', '-', '--as', 'vitest'],
    '--as vitest requires --out FILE, because stdin is a pipe, which gives the scenario no name.',
  ],
  [
    ['replay', '-', '--world', '/dev/stdin'],
    'Failed to read /dev/stdin: stdin can be read once, and the command reads it for something else, too. Name a file.',
  ],
  [
    ['mcp', '--world', '-'],
    'Failed to read -: stdin can be read once, and the command reads it for something else, too. Name a file.',
  ],
  [
    ['import', 'scenarios/delete-not-allowed.json', '--out', '-'],
    'Failed to read --out: expected the name of a file, got "-".',
  ],
  [
    ['exec', '--handlers', '-', '--', 'true'],
    'Failed to read --handlers: expected the file of a module, which no pipe is, got "-".',
  ],
])('what a pipe cannot do is refused: %j', async (args, message) => {
  expect(await run(args, story)).toEqual(badUse(`${message}\n`))
})
