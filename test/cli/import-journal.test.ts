import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSimulator } from '../../src/index.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { run } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'

/** The journal of a client whose create was carried out, although its response was lost. */
async function journalOfLostCreate() {
  const simulator = createSimulator({ clock: '2024-06-15T12:00:00Z' })
  simulator.faults.add({
    operation: 'createAnnotation',
    when: { times: 1 },
    phase: 'after-commit',
    effect: { drop: true },
  })
  const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }
  const body = JSON.stringify({ content: 'Launch' })
  const create = () => simulator.fetch(annotationsPath, { method: 'POST', headers, body })
  await create().catch(() => {})
  await create()
  await simulator.fetch(annotationsPath, { headers })
  return simulator.journal.find()
}

test.each([
  ['a list', (entries: readonly object[]) => JSON.stringify(entries)],
  [
    'a line for each entry',
    (entries: readonly object[]) => entries.map((one) => JSON.stringify(one)).join('\n'),
  ],
])(
  'import converts a journal that is %s, and names the scenario after what failed',
  async (_, format) => {
    const file = join(temporaryFolder(), 'journal.json')
    writeFileSync(file, format(await journalOfLostCreate()))
    const out = join(temporaryFolder(), 'story.json')

    const { code, stdout } = await run(['import', file, '--as', 'node', '--out', out])

    expect(code).toBe(0)
    expect(stdout).toContain(`${out}: 3 requests.\n`)
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({
      title: 'Create annotation: response lost after the write, and the retry made a duplicate',
      steps: [
        { fault: { operation: 'createAnnotation', effect: { drop: true } } },
        { method: 'POST', path: annotationsPath, expect: { broken: true } },
        { method: 'POST', path: annotationsPath, expect: { status: 201 } },
        { method: 'GET', path: annotationsPath, expect: { status: 200 } },
      ],
    })
  },
)

test('flags about archives are refused with a journal, and an invalid journal is not read', async () => {
  const folder = temporaryFolder()
  const [file, other] = [join(folder, 'journal.json'), join(folder, 'other.json')]
  writeFileSync(file, JSON.stringify(await journalOfLostCreate()))
  writeFileSync(other, '[{"id": 1}]')

  expect(await run(['import', file, '--base', 'https://a.test'])).toEqual({
    code: 2,
    stdout: '',
    stderr: `--base is about HAR archives. ${file} is a journal.\n`,
  })
  expect(await run(['import', other])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/other\.json is not a valid journal: \d+ problems?\./),
  })
})
