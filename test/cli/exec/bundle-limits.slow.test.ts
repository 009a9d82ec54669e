import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import {
  bundlePath,
  nodeClient,
  readBundle,
  replayBundle,
  requestSteps,
} from '../../support/cli/bundles.ts'
import { runProcess } from '../../support/cli/process.ts'
import { temporaryFolder } from '../../support/files.ts'

test('nothing is in it that nobody needs: no key of somebody else, no header of the way', async () => {
  const bundle = bundlePath()
  const secret = 'phx_canary0123456789abcdef'

  await runProcess([
    ...['exec', '--profile', 'live', '--bundle', bundle],
    ...nodeClient(`
      await ask('GET', list, null, { authorization: 'Bearer ${secret}', cookie: 'a=${secret}', 'x-api-key': '${secret}' })
      await ask('GET', list + '?personal_api_key=${secret}', null, { authorization: '' })
      await ask('POST', list, '{"personal_api_key":"${secret}"}', { authorization: '' })
      await ask('POST', list, '{"personal_api_key":"phx_all","content":"Launch"}', { authorization: '' })`),
  ])

  expect(readFileSync(bundle, 'utf8')).not.toContain('canary')
  expect(requestSteps(bundle).map(({ expect: { status } = {} }) => status)).toEqual([
    401, 401, 401, 201,
  ])
  expect((await replayBundle(bundle)).code).toBe(0)
})

test('what a bundle cannot carry it says, and so does the command', async () => {
  const bundle = bundlePath()
  const late = { operation: 'createAnnotation', when: { times: 1 }, effect: { delay_ms: 400 } }

  const { stderr } = await runProcess([
    ...['exec', '--clock', '2024-06-15T12:00:00Z', '--bundle', bundle],
    ...['--fault', JSON.stringify({ ...late, phase: 'after-commit' })],
    ...nodeClient(`
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
  expect(readBundle(bundle).description).toBe(
    `Requests: 2. Changes: 1. In the order in which they were carried out. ${said.join(' ')}`,
  )
})

test('what a killed run has left beside its bundle goes with the next one', async () => {
  const bundle = bundlePath()
  const [left, own] = [`${bundle}.999999999.part`, `${bundle}.${process.pid}.part`]
  for (const part of [left, own]) writeFileSync(part, '{')
  onTestFinished(() => rmSync(own))

  const { code } = await runProcess(['exec', '--bundle', bundle, '--', process.execPath, '-e', ''])

  expect([code, existsSync(left), existsSync(own)]).toEqual([0, false, true])
})

test('where nothing is asked, nothing is written', async () => {
  const folder = temporaryFolder()
  const bundle = `${folder}/run.json`

  const { code, stderr } = await runProcess([
    'exec',
    '--bundle',
    bundle,
    ...nodeClient('process.exit(1)'),
  ])

  expect([code, stderr, readdirSync(folder)]).toEqual([
    ...[1, `${bundle}: nothing was asked, and so no bundle was written.\n`],
    [],
  ])
})

test('where it cannot be written, the command is not run', async () => {
  const touched = `${temporaryFolder()}/touched`

  expect(
    await runProcess(['exec', '--bundle', '/nowhere/run.json', '--', 'touch', touched]),
  ).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'Failed to write the bundle /nowhere/run.json: expected a file in a folder that can be written, got ENOENT.\n',
  })
  expect(existsSync(touched)).toBe(false)
})
