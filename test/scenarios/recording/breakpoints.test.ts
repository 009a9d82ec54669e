import { expect, test } from 'vitest'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/lanes/start.ts'

test('a request that was answered by hand is recorded with a fault, and replays', async () => {
  const { ask, simulator } = await start()
  const next = simulator.breakpoints.next({ operation: 'createAnnotation' })

  const pending = ask('POST', annotationsPath, { body: { content: 'Launch' } })
  ;(await next).fulfill({ status: 503, body: { detail: 'Down.' } })
  await pending
  await ask('POST', annotationsPath, { body: { content: 'Launch' } })
  const { scenario, warnings } = simulator.record({ title: 'Answered by hand' })

  expect(warnings).toEqual([])
  expect(scenario.steps).toMatchObject([
    {
      fault: {
        when: { times: 1 },
        phase: 'before',
        effect: { status: 503, body: { detail: 'Down.' } },
      },
    },
    { method: 'POST', expect: { status: 503 } },
    { method: 'POST', expect: { status: 201 } },
  ])
  expect(await simulator.replay(scenario)).toMatchObject({ passed: true })
})

test.each([
  { keep: false, session: 'replaced-secret-1', link: 'replaced-secret-2' },
  { keep: true, session: '...', link: '...' },
])(
  'a response by hand keeps its headers, with hidden secrets (keep: $keep)',
  async ({ keep, session, link }) => {
    const { ask, origin, simulator } = await start()
    const next = simulator.breakpoints.next({ operation: 'listAnnotations' })
    const location = `${origin}/api/login/?token=canary-2`

    const pending = ask('GET', annotationsPath)
    ;(await next).fulfill({ status: 307, headers: { 'X-Session': 'canary-1', location } })
    await pending.catch(() => 'the login does not exist')
    const { scenario, warnings } = simulator.record({ keep, operation: 'listAnnotations' })

    const hidden = { $text: `{base_url}/api/login/?token=${link}` }
    expect(warnings).toEqual([])
    expect(scenario.steps).toMatchObject([
      { fault: { effect: { status: 307, headers: { 'X-Session': session, location: hidden } } } },
      { method: 'GET', expect: { status: 307, headers: { location: hidden } } },
    ])
    expect(JSON.stringify(scenario)).not.toContain('canary')
    expect(await simulator.replay(scenario)).toMatchObject({ passed: true })
  },
)

test('a request that was dropped, and one whose client went away, are recorded as dropped', async () => {
  const { ask, origin, simulator } = await start()
  const { breakpoints, journal } = simulator
  const headers = { authorization: 'Bearer phx_all' }
  const abort = new AbortController()
  const pattern = { operation: 'listAnnotations' }
  const holds = [breakpoints.next(pattern), breakpoints.next(pattern)]

  const dropped = ask('GET', annotationsPath).catch(() => 'failed')
  ;(await holds[0])?.drop()
  await dropped
  const { signal } = abort
  const aborted = fetch(origin + annotationsPath, { headers, signal }).catch(() => 'aborted')
  await holds[1]
  abort.abort()
  await aborted
  await expect.poll(() => journal.find().length).toBe(2)
  const { scenario, warnings } = simulator.record()

  const fault = { when: { times: 1 }, phase: 'before', effect: { drop: true } }
  expect(warnings).toEqual([])
  expect(scenario.steps).toMatchObject([
    { fault },
    { method: 'GET', expect: { broken: true } },
    { fault },
    { method: 'GET', expect: { broken: true } },
  ])
  expect(await simulator.replay(scenario)).toMatchObject({ passed: true })
})

test('a recording says that a request was edited', async () => {
  const { ask, simulator } = await start()
  const next = simulator.breakpoints.next()

  const pending = ask('POST', annotationsPath, { body: { content: 'Sent' } })
  ;(await next).continue({ body: { content: 'Edited' } })
  await pending
  const { scenario, warnings } = simulator.record()

  expect(warnings).toEqual([
    'Entry 1 was edited at a breakpoint: the recording has the request as it was handled, not as the client sent it.',
  ])
  expect(scenario.steps).toMatchObject([{ method: 'POST', body: { content: 'Edited' } }])
})
