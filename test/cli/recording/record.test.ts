import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findScenarioIssues } from '../../../src/scenarios/format/check-scenario.ts'
import { run } from '../../support/cli/command.ts'
import { withoutTimes } from '../../support/cli/output.ts'
import { startRecord } from '../../support/cli/record.ts'
import { startServe } from '../../support/cli/serve.ts'
import { temporaryFolder as folder } from '../../support/files.ts'
import { root } from '../../support/root.ts'

const annotations = '/api/projects/1/annotations/'

/** Asks with the key that may do everything, or another one. */
async function ask(url: string, method = 'GET', body?: unknown, key = 'phx_all'): Promise<string> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return response.text()
}

test('what a client asks is written, replays in the same profile, and differs by policy in the other', async () => {
  const out = join(folder(), 'story.json')
  const { url: target } = await startServe(['--profile', 'live', '--clock', '2024-06-15T12:00:00Z'])
  const { url, stop } = await startRecord(
    target,
    '--out',
    out,
    '--title',
    'Seen live',
    '--world',
    'default',
  )

  const { id } = JSON.parse(await ask(url + annotations, 'POST', { content: 'Launch' }))
  const { next } = JSON.parse(await ask(`${url}${annotations}?limit=1`))
  await ask(next)
  await ask(`${url}${annotations}${id}/`, 'DELETE')
  const { code, stdout, stderr } = await stop('SIGINT')

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(withoutTimes(stdout)).toContain(`201 POST ${annotations}, all\n`)
  expect(stdout).toContain(`${out} holds 4 requests.`)
  const scenario = JSON.parse(readFileSync(out, 'utf8'))
  expect(findScenarioIssues(scenario)).toEqual([])
  expect(scenario).toMatchObject({
    title: 'Seen live',
    world: 'default',
    profile: 'live',
    clock: '2024-06-15T12:00:00Z',
    steps: [
      { as: 'all', method: 'POST', path: annotations, save: { annotation_id: '/id' } },
      { as: 'all', path: annotations, query: { limit: 1 }, save: { next: '/next' } },
      { as: 'all', path: '{next}' },
      { as: 'all', method: 'DELETE', path: `${annotations}{annotation_id}/` },
    ],
  })
  expect(await run(['replay', out])).toMatchObject({ code: 0 })
  const other = await run(['replay', out, '--profile', 'documented'])
  expect(other).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/decided .*annotations\.delete\.status = 405/),
  })
})

test('the archive that was recorded beside the scenario is imported, and replays as well', async () => {
  const place = folder()
  const [out, har, story] = ['r.json', 'r.har', 's.json'].map((name) => join(place, name))
  const { url: target } = await startServe()
  const { url, stop } = await startRecord(target, '--out', String(out), '--har', String(har))
  await ask(`${url}/api/projects/`)
  await ask(url + annotations, 'POST', { content: 'Launch' })
  await stop('SIGINT')

  const imported = await run(['import', String(har), '--out', String(story)])
  const replayed = await run(['replay', String(story)])

  expect([imported.code, replayed.code, replayed.stdout]).toEqual([
    0,
    0,
    expect.stringContaining('2 of 2 steps as expected'),
  ])
})

test('no key, address or name of a person is in anything that it writes', async () => {
  const place = folder()
  const [out, har] = [join(place, 'story.json'), join(place, 'traffic.har')]
  const { url: target } = await startServe()
  const { url, stop } = await startRecord(target, '--out', out, '--har', har)

  await ask(url + annotations, 'POST', {
    content: 'Ask canary@corp.test, phx_canary0123456789abcdef',
  })
  await ask(`${url}${annotations}?search=canary%40corp.test&personal_api_key=phx_canary_in_query`)
  await ask(url + annotations, 'GET', undefined, 'phx_canary_wrong')
  await ask(`${url}/api/canary@corp.test/?token=canary-token`)
  await fetch(`${url}/api/`, {
    headers: { cookie: 'session=canary-session', 'x-api-key': 'canary-key' },
  })
  const { stdout, stderr } = await stop('SIGINT')

  const written = [readFileSync(out, 'utf8'), readFileSync(har, 'utf8'), stdout, stderr]
  const { users, keys } = JSON.parse(readFileSync(`${root}fixtures/default.json`, 'utf8'))
  const canaries = [
    'canary',
    ...keys.map(({ value }: { value: string }) => value),
    ...users.flatMap((user: Record<string, string>) => [
      user.email,
      user.first_name,
      user.last_name,
    ]),
  ].filter(Boolean)
  for (const text of written) {
    for (const canary of canaries) expect(text).not.toContain(canary)
  }
  expect(written[0]).toContain('replaced-email-1@example.com')
})

