import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, expect, test, vi } from 'vitest'
import type { ReplayResult, RequestStep, Scenario } from '../../src/index.ts'
import { run } from '../support/cli.ts'
import { temporaryFile, temporaryFolder } from '../support/files.ts'

// Each test starts processes, and machines are busy.
vi.setConfig({ testTimeout: 60_000 })
afterAll(() => vi.resetConfig())

/** A command that runs a program of Node, which asks with `ask` and steers with `steer`. It writes what it was answered. */
function client(program: string, out = '/dev/null'): string[] {
  const beginning = `
    const { writeFileSync } = await import('node:fs')
    const env = process.env
    const list = '/api/projects/1/annotations/'
    const answers = []
    const ask = async (method, path, body, headers = {}) => {
      const own = { authorization: 'Bearer ' + env.UNDERSTUDY_KEY, 'content-type': 'application/json', ...headers }
      try {
        const answer = await fetch(env.UNDERSTUDY_URL + path, { method, headers: own, ...(body && { body }) })
        answers.push([answer.status, (await answer.text()).replaceAll(env.UNDERSTUDY_URL, 'http://localhost')])
      } catch { answers.push([0, '']) }
      writeFileSync(${JSON.stringify(out)}, JSON.stringify(answers))
    }
    const steer = async (method, path, body) => {
      const headers = { 'content-type': 'application/json' }
      const done = await fetch(env.UNDERSTUDY_ADMIN_URL + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      if (!done.ok) throw new Error(path + ': ' + await done.text())
      return done.status === 204 ? null : done.json()
    }`
  return ['--', process.execPath, '--input-type=module', '-e', `${beginning}\n${program}`]
}

const file = () => `${temporaryFolder()}/run.json`
const read = (path: string): Scenario => JSON.parse(readFileSync(path, 'utf8'))
const requests = (path: string) =>
  read(path).steps.filter((step): step is RequestStep => 'method' in step)

/** What a replay in a process of its own was answered, as it came. */
async function replayed(path: string): Promise<{ code: number | null; answers: unknown[] }> {
  const { code, stdout } = await run(['replay', path, '--report', 'json'])
  const [{ result }] = JSON.parse(stdout) as [{ result: ReplayResult }]
  const asked = result.steps.filter(({ request }) => request !== null)
  return { code, answers: asked.map(({ answer }) => [answer?.status, answer?.text]) }
}

test('a failing run is one file: replayed in another process it is answered the same, byte for byte', async () => {
  const [bundle, out] = [file(), temporaryFile('')]

  const ended = await run([
    ...['exec', '--fault', 'flaky', '--seed', '7', '--bundle', bundle],
    ...client(
      `
      await ask('GET', list + '?limit=2')
      await ask('POST', list, '{"content":"Launch","date_marker":null}')
      await ask('POST', list, ' { "content" : "{base_url} {{x}} \\u00e9", "date_marker": null }')
      await ask('POST', list, new Uint8Array([0x7b, 0xff, 0x7d]))
      await ask('PATCH', list + '1/', 'content=Launch', { 'content-type': 'application/x-www-form-urlencoded' })
      await ask('GET', '/api/nothing/?a={b}')
      await ask('DELETE', list + '1/')
      const writes = Array.from({ length: 30 }, (_, n) => ask('POST', list, JSON.stringify({ content: 'At once ' + n })))
      await Promise.all(writes)
      answers.length = 7
      await ask('GET', list + '?limit=100')
      process.exit(3)`,
      out,
    ),
  ])
  const again = await replayed(bundle)

  expect(ended).toEqual({
    code: 3,
    stdout: '',
    stderr: `${bundle}: 38 requests, with what they were answered. Replay: understudy replay ${bundle}\n`,
  })
  const heard = JSON.parse(readFileSync(out, 'utf8'))
  expect(again.code).toBe(0)
  expect([...again.answers.slice(0, 7), again.answers.at(-1)]).toEqual(heard)
})

