import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { RequestStep } from '../../../src/index.ts'
import { Hider } from '../../../src/scenarios/recording/hide.ts'
import { annotationsPath as annotations } from '../../support/api/paths.ts'
import { run } from '../../support/cli/command.ts'
import { withoutTimes } from '../../support/cli/output.ts'
import { startRecord } from '../../support/cli/record.ts'
import { startServe } from '../../support/cli/serve.ts'
import { temporaryFolder } from '../../support/files.ts'
import { freePort } from '../../support/free-port.ts'
import { scenarioIssues } from '../../support/scenarios/story.ts'
import { Client } from '../../support/transports/client.ts'

test('a recording has the world and the settings that its responses show, and replays', async () => {
  const out = join(temporaryFolder(), 'story.json')
  const settings = { 'annotations.delete.status': '404' }
  const flags = ['--profile', 'live', '--set', 'annotations.delete.status=404']
  const { url: target } = await startServe(flags)
  const { url, stop } = await startRecord(target, '--out', out, '--title', 'Seen live')
  const { ask } = new Client(url)

  const { body: created } = await ask('POST', annotations, { body: { content: 'Launch' } })
  await ask('DELETE', `${annotations}${(created as { id: number }).id}/`)
  const { code, stdout, stderr } = await stop('SIGINT')

  expect([code, withoutTimes(stderr).split('\n')]).toEqual([
    0,
    [`201 POST ${annotations}`, `404 DELETE ${annotations}9/`, ''],
  ])
  expect(stdout.split('\n').slice(2)).toEqual([
    `Recorded 2 requests to ${out}.`,
    'The world before the first request was derived from the responses.',
    '',
  ])
  const scenario = JSON.parse(readFileSync(out, 'utf8'))
  expect(scenarioIssues(scenario)).toEqual([])
  expect(scenario).toMatchObject({
    title: 'Seen live',
    settings,
    world: { next_ids: { annotations: 9 } },
    steps: [
      { as: 'all', method: 'POST', path: annotations },
      { as: 'all', method: 'DELETE', path: `${annotations}9/` },
    ],
  })
  expect(await run(['replay', out])).toMatchObject({ code: 0 })
})

test('a recording with --keep has personal data, and nowhere a key', async () => {
  const out = join(temporaryFolder(), 'story.json')
  const { url: target } = await startServe()
  const flags = ['--keep', '--key', 'all=phx_all', '--har', `${out}.har`]
  const { url, stop } = await startRecord(target, '--out', out, ...flags)
  const body = { content: 'Ask canary@corp.test' }

  await new Client(url).ask('POST', `${annotations}?by=ada@corp.test&token=phx_all`, { body })
  const { stderr } = await stop('SIGINT')

  expect(stderr).toContain('?by=ada@corp.test&token=replaced-key-1 ')
  expect(readFileSync(`${out}.har`, 'utf8')).toMatch(/^(?!.*phx_all).*"Bearer replaced-key-1"/)
  expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({
    steps: [{ as: 'all', body, expect: { exact_body: { created_by: { first_name: 'Ada' } } } }],
  })
  expect(await run(['replay', out])).toMatchObject({ code: 0 })
})

test('record exits with 1 if recording a request failed, and the other requests are recorded', async () => {
  const out = join(temporaryFolder(), 'story.json')
  const { url: target } = await startServe()
  const { url, stop } = await startRecord(target, '--out', out)
  const { ask } = new Client(url)
  vi.spyOn(Hider.prototype, 'collect').mockImplementationOnce(() => {
    throw new SyntaxError('phx_all')
  })

  const statuses = [await ask('GET', annotations), await ask('GET', `${annotations}1/`)]
  const { code, stdout, stderr } = await stop('SIGINT')

  expect([code, statuses.map(({ status }) => status)]).toEqual([1, [200, 200]])
  expect(stderr).toContain('GET /api/projects/:project_id/annotations is not recorded: ')
  expect(stdout).toContain(`Recorded 1 request to ${out}.`)
  expect(stdout + stderr).not.toContain('phx_all')
})

test('record --quiet logs no request, but prints warnings', async () => {
  const { url: target } = await startServe()
  const flags = [
    '--out',
    join(temporaryFolder(), 'story.json'),
    '--quiet',
    '--key',
    'mine=phx_mine',
  ]
  const { url, stop } = await startRecord(target, ...flags)

  await fetch(url + annotations, { method: 'POST', body: 'text' })

  expect((await stop('SIGINT')).stderr).toMatch(/^No .* key mine of --key\.\nA body is .*\n$/)
})

test('requests outside the API are left out and counted, as import does', async () => {
  const folder = temporaryFolder()
  const [out, har] = [join(folder, 'story.json'), join(folder, 'traffic.har')]
  const { url: target } = await startServe()
  const { url, stop } = await startRecord(`${target}//`, '--out', out, '--har', har)

  for (const path of ['/', '/', '/__admin/health', '/apis/']) await fetch(url + path)
  await new Client(url).ask('GET', annotations)
  await fetch(`${url}/api/anotations/`)
  const { stdout, stderr } = await stop('SIGINT')
  const idle = await startRecord(target, '--out', join(folder, 'idle.json'))
  await fetch(idle.url)

  expect(withoutTimes(stderr)).toBe(`200 GET ${annotations}\n`)
  expect(stdout.split('\n').slice(1)).toEqual([
    `Writing requests to ${out} and ${har}. Press Ctrl-C to stop.`,
    `Recorded 1 request to ${out}; left out: 5 to other URLs.`,
    expect.stringContaining('derived from the responses'),
    '',
  ])
  expect((await idle.stop('SIGINT')).stdout).toContain(
    `No requests were recorded; left out: 1 to other URLs. ${join(folder, 'idle.json')} was not written.\n`,
  )
  const paths = JSON.parse(readFileSync(out, 'utf8')).steps.map(({ path }: RequestStep) => path)
  expect(paths).toEqual([annotations])
  expect(JSON.parse(readFileSync(har, 'utf8')).log.entries).toHaveLength(1)
  expect(await run(['replay', out])).toMatchObject({ code: 0 })
})

test('record exits with 4 if the target does not respond, with 3 for a taken port', async () => {
  const folder = temporaryFolder()
  const { url: target } = await startServe()
  const out = join(folder, 'story.json')
  const closed = `http://127.0.0.1:${await freePort()}`

  const cases = [
    [4, ['--target', closed, '--out', out], 'got no response (ECONNREFUSED)'],
    [4, ['--target', target.replace('http', 'https'), '--out', out], 'got no response (ERR_SSL'],
    [3, ['--target', target, '--out', out, '--port', new URL(target).port], 'is already in use'],
  ] as const
  for (const [code, args, message] of cases) {
    expect.soft(await run(['record', ...args])).toMatchObject({
      code,
      stderr: expect.stringContaining(message),
    })
  }
  expect(readdirSync(folder)).toEqual([])
})
