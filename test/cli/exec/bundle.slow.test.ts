import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ReplayResult } from '../../../src/index.ts'
import {
  bundlePath,
  nodeClient,
  readBundle,
  replayBundle,
  requestSteps,
} from '../../support/cli/bundles.ts'
import { run } from '../../support/cli/command.ts'
import { runProcess } from '../../support/cli/process.ts'
import { temporaryFile } from '../../support/files.ts'

test('the bundle of a failing run replays in another process with the same responses, byte for byte', async () => {
  const [bundle, out] = [bundlePath(), temporaryFile('')]

  const result = await runProcess([
    ...['exec', '--fault', 'flaky', '--seed', '7', '--bundle', bundle],
    ...nodeClient(
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
  const again = await replayBundle(bundle)

  expect(result).toEqual({
    code: 3,
    stdout: '',
    stderr: expect.stringMatching(
      /^The last 10 requests to the simulator:\n.*\nWrote 38 requests with responses to \S+ Replay them with: npx understudy-api replay \S+ Write a test of them with: npx understudy-api import \S+ --as vitest\n$/s,
    ),
  })
  const responses = JSON.parse(readFileSync(out, 'utf8'))
  expect(again.code).toBe(0)
  expect([...again.answers.slice(0, 7), again.answers.at(-1)]).toEqual(responses)
})

test('a bundle has the calls of the control API between the requests', async () => {
  const [bundle, out] = [bundlePath(), temporaryFile('')]

  const { code, stderr } = await runProcess([
    ...['exec', '--bundle', bundle],
    ...nodeClient(
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
      await steer('PATCH', '/world/annotations/1', { content: 'Changed by hand' })
      await ask('GET', list)
      await steer('DELETE', '/world/annotations/1')
      await ask('GET', list)`,
      out,
    ),
  ])
  const again = await replayBundle(bundle)

  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^Wrote 11 requests with responses to [^\n]+\n$/),
  ])
  expect(again).toEqual({ code: 0, answers: JSON.parse(readFileSync(out, 'utf8')) })
  const kinds = readBundle(bundle).steps.map((step) => Object.keys(step)[0])
  expect(kinds.filter((kind) => !['as', 'method', 'clock'].includes(kind as string))).toEqual([
    ...['rows', 'snapshot', 'fault', 'remove', 'actor', 'clear', 'policies', 'restore'],
    ...['rows', 'revoke', 'world', 'reset', 'update', 'delete'],
  ])
})

test('a bundle repeats a reset to the flags', async () => {
  const bundle = bundlePath()
  const out = temporaryFile('')

  await runProcess([
    ...[
      'exec',
      '--bundle',
      bundle,
      '--fault',
      '{"operation":"listAnnotations","when":{"times":1},"effect":{"status":503}}',
    ],
    ...['--policy', 'annotations.delete.status=404', '--clock', '2024-06-15T12:00:00Z'],
    ...nodeClient(
      `const all = async () => { await ask('GET', list); await ask('GET', list); await ask('DELETE', list + '1/'); await ask('POST', list, '{}') }
      await all()
      await steer('PATCH', '/policies', { 'annotations.delete.status': '405' })
      await steer('POST', '/clock/advance', { hours: 1 })
      const [{ id }] = await steer('POST', '/faults', { operation: 'createAnnotation', effect: { status: 500 } })
      await all()
      await steer('POST', '/reset')
      await all()
      const [{ id: later }] = await steer('POST', '/faults', { operation: 'createAnnotation', effect: { status: 500 } })
      await steer('DELETE', '/faults/' + later)
      await steer('POST', '/reset', { only: ['rows'] })
      await all()`,
      out,
    ),
  ])
  const again = await replayBundle(bundle)

  expect(again).toEqual({ code: 0, answers: JSON.parse(readFileSync(out, 'utf8')) })
  const kinds = readBundle(bundle).steps.map((step) => Object.keys(step)[0])
  expect(kinds.filter((kind) => !['as', 'method', 'clock'].includes(kind as string))).toEqual([
    ...['fault', 'policies', 'fault', 'reset', 'fault', 'fault', 'remove', 'reset'],
  ])
})

test('a bundle has more requests than the journal keeps', async () => {
  const bundle = bundlePath()

  await runProcess([
    ...['exec', '--bundle', bundle],
    ...nodeClient(
      `for (let n = 0; n < 1_200; n++) await ask('POST', list, '{"content":"Row ' + n + '"}')`,
    ),
  ])

  const bodies = requestSteps(bundle).map(({ body }) => (body as { content: string }).content)
  expect(bodies).toEqual(Array.from({ length: 1_200 }, (_, n) => `Row ${n}`))
  expect((await replayBundle(bundle)).code).toBe(0)
})

test('an edited bundle fails at the edited step', async () => {
  const bundle = bundlePath()
  const program = `await ask('GET', list + '1/'); await ask('POST', list, '{"content":"Launch"}'); await ask('GET', list + '3/')`
  await runProcess([
    'exec',
    '--clock',
    '2024-06-15T12:00:00Z',
    '--bundle',
    bundle,
    ...nodeClient(program),
  ])
  const text = readFileSync(bundle, 'utf8')
  const differing = async (from: string | RegExp, to: string): Promise<unknown> => {
    const edited = text.replace(from, to)
    expect(edited).not.toBe(text)
    const path = temporaryFile(edited)
    const { code, stdout } = await run(['replay', path, '--report', 'json'])
    const [{ result }] = JSON.parse(stdout) as [{ result: ReplayResult }]
    const first = result.steps.find(({ outcome }) => outcome !== 'passed')
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

test('the bundle of a failed replay has the exact responses', async () => {
  const bundle = bundlePath()
  const step = { as: 'all', method: 'GET', path: '/api/projects/1/annotations/1/' }
  const steps = [
    { rows: { annotations: [{ content: 'Launch' }] }, save: { id: '/annotations/0' } },
    { ...step, path: '/api/projects/1/annotations/{id}/', expect: { status: 404 }, title: 'gone' },
    { ...step, method: 'PATCH', body: { content: 'Lunch' } },
  ]
  const story = temporaryFile(JSON.stringify({ title: 'A story', steps }))
  const good = temporaryFile(JSON.stringify({ title: 'Another', steps: [step] }))

  const passed = await run(['replay', good, '--bundle', bundle])
  expect([passed.code, existsSync(bundle)]).toEqual([0, false])
  const { code, stderr } = await run(['replay', good, story, '--bundle', bundle])

  expect([code, stderr]).toEqual([
    1,
    `Wrote 2 requests with responses to ${bundle}. Replay them with: npx understudy-api replay ${bundle}. Write a test of them with: npx understudy-api import ${bundle} --as vitest\n`,
  ])
  expect(requestSteps(bundle)).toMatchObject([
    { title: 'gone', path: '/api/projects/1/annotations/9/', expect: { status: 200 } },
    { body: { content: 'Lunch' }, expect: { status: 200 } },
  ])
  expect((await replayBundle(bundle)).code).toBe(0)
  writeFileSync(bundle, readFileSync(bundle, 'utf8').replace('"Lunch"', '"Dinner"'))
  expect((await replayBundle(bundle)).code).toBe(1)
})