test('what is steered through the control API stands between the requests', async () => {
  const [bundle, out] = [file(), temporaryFile('')]

  const { code, stderr } = await run([
    ...['exec', '--bundle', bundle],
    ...client(
      `
      const other = { operation: 'listAnnotations', effect: { error: 'throttled' } }
      const added = await steer('PATCH', '/world', { annotations: [{ content: 'By hand' }], keys: [{ label: 'own' }] })
      await ask('POST', list, '{"content":"Mine"}', { authorization: 'Bearer ' + added.keys[0] })
      await steer('POST', '/snapshots', { name: 'before' })
      const [{ id }] = await steer('POST', '/faults', other)
      await ask('GET', list)
      await steer('DELETE', '/faults/' + id)
      await steer('POST', '/actors', { after: { operation: 'listAnnotations' }, steps: [{ create: 'annotations', row: { content: 'Theirs' } }] })
      await ask('GET', list)
      await steer('DELETE', '/actors')
      await steer('PATCH', '/policies', { 'annotations.delete.status': '404' })
      await ask('DELETE', list + '1/')
      await steer('PUT', '/clock', { mode: 'frozen', time: '2024-02-29T12:00:00Z' })
      await steer('POST', '/clock/advance', { hours: 1 })
      await ask('POST', list, '{"content":"Long ago"}')
      await steer('POST', '/snapshots/before/restore')
      const key = await steer('POST', '/keys', { scopes: ['annotation:read'] })
      await ask('GET', list, null, { authorization: 'Bearer ' + key.value })
      await steer('DELETE', '/keys/' + key.value)
      await ask('GET', list, null, { authorization: 'Bearer ' + key.value })
      const world = await steer('GET', '/world')
      await steer('PUT', '/world', { ...world, annotations: world.annotations.slice(0, 1) })
      await ask('GET', list)
      await ask('POST', list, '{"content":"Gone"}')
      await steer('POST', '/reset')
      await ask('GET', list)`,
      out,
    ),
  ])
  const again = await replayed(bundle)

  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^\S+: 10 requests, with what they were answered[^\n]+\n$/),
  ])
  expect(again).toEqual({ code: 0, answers: JSON.parse(readFileSync(out, 'utf8')) })
  const kinds = read(bundle).steps.map((step) => Object.keys(step)[0])
  expect(kinds.filter((kind) => !['as', 'method', 'clock'].includes(kind as string))).toEqual([
    ...['rows', 'snapshot', 'fault', 'remove', 'actor', 'clear', 'policies', 'restore'],
    ...['rows', 'revoke', 'world', 'reset'],
  ])
})

test('a run of more requests than the journal keeps is still whole', async () => {
  const bundle = file()

  await run([
    ...['exec', '--bundle', bundle],
    ...client(
      `for (let n = 0; n < 1_200; n++) await ask('POST', list, '{"content":"Row ' + n + '"}')`,
    ),
  ])

  const bodies = requests(bundle).map(({ body }) => (body as { content: string }).content)
  expect(bodies).toEqual(Array.from({ length: 1_200 }, (_, n) => `Row ${n}`))
  expect((await replayed(bundle)).code).toBe(0)
})

test('an edited file fails at the step that was edited', async () => {
  const bundle = file()
  const program = `await ask('GET', list + '1/'); await ask('POST', list, '{"content":"Launch"}'); await ask('GET', list + '3/')`
  await run(['exec', '--clock', '2024-06-15T12:00:00Z', '--bundle', bundle, ...client(program)])
  const text = readFileSync(bundle, 'utf8')
  const differing = async (from: string | RegExp, to: string): Promise<unknown> => {
    const edited = text.replace(from, to)
    expect(edited).not.toBe(text)
    const path = temporaryFile(edited)
    const { code, stdout } = await run(['replay', path, '--report', 'json'])
    const [{ result }] = JSON.parse(stdout) as [{ result: ReplayResult }]
    const first = result.steps.find(({ outcome }) => outcome !== 'held')
    return [code, first?.step, first?.differences.map(({ where }) => where)]
  }

  expect(await differing('"content": "Launch"', '"content": "Lunch"')).toEqual([1, 2, ['text']])
  expect(await differing('\\"content\\":\\"Launch\\"', '\\"content\\":\\"Lunch\\"')).toEqual([
    ...[1, 2],
    ['text'],
  ])
  expect(await differing('"status": 201', '"status": 200')).toEqual([1, 2, ['status']])
  expect(await differing('"content":"Release 1.0"', '"content":"Release 2.0"')).toEqual([
    ...[1, 1],
    ['text'],
  ])
  expect(await differing('"clock": "2024-06-15T12', '"clock": "2024-06-15T13')).toEqual([
    ...[1, 2],
    ['text'],
  ])
})

