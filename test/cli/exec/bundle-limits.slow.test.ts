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

test('a bundle has no foreign keys, and no headers that the API ignores', async () => {
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

test('a bundle and the command say what the bundle cannot reproduce', async () => {
  const bundle = bundlePath()
  const late = { operation: 'createAnnotation', when: { times: 1 }, effect: { delay_ms: 400 } }

  const { stderr } = await runProcess([
    ...['exec', '--clock', '2024-06-15T12:00:00Z', '--bundle', bundle],
    ...['--fault', JSON.stringify({ ...late, phase: 'after-commit' })],
    ...nodeClient(`
      const late = ask('POST', list, '{"content":"Late"}')
      // The first request is applied, and waits for its response.
      for (let applied = 0; applied === 0; ) [{ applied }] = await steer('GET', '/faults')
      await ask('POST', list, '{"content":"Early"}')
      await late
      await steer('POST', '/sandboxes', {})`),
  ])

  const notes = [
    expect.stringMatching(/^The bundle does not contain a sandbox.*\.$/),
    'Replayed one after another, 2 of 3 steps get other responses (2, 3). They ran at the same time as others, or depend on something that is not in the bundle.',
  ]
  const lines = stderr.split('\n').slice(1, 3)
  expect(lines.map((line) => line.slice(`${bundle}: `.length))).toEqual(notes)
  const { description = '' } = readBundle(bundle)
  expect(description).toMatch(
    /^Requests: 2\. Changes: 1\. In the order in which they ran\. The bundle /,
  )
  expect(description.endsWith(String(notes[1]))).toBe(true)
})

test('a run removes the partial files of killed runs', async () => {
  const bundle = bundlePath()
  const [leftover, ownFile] = [`${bundle}.999999999.part`, `${bundle}.${process.pid}.part`]
  for (const part of [leftover, ownFile]) writeFileSync(part, '{')
  onTestFinished(() => rmSync(ownFile))

  const { code } = await runProcess(['exec', '--bundle', bundle, '--', process.execPath, '-e', ''])

  expect([code, existsSync(leftover), existsSync(ownFile)]).toEqual([0, false, true])
})

test('without requests, no bundle is written', async () => {
  const folder = temporaryFolder()
  const bundle = `${folder}/run.json`

  const { code, stderr } = await runProcess([
    'exec',
    '--bundle',
    bundle,
    ...nodeClient('process.exit(1)'),
  ])

  expect([code, stderr, readdirSync(folder)]).toEqual([
    1,
    `The command sent no request to the API at UNDERSTUDY_URL. Tests with simulators of their own do not need exec. If a setupServer refuses the requests (onUnhandledRequest: 'error'), let them pass: http.all(process.env.UNDERSTUDY_URL + '/*', () => passthrough()).
${bundle} was not written, because there were no requests.
`,
    [],
  ])
})

test('if the bundle cannot be written, the command does not run', async () => {
  const touched = `${temporaryFolder()}/touched`

  expect(
    await runProcess(['exec', '--bundle', '/nowhere/run.json', '--', 'touch', touched]),
  ).toEqual({
    code: 2,
    stdout: '',
    stderr:
      '--bundle names /nowhere/run.json, but the folder /nowhere does not exist. Create the folder, or choose another file.\n',
  })
  expect(existsSync(touched)).toBe(false)
})