test('with --keep all stays as it is but for keys, which go by their labels', async () => {
  const out = join(folder(), 'story.json')
  const { url: target } = await startServe()
  const { url, stop } = await startRecord(target, '--out', out, '--keep', '--key', 'mine=phx_all')

  await ask(url + annotations, 'POST', { content: 'Ask canary@corp.test' })
  await stop('SIGINT')

  const [step] = JSON.parse(readFileSync(out, 'utf8')).steps
  expect(step).toMatchObject({
    as: 'mine',
    body: { content: 'Ask canary@corp.test' },
    expect: { exact_body: { created_by: { first_name: 'Ada' } } },
  })
})

test('where nothing answers it ends with 4, and with bad use with 2', async () => {
  const place = folder()
  mkdirSync(join(place, 'folder'))
  writeFileSync(join(place, 'file'), '')
  const { url: target } = await startServe()
  const out = join(place, 'story.json')

  const cases = [
    [
      4,
      ['--target', 'http://127.0.0.1:9', '--out', out],
      'got nothing that listens there (ECONNREFUSED)',
    ],
    [
      4,
      ['--target', target.replace('http', 'https'), '--out', out],
      'got a TLS connection that fails',
    ],
    [2, ['--target', 'ftp://example.com', '--out', out], 'expected an address without a query'],
    [
      2,
      ['--target', target, '--out', join(place, 'folder')],
      'expected a file that can be written',
    ],
    [2, ['--target', target, '--out', join(place, 'file', 'x')], '(ENOTDIR)'],
    [2, ['--target', target, '--out', join(place, 'nowhere', 'x')], '(ENOENT)'],
    [2, ['--target', target, '--out', out, '--har', join(place, 'nowhere', 'x')], '(ENOENT)'],
    [2, ['--target', target], "required option '--out <file>' not specified"],
    [3, ['--target', target, '--out', out, '--port', new URL(target).port], 'expected a free port'],
  ] as const
  for (const [code, args, message] of cases) {
    const ended = await run(['record', ...args])
    expect(ended).toMatchObject({ code, stderr: expect.stringContaining(message) })
  }
  expect(readdirSync(place).sort()).toEqual(['file', 'folder'])
})

test('files that are none of ours stay as they are, unless they are told to make way', async () => {
  const { url: target } = await startServe()
  const [out, har] = [join(folder(), 'world.json'), join(folder(), 'other.har')]
  writeFileSync(out, '{"annotations":[]}')
  writeFileSync(har, '{"log":{"version":"1.2","creator":{"name":"WebInspector","version":"1"}}}')
  const fresh = join(folder(), 'story.json')

  const byScenario = await run(['record', '--target', target, '--out', out])
  const byArchive = await run(['record', '--target', target, '--out', fresh, '--har', har])
  const forced = await startRecord(target, '--out', out, '--har', har, '--force')
  await ask(forced.url + annotations)
  await forced.stop('SIGINT')
  const again = await startRecord(target, '--out', out, '--har', har)
  await again.stop('SIGINT')

  expect([byScenario.code, byArchive.code]).toEqual([2, 2])
  expect(byScenario.stderr).toContain(
    `Failed to write ${out}: expected no file there, or a scenario`,
  )
  expect(byArchive.stderr).toContain(
    `Failed to write ${har}: expected no file there, or an archive of ours`,
  )
  expect(JSON.parse(readFileSync(out, 'utf8')).steps).toHaveLength(1)
})