test('nothing is in it that nobody needs: no key of somebody else, no header of the way', async () => {
  const bundle = file()
  const secret = 'phx_canary0123456789abcdef'

  await run([
    ...['exec', '--profile', 'live', '--bundle', bundle],
    ...client(`
      await ask('GET', list, null, { authorization: 'Bearer ${secret}', cookie: 'a=${secret}', 'x-api-key': '${secret}' })
      await ask('GET', list + '?personal_api_key=${secret}', null, { authorization: '' })
      await ask('POST', list, '{"personal_api_key":"${secret}"}', { authorization: '' })
      await ask('POST', list, '{"personal_api_key":"phx_all","content":"Launch"}', { authorization: '' })`),
  ])

  expect(readFileSync(bundle, 'utf8')).not.toContain('canary')
  expect(requests(bundle).map(({ expect: { status } = {} }) => status)).toEqual([
    401, 401, 401, 201,
  ])
  expect((await replayed(bundle)).code).toBe(0)
})

test('what a bundle cannot carry it says, and so does the command', async () => {
  const bundle = file()
  const late = { operation: 'createAnnotation', when: { times: 1 }, effect: { delay_ms: 400 } }

  const { stderr } = await run([
    ...['exec', '--clock', '2024-06-15T12:00:00Z', '--bundle', bundle],
    ...['--fault', JSON.stringify({ ...late, phase: 'after-commit' })],
    ...client(`
      const late = ask('POST', list, '{"content":"Late"}')
      await new Promise((resolve) => setTimeout(resolve, 100))
      await ask('POST', list, '{"content":"Early"}')
      await late
      const elsewhere = await steer('POST', '/sandboxes', {})`),
  ])

  const said = [
    'It could not carry a sandbox, and what was asked of it.',
    'Replayed one after another, 2 of 3 steps are answered otherwise (2, 3): they were carried out at the same time as others, or by more than is in the bundle.',
  ]
  expect(stderr.split('\n').slice(1, 3)).toEqual(said.map((line) => `${bundle}: ${line}`))
  expect(read(bundle).description).toBe(
    `Requests: 2. Changes: 1. In the order in which they were carried out. ${said.join(' ')}`,
  )
})

test('where nothing is asked, nothing is written', async () => {
  const folder = temporaryFolder()
  const bundle = `${folder}/run.json`

  const { code, stderr } = await run(['exec', '--bundle', bundle, ...client('process.exit(1)')])

  expect([code, stderr, readdirSync(folder)]).toEqual([
    ...[1, `${bundle}: nothing was asked, and so no bundle was written.\n`],
    [],
  ])
})

test('where it cannot be written, the command is not run', async () => {
  const touched = `${temporaryFolder()}/touched`

  expect(await run(['exec', '--bundle', '/nowhere/run.json', '--', 'touch', touched])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'Failed to write the bundle /nowhere/run.json: expected a file in a folder that can be written, got ENOENT.\n',
  })
  expect(existsSync(touched)).toBe(false)
})

test('a replay that is not as expected is one file, too: as it went, with the exact answers', async () => {
  const bundle = file()
  const step = { as: 'all', method: 'GET', path: '/api/projects/1/annotations/1/' }
  const steps = [
    { rows: { annotations: [{ content: 'Launch' }] }, save: { id: '/annotations/0' } },
    { ...step, path: '/api/projects/1/annotations/{id}/', expect: { status: 404 }, title: 'gone' },
    { ...step, method: 'PATCH', body: { content: 'Lunch' } },
  ]
  const story = temporaryFile(JSON.stringify({ title: 'A story', steps }))
  const good = temporaryFile(JSON.stringify({ title: 'Another', steps: [step] }))

  const held = await run(['replay', good, '--bundle', bundle])
  expect([held.code, existsSync(bundle)]).toEqual([0, false])
  const { code, stderr } = await run(['replay', good, story, '--bundle', bundle])

  expect([code, stderr]).toEqual([
    1,
    `${bundle}: 2 requests, with what they were answered. Replay: understudy replay ${bundle}\n`,
  ])
  expect(requests(bundle)).toMatchObject([
    { title: 'gone', path: '/api/projects/1/annotations/9/', expect: { status: 200 } },
    { body: { content: 'Lunch' }, expect: { status: 200 } },
  ])
  expect((await replayed(bundle)).code).toBe(0)
  writeFileSync(bundle, readFileSync(bundle, 'utf8').replace('"Lunch"', '"Dinner"'))
  expect((await replayed(bundle)).code).toBe(1)
})
