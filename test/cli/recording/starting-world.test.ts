import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connect, createSimulator } from '../../../src/index.ts'
import { listen } from '../../../src/node.ts'
import { findScenarioIssues } from '../../../src/scenarios/format/check-scenario.ts'
import { run } from '../../support/cli/command.ts'
import { startRecord } from '../../support/cli/record.ts'
import { startServe } from '../../support/cli/serve.ts'
import { temporaryFolder } from '../../support/files.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { Client } from '../../support/lanes/client.ts'
import { createPage, createRow } from '../../support/scenarios/traffic.ts'

const annotations = '/api/projects/1/annotations/'

/** Records a list of annotations. Returns the file, the scenario and the output. */
async function recordList(target: string, ...flags: string[]) {
  const out = join(temporaryFolder(), 'story.json')
  const { url, stop } = await startRecord(target, '--out', out, ...flags)
  await new Client(url).ask('GET', annotations)
  const { stdout, stderr } = await stop('SIGINT')
  const scenario = JSON.parse(readFileSync(out, 'utf8'))
  expect(findScenarioIssues(scenario)).toEqual([])
  return { out, scenario, stdout, stderr }
}

test('the recording of an Understudy server names the fixture that it serves', async () => {
  const { url } = await startServe(['--data', 'odd'])
  const { remote, keys } = await connect(url).sandboxes.create({ from: 'empty' })

  const { scenario, stdout, out } = await recordList(url)

  expect(scenario.world).toBe('odd')
  expect(stdout).not.toContain('starting world')
  expect(await run(['replay', out])).toMatchObject({ code: 0 })
  expect((await recordList(remote.url)).scenario.world).toBe('empty')
  expect(keys.length).toBeGreaterThan(0)
})

test('the rows of a changed world are recorded, with neither keys nor personal data', async () => {
  const { url } = await startServe()
  const remote = connect(url)
  await remote.world.update('users', 1, { first_name: 'Grace', email: 'grace@canary.test' })
  await remote.world.add({ annotations: [{ content: 'Ask grace@canary.test' }] })
  const unlabelled = await remote.keys.issue()
  const out = join(temporaryFolder(), 'story.json')
  const recording = await startRecord(url, '--out', out)
  const { ask } = new Client(recording.url)
  await ask('GET', annotations)
  await ask('GET', annotations, { key: unlabelled })
  expect(await recording.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' })

  const text = readFileSync(out, 'utf8')
  for (const canary of ['Grace', 'grace@', 'phx_', 'phc_']) expect(text).not.toContain(canary)
  expect(findScenarioIssues(JSON.parse(text))).toEqual([])
  expect(text.split('\n').filter((line) => line.includes('Ask replaced-email')).length).toBe(3)
  await remote.reset()
  expect(await run(['replay', out])).toMatchObject({ code: 0 })
  expect(await run(['replay', out, '--target', url])).toMatchObject({ code: 0 })
})

test('a recording of another service has the world that its responses show', async () => {
  const row = createRow(4, 'Launch')
  const url = await startHttpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(createPage(row)))
  })

  const { scenario, stdout } = await recordList(url)

  expect(scenario).toMatchObject({
    world: { annotations: [{ id: 4, content: 'Launch', project: 1 }], keys: [{ label: 'key-1' }] },
    steps: [{ as: 'key-1', path: '/api/projects/1/annotations/' }],
  })
  expect(stdout).toMatch(
    /story\.json\.\nThe world before the first request was derived from the responses\. If the target started with a fixture, name it with --world\.\n$/,
  )
})

test('record says why an Understudy server does not show its world', async () => {
  const server = await listen(createSimulator(), { token: 'secret' })

  const { scenario, stderr } = await recordList(server.url)
  await server.close()

  expect(scenario.world).toMatchObject({ annotations: expect.any(Array) })
  expect(stderr).toContain(
    'The recording lacks the keys and the world of the target. Pass its token with --token.\n',
  )
})
