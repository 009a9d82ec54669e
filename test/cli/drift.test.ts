import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parsePolicyFile } from '../../src/policies/file.ts'
import { policyIds } from '../../src/policies/policies.ts'
import type { SimulatorOptions } from '../../src/sandbox/simulator-options.ts'
import { createSimulator, type Simulator } from '../../src/simulator.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { run } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'
import { initOf } from '../support/lanes/client.ts'

/** A service that a client has used. */
async function useService(options: SimulatorOptions): Promise<Simulator> {
  const service = createSimulator({ clock: '2024-06-15T12:00:00Z', ...options })
  const send = (method: string, path: string, body?: unknown) =>
    service.fetch(path, initOf(method, { body }))
  await send('GET', annotationsPath)
  await send('PATCH', `${annotationsPath}1/`, { content: 'Launch' })
  await send('GET', `${annotationsPath}99/`)
  await send('GET', `${annotationsPath}2/?search=nothing`)
  return service
}

const live = { policies: { 'annotations.search.reach': 'every_lookup' } } as const

function write(content: unknown, name = 'traffic.json'): string {
  const file = join(temporaryFolder(), name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

test('drift prints what the traffic contradicts, what it confirms, and how many policies it does not show', async () => {
  const service = await useService(live)
  const file = write(service.record().scenario)

  const { code, stdout, stderr } = await run(['drift', file])

  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(
    stdout,
  ).toBe(`annotations.search.reach: the traffic shows every_lookup. The documentation says list: Only GET …/annotations.
  Which operations on annotations apply the query parameter search? GET and PATCH …/annotations/:id, too: an annotation that does not match returns 404.
  documentation: List all annotations: GET; annotation:read; query: limit (integer), offset (integer), search (string, search term); 200, pagination envelope of Annotation
  documentation: Retrieve annotation: GET; annotation:read; 200, Annotation
  The live service was observed with this value.
  step 4: GET /api/projects/1/annotations/2/?search=nothing → 404
Serve it with --policy annotations.search.reach=every_lookup.

Confirmed:
  annotations.deleted.visibility = hidden (observed): 1 request, first step 1; retrievable would fit, too
  errors.body = envelope (observed): 2 requests, first step 3
  versioning = none (documented): 2 requests, first step 1

With the profile documented, 1 policy contradicts the documentation. 4 of 4 requests get the recorded responses with the policies that were found. 3 policies are confirmed; ${policyIds.length - 4} were not tested.
`)
})

const formats = {
  scenario: (service: Simulator) => service.record().scenario,
  'HAR archive': (service: Simulator) => service.journal.toHar(),
  journal: (service: Simulator) => service.journal.find(),
  'journal in lines': (service: Simulator) =>
    service.journal
      .find()
      .map((entry) => JSON.stringify(entry))
      .join('\n'),
} as const

test.each(Object.entries(formats))('a %s shows the same policy', async (name, format) => {
  const file = write(format(await useService(live)))

  const { code, stdout } = await run(['drift', file, '--json'])

  const { contradictions, unexplained, requests } = JSON.parse(stdout)
  const word = name === 'scenario' ? 'step' : 'entry'
  expect({ code, requests, unexplained }).toEqual({ code: 1, requests: 4, unexplained: [] })
  expect(contradictions).toMatchObject([
    {
      policy: 'annotations.search.reach',
      observed: { value: 'every_lookup' },
      shown_by: { requests: [{ name: `${word} 4`, method: 'GET', status: 404 }] },
    },
  ])
})

test('what a derived world assumes is listed, as import lists it', async () => {
  const service = createSimulator({ clock: '2024-06-15T12:00:00Z' })
  await service.fetch(`${annotationsPath}1/`, initOf('PATCH', { body: { content: 'Launch' } }))
  const file = write(service.journal.toHar())

  const { stdout } = await run(['drift', file])
  const { stdout: json } = await run(['drift', file, '--json'])

  const { assumptions, notes } = JSON.parse(json)
  expect(assumptions.map(({ field }: { field: string }) => field)).toEqual([
    'organizations[id=00000000-0000-4000-8000-000000000001]',
    'keys[label=all].scopes',
    'annotations[id=1].content',
  ])
  expect(stdout).toContain(notes.join('\n'))
  expect(notes).toEqual([
    'The world before the first request was derived from the responses, with 3 assumptions.',
    'Assumed: the world has organizations[id=00000000-0000-4000-8000-000000000001]. No response shows the organization of the projects.',
    'Assumed: keys[label=all].scopes is ["*"]. No request with the key was refused for a missing scope.',
    'Assumed: annotations[id=1].content is "Launch". No response shows the value before the first change. The value after it is assumed.',
  ])
})

test('drift writes a report in each format, and the policies that serve reads', async () => {
  const file = write((await useService(live)).record().scenario)
  const folder = temporaryFolder()
  const extensions = ['json', 'html', 'xml']
  const reports = extensions.map((extension) => join(folder, `report.${extension}`))
  const out = join(folder, 'policies.json')

  const { code } = await run([
    'drift',
    file,
    ...reports.flatMap((report) => ['--report', report]),
    ...['--out', out, '--fail-on', 'none'],
  ])
  const rewritten = await run([
    'drift',
    file,
    ...reports.flatMap((report) => ['--report', report]),
    ...['--out', out, '--fail-on', 'none'],
  ])
  const again = await run(['drift', file, '--policies', out])

  expect([code, rewritten.code, again.code]).toEqual([0, 0, 0])
  for (const report of reports) {
    expect(readFileSync(report, 'utf8')).toContain('annotations.search.reach')
  }
  expect(parsePolicyFile(readFileSync(out, 'utf8'), out)).toMatchObject(live.policies)
  expect(again.stdout).toContain('With the profile documented and')
  expect(again.stdout).toContain('nothing differs')
})

test.each([
  [['--fail-on', 'documented'], 1],
  [['--fail-on', 'assumed'], 0],
  [['--profile', 'live'], 0],
] as const)('with %j, the exit code is %i', async (flags, code) => {
  const file = write((await useService(live)).record().scenario)

  expect((await run(['drift', file, ...flags])).code).toBe(code)
})

test.each([
  ['[]', 'has no entry. Send requests first.'],
  ['[{"id": 1}]', 'is not a valid journal'],
  ['{"title": "Empty", "steps": [{"reset": true}]}', 'has no request'],
  ['{"log": {"entries": []}}', 'has no entries'],
  ['nothing', 'is not valid JSON'],
])('%s is refused, and nothing is written', async (content, message) => {
  const file = write(content)
  const out = join(temporaryFolder(), 'policies.json')

  const { code, stdout, stderr } = await run(['drift', file, '--out', out])

  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(`${file} ${message}`)
  expect(() => readFileSync(out)).toThrow('ENOENT')
})

test.each([
  [6, 'and 1 more difference'],
  [7, 'and 2 more differences'],
])('of %i differences in a response, five are listed', async (count, rest) => {
  const fields = Object.fromEntries(Array.from({ length: count }, (_, at) => [`field_${at}`, at]))
  const step = { as: 'all', method: 'GET', path: `${annotationsPath}1/`, expect: { body: fields } }
  const file = write({ title: 'Other fields', steps: [step] })

  const { stdout } = await run(['drift', file])

  const lines = stdout.split('\n').map((line) => line.trim())
  expect(lines.filter((line) => line.startsWith('body.'))).toHaveLength(5)
  expect(lines).toContain(rest)
})

test('a response of a path that the API lacks is not explained', async () => {
  const step = { as: 'all', method: 'GET', path: '/api/nothing/', expect: { status: 200 } }
  const file = write({ title: 'Another path', world: 'default', steps: [step] })

  const { code, stdout } = await run(['drift', file])

  expect(code).toBe(1)
  expect(stdout).toBe(`A path that is unknown: no policy explains the response.
  status: the traffic has 200, the simulator 404
  documentation: Error status codes, error codes and error body shape: not shown.
  step 1: GET /api/nothing/ → 200

With the profile documented, 1 difference is unexplained. 0 of 1 request gets the recorded response. No policy is confirmed; ${policyIds.length} were not tested.
`)
})

test.each([
  [0, []],
  [1, ['1 later request differs, maybe because of this.']],
  [2, ['2 later requests differ, maybe because of this.']],
])('%i requests that differ after an unexplained one are counted with it', async (count, lines) => {
  const create = { as: 'all', method: 'POST', path: annotationsPath, body: { content: 'Launch' } }
  const list = { as: 'all', method: 'GET', path: annotationsPath, expect: { body: { count: 99 } } }
  const steps = [
    { ...create, expect: { status: 418 } },
    ...Array.from({ length: count }, () => list),
  ]
  const file = write({ title: 'A refused create', world: 'default', steps })

  const { stdout } = await run(['drift', file])

  const [unexplained = ''] = stdout.split('\n\n')
  expect(unexplained.split('\n')).toEqual([
    'createAnnotation: no policy explains the response.',
    '  status: the traffic has 418, the simulator 201',
    expect.stringMatching(/^ {2}documentation: Create annotation: POST; /),
    `  step 1: POST ${annotationsPath} → 418`,
    ...lines.map((line) => `  ${line}`),
  ])
})

test.each(['--out', '--report'])(
  'drift overwrites with %s neither its traffic nor a foreign file',
  async (flag) => {
    const file = write((await useService(live)).record().scenario)
    const before = readFileSync(file, 'utf8')
    const notes = write('{"policies": {}, "steps": []}', 'notes.json')

    const own = await run(['drift', file, flag, file, '--force'])
    const foreign = await run(['drift', file, flag, notes])
    const forced = await run(['drift', file, flag, notes, '--force'])

    expect(own).toEqual({
      code: 2,
      stdout: '',
      stderr: `${flag} names ${file}, which the command reads. Choose another file.\n`,
    })
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(foreign).toMatchObject({ code: 2, stdout: '' })
    expect(foreign.stderr).toMatch(
      /notes\.json already exists, and is not a (policy file|report of understudy-api)\./,
    )
    expect(forced.code).toBe(1)
  },
)

test('an unknown kind of --fail-on is refused with the nearest one', async () => {
  const file = write((await useService(live)).record().scenario)

  const { code, stderr } = await run(['drift', file, '--fail-on', 'asumed'])

  expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean assumed?')])
})

test.each([
  ['null', 'null'],
  ['"annotations"', '"annotations"'],
  ['{}', '{}'],
  ['{"requests": []}', '{"requests":[]}'],
])('a file that is neither traffic nor a scenario is refused: %s', async (content, shown) => {
  const file = write(content)

  expect(await run(['drift', file])).toEqual({
    code: 2,
    stdout: '',
    stderr: `Failed to read ${file}: expected a HAR archive, a scenario or a journal, got ${shown}.\n`,
  })
})

test('an archive and a scenario are recognized whatever their first field is', async () => {
  const service = await useService(live)
  const archive = write({ comment: 'Exported.', ...service.journal.toHar() })
  const { title, ...scenario } = service.record().scenario

  const compared = await run(['drift', archive, '--json'])
  const misspelled = await run(['drift', write({ titel: title, ...scenario })])

  expect(JSON.parse(compared.stdout)).toMatchObject({ requests: 4, unexplained: [] })
  expect(misspelled.stderr).toContain('unknown field "titel"')
})
