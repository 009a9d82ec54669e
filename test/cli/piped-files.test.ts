import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startCommand } from '../support/cli/command.ts'
import { badUse } from '../support/cli/output.ts'
import { temporaryFolder } from '../support/files.ts'

const step = { as: 'all', method: 'GET', path: '/api/projects/', expect: { status: 200 } }
const story = JSON.stringify({ title: 'A story', world: 'default', steps: [step] })

const run = (args: readonly string[], stdin: string) => startCommand(args, {}, { stdin }).end

test.each(['stdin', 'a named pipe'])('%s is read once, and whole', async (name) => {
  const pipe = join(temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  const isStdin = name === 'stdin'

  const reading = run(['validate', isStdin ? '-' : pipe], isStdin ? story : '')
  if (!isStdin) await writeFile(pipe, story)

  expect((await reading).stdout).toBe(`${isStdin ? name : pipe} is a valid scenario: 1 step.\n`)
})

/** What each command reads of a file, it reads of stdin. */
test.each([
  [['replay', '-'], story, /1 of 1 steps? passed\./],
  [
    ['explain', 'GET', '/api/projects/', '--world', '-'],
    '{"projects": [{"id": 1}], "generate": {}}',
    / 200: /,
  ],
  [['validate', '/dev/stdin'], story, /^stdin is a valid/],
  [['explain', 'POST', '/api/projects/', '--body', '@-'], '{"content": "x"}', / 405: /],
])('%j reads stdin', async (args, text, output) => {
  expect((await run(args, text)).stdout).toMatch(output)
})

test('a pipe that ends early says how much was read', async () => {
  const cure = 'Check the command that writes it.\n'

  expect(await run(['validate', '-'], '{"title": "x')).toEqual(
    badUse(`stdin is not valid JSON: it ends in line 1, column 13. It has 12 bytes. ${cure}`),
  )
  expect(await run(['import', '-'], '[{"id":1')).toEqual(
    badUse(`stdin is not valid JSON: it ends in line 1, column 9. It has 8 bytes. ${cure}`),
  )
  expect(await run(['validate', '-'], '{')).toEqual(
    badUse(`stdin is not valid JSON: it ends in line 1, column 2. It has 1 byte. ${cure}`),
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
