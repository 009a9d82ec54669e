import { expect, test } from 'vitest'
import { run } from '../../support/cli/command.ts'
import { withoutTimes } from '../../support/cli/output.ts'
import { startServe } from '../../support/cli/serve.ts'
import { temporaryFile } from '../../support/files.ts'
import { startService } from '../../support/forwarding.ts'

const list = '/api/projects/1/annotations/'
const headers = { authorization: 'Bearer phx_all' }
const read = { title: 'read it', as: 'all', method: 'GET', path: `${list}1/` }
const story = {
  title: 'A story',
  world: 'odd',
  steps: [
    { advance: { hours: 1 } },
    { ...read, expect: { status: 200, body: { content: 'As recorded' } } },
    { ...read, title: 'read another', path: `${list}2/` },
  ],
}
const file = (content: object | string): string => temporaryFile(content)

test('serve responds from a recording, and logs other requests', async () => {
  const { url, printed, stop } = await startServe(['--recording', file(story), '--only-recorded'])

  const responses = [
    await fetch(`${url}${list}1/`, { headers }),
    await fetch(`${url}${list}1/?x=1`, { headers }),
    await fetch(`${url}/api/nowhere`),
  ]
  const progress = await (await fetch(`${url}/__admin/playback`)).json()
  const { code, stderr } = await stop('SIGTERM')

  expect(responses.map(({ status }) => status)).toEqual([200, 500, 500])
  expect(await responses[0]?.json()).toMatchObject({ id: 1, content: 'As recorded' })
  expect(printed().stdout).toContain('is serving recording "A story" (2 requests).\n')
  expect(progress).toMatchObject({
    title: 'A story',
    requests: [
      { step: 2, count: 1 },
      { step: 3, count: 0 },
    ],
    unused: [{ step: 3, title: 'read another', method: 'GET', path: `${list}2/`, count: 0 }],
    unexpected: [{ method: 'GET', path: `${list}1/?x=1` }, { path: '/api/nowhere' }],
  })
  expect([code, withoutTimes(stderr)]).toEqual([
    0,
    `200 GET ${list}1/, all\n` +
      `500 GET ${list}1/?x=1, all – not recorded; nearest: step 2, read it (query.x: expected nothing, got "1")\n` +
      '500 GET /api/nowhere – not recorded; nearest: step 2, read it ' +
      `(path: expected ${list.slice(0, -1)}/1, got /api/nowhere; key: expected all, got no key)\n` +
      '1 of 2 recorded requests not used: step 3, read another\n',
  ])
})

test.each([
  ['of the recording', [], 'odd'],
  ['of --world', ['--world', 'odd'], undefined],
] as const)('other requests are simulated in the world %s', async (_, flags, world) => {
  const variables = { UNDERSTUDY_RECORDING: file({ ...story, world }) }
  const { url, stop } = await startServe(['--quiet', ...flags], variables)

  const recorded = await (await fetch(`${url}${list}1/`, { headers })).json()
  const simulated = await (await fetch(`${url}${list}1/`, { headers })).json()
  const { count } = await (await fetch(url + list, { headers })).json()
  const rewound = await fetch(`${url}/__admin/playback/rewind`, { method: 'POST' })
  const again = await (await fetch(`${url}${list}1/`, { headers })).json()
  const { stderr } = await stop('SIGTERM')

  expect(recorded).toEqual({ ...simulated, content: 'As recorded' })
  expect([count, rewound.status, again.content, stderr]).toEqual([46, 204, 'As recorded', ''])
})

test('a request that is not recorded marks no later one of the same path, and other paths are forwarded', async () => {
  const create = { as: 'all', method: 'POST', path: list, body: { content: 'a' } }
  const created = { ...create, expect: { status: 201, body: { id: 9 } } }
  const recording = { ...story, steps: [created, ...Array(6).fill(read)] }
  const { origin } = await startService()
  const { url, stop } = await startServe(['--recording', file(recording), '--forward', origin])
  const send = (content: string) =>
    fetch(`${url}${list}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ content }),
    })

  await send('b')
  await send('a')
  const forwarded = await (await fetch(`${url}/app/`)).text()
  const { stderr } = await stop('SIGTERM')

  expect(forwarded).toBe('from the service')
  expect(stderr).toMatch(
    /6 of 7 recorded requests not used: (step [2-6], read it; ){5}and 1 more\n$/,
  )
  expect(withoutTimes(stderr).match(/^201 POST.*?(?=;|$)/gm)).toEqual([
    expect.stringContaining('not recorded'),
    `201 POST ${list}, all`,
  ])
})

const badUses: readonly [name: string, args: () => string[], message: RegExp][] = [
  [
    'a state file',
    () => ['--recording', file(story), '--state', 'state.json'],
    /^--state and --recording cannot be used together\.$/,
  ],
  [
    'another world',
    () => ['--recording', file(story), '--fault', 'flaky', '--world', 'empty'],
    /^--world has no effect, because the recording has its own world\.$/,
  ],
  [
    'faults without a simulation',
    () => ['--recording', file(story), '--only-recorded', '--fault', 'flaky'],
    /^--fault has no effect with --only-recorded, which answers from the recording alone\./,
  ],
  [
    'no requests',
    () => ['--recording', file({ ...story, steps: [{ advance: { hours: 1 } }] })],
    /: Failed to play back .*request/,
  ],
]

test.each(badUses)('%s ends with 2, and the message says why', async (_name, args, message) => {
  const { code, stdout, stderr } = await run(['serve', '--port', '0', ...args()])

  expect([code, stdout]).toEqual([2, ''])
  expect(stderr.trimEnd()).toMatch(message)
  expect(stderr).not.toContain('\n\n')
})
