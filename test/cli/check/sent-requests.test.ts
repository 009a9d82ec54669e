import { expect, test } from 'vitest'
import {
  create,
  list,
  serveToCheck,
  serveWithDefect,
  verdictsOf,
} from '../../support/cli/checked-server.ts'
import { run, startCommand } from '../../support/cli/command.ts'
import { writeScenarioFile } from '../../support/scenarios/scenario-files.ts'

test('a row that cannot be removed is listed, and alone ends check with 1', async () => {
  const { flags, url } = await serveWithDefect(({ method }, response) => {
    const isRemoval = /^(PATCH|DELETE)$/.test(method ?? '')
    if (isRemoval) response.writeHead(403).end()
    return isRemoval
  })
  const file = writeScenarioFile([create])

  const { code, stdout } = await run(['check', file, ...flags, '--allow-writes'])

  expect(stdout.split('\n').slice(-3)).toEqual([
    '1 step responds as the scenario expects.',
    `A row may be left: ${url}/api/projects/71/annotations/1/. Remove it with PATCH and {"deleted": true}.`,
    '',
  ])
  expect(code).toBe(1)
})

test('without --allow-writes check stops before the first write', async () => {
  const { flags, simulator } = await serveToCheck()

  const { code, stdout } = await run(['check', ...flags])

  expect(stdout).toContain(
    `A soft-deleted annotation disappears and can be restored
  - 1 create an annotation
      not run: it writes. Pass --allow-writes
  - 2 DELETE is refused
      not run: an earlier step writes. Pass --allow-writes
`,
  )
  expect(stdout.split('\n').at(-2)).toBe(
    '5 steps respond as the scenario expects; 7 steps were not run.',
  )
  expect(code).toBe(0)
  expect(simulator.journal.find().every(({ method }) => method === 'GET')).toBe(true)
})

test('Ctrl-C ends check between two steps with 130, and removes the rows', async () => {
  const { flags, simulator } = await serveToCheck()
  const file = writeScenarioFile(Array.from({ length: 500 }, () => create))
  const command = startCommand(['check', file, ...flags, '--allow-writes', '--json'])
  await expect.poll(() => simulator.world.annotations.list().length).toBeGreaterThan(0)

  const { code, stdout } = await command.stop('SIGINT')

  const rows = simulator.world.annotations.list()
  expect(code).toBe(130)
  expect(rows.length).toBeLessThan(500)
  expect(rows.every(({ deleted }) => deleted)).toBe(true)
  expect(JSON.parse(stdout).left).toEqual([])
})

test.each([/projects\/(\?|$)/, /projects\/71\/annotations\/\?limit=3/])(
  'Ctrl-C ends check with 130 while GET %s gets no response',
  async (silent) => {
    let hasArrived = false
    const { flags } = await serveWithDefect(({ url = '' }) => {
      const isSilent = silent.test(url)
      hasArrived ||= isSilent
      return isSilent
    })
    const file = writeScenarioFile([{ ...list, path: `${list.path}?limit=3` }])
    const command = startCommand(['check', file, ...flags])
    await expect.poll(() => hasArrived).toBe(true)

    const { code, stderr } = await command.stop('SIGINT')

    expect([code, stderr]).toEqual([130, ''])
  },
)

test('a broken connection is no response, and as the last step ends check with 4', async () => {
  let isDown = false
  const { flags, url } = await serveWithDefect(({ method, socket }) => {
    isDown ||= method === 'POST'
    if (isDown) socket.destroy()
    return isDown
  })
  const file = writeScenarioFile([{ ...list, expect: { status: 200 } }, create])
  const args = ['check', file, ...flags, '--allow-writes']

  const text = await run(args)
  isDown = false
  const { code, stdout } = await run([...args, '--json'])

  expect(text.code).toBe(4)
  expect(text.stdout.split('\n').slice(-3)).toEqual([
    '1 step responds as the scenario expects; 1 step got no response.',
    `A row may be left, which was not confirmed: ${url}/api/projects/71/annotations/ with the text "Launch". If the list has it: Remove it with PATCH and {"deleted": true}.`,
    '',
  ])
  expect(text.stderr).toBe(`${url} broke the connection. Check the server.\n`)
  expect(code).toBe(4)
  expect(JSON.parse(stdout)).toMatchObject({
    steps: [{ verdict: 'as expected' }, { verdict: 'no response' }],
    error: { exit_code: 4 },
  })
})

test('rows that a scenario does not create stay, and a step that shows one of them is unclear', async () => {
  const { flags, simulator } = await serveToCheck()
  simulator.world.annotations.create({ content: 'Release' })
  const before = simulator.world.annotations.list()
  const path = '/api/projects/1/annotations/1/'
  const file = writeScenarioFile([
    { as: 'all', method: 'GET', path, expect: { status: 404 } },
    { as: 'all', method: 'GET', path, expect: { status: 200, body: { content: 'Other' } } },
    { ...list, save: { first: '/results/0/id' }, expect: { status: 200 } },
    { as: 'all', method: 'PATCH', path: '/api/projects/1/annotations/{first}/', body: {} },
    { ...list, expect: { status: 200 } },
  ])

  const { code, stdout } = await run(['check', file, ...flags, '--allow-writes', '--json'])

  const { steps } = JSON.parse(stdout)
  expect(steps.map(({ verdict, reason }: Record<string, string>) => reason ?? verdict)).toEqual([
    'unclear',
    'unclear',
    'as expected',
    'it changes a row that the scenario does not create',
    'an earlier step changes a row that the scenario does not create',
  ])
  expect(simulator.world.annotations.list()).toEqual(before)
  expect(code).toBe(0)
})

test('a step whose key was not passed is not run, nor a step that needs its values', async () => {
  const { flags, simulator } = await serveToCheck()
  const file = writeScenarioFile([
    { ...create, as: 'annotation:write', save: { id: '/id' } },
    { ...list, path: '/api/projects/1/annotations/{id}/', expect: { status: 200 } },
    { ...list, expect: { status: 200 } },
  ])

  const { code, stdout } = await run(['check', file, ...flags, '--allow-writes'])

  expect(stdout).toContain('      not run: pass --key annotation:write=KEY\n')
  expect(stdout).toContain('      not run: it needs {id} of a step that is not run\n')
  expect(stdout).toContain('  ✓ 3 ')
  expect(stdout.split('\n').at(-2)).toBe(
    '1 step responds as the scenario expects; 2 steps were not run.',
  )
  expect(simulator.world.annotations.list()).toEqual([])
  expect(code).toBe(0)
})

test('each response that is cut short fails check, also if a later one is whole', async () => {
  const { flags } = await serveWithDefect(({ url }, response) => {
    const isCut = Boolean(url?.includes('limit=2'))
    if (isCut) response.writeHead(200, { 'content-length': '100' }).write('{"count"')
    if (isCut) response.destroy()
    return isCut
  })
  const read = { ...list, expect: { status: 200 } }
  const file = writeScenarioFile([{ ...read, path: `${list.path}?limit=2` }, read])

  const { code, stdout } = await run(['check', file, ...flags])

  expect(stdout.split('\n').at(-2)).toBe(
    '1 step responds as the scenario expects; 1 step got no response.',
  )
  expect(code).toBe(1)
})

test('what follows from a write that contradicts the documentation is no contradiction of its own', async () => {
  const { flags } = await serveWithDefect(({ method }, response) => {
    if (method === 'PATCH') response.writeHead(418).end('{}')
    return method === 'PATCH'
  })
  const row = { ...list, path: '/api/projects/1/annotations/{id}/' }
  const file = writeScenarioFile([
    { ...create, save: { id: '/id' } },
    { ...row, method: 'PATCH', body: { content: 'Later' }, expect: { status: 200 } },
    { ...row, expect: { body: { content: 'Later' } } },
  ])

  const { code, stdout } = await run(['check', file, ...flags, '--allow-writes', '--json'])

  expect(verdictsOf(stdout)).toEqual(['as expected', 'contradiction', 'maybe follow-up'])
  expect(code).toBe(1)
})

test('what follows a write that was not sent is no contradiction of its own', async () => {
  const { flags } = await serveWithDefect(({ url = '' }, response) => {
    const isRefused = /limit=[34]/.test(url)
    if (isRefused) response.writeHead(418).end('{}')
    return isRefused
  })
  const page = (limit: number) => ({ ...list, path: `${list.path}?limit=${limit}` })
  const file = writeScenarioFile([
    { ...page(3), expect: { status: 200 }, save: { first: '/results/0/id' } },
    { ...create, path: `${create.path}?after={first}` },
    { ...page(4), expect: { status: 200 } },
  ])

  const { stdout } = await run(['check', file, ...flags, '--allow-writes', '--json'])

  expect(verdictsOf(stdout)).toEqual(['contradiction', 'skipped', 'maybe follow-up'])
})

test('a created row whose id is that of another row is not changed, and the rest of the scenario is not run', async () => {
  const { flags, simulator, url } = await serveWithDefect(({ method }, response) => {
    if (method !== 'POST') return false
    response.writeHead(201, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: 1, content: 'Launch' }))
    return true
  })
  simulator.world.annotations.create({ content: 'Of another user' })
  const before = simulator.world.annotations.list()
  const row = '/api/projects/1/annotations/{id}/'
  const file = writeScenarioFile([
    { ...create, save: { id: '/id' } },
    { as: 'all', method: 'PATCH', path: row, body: { deleted: true }, expect: { status: 200 } },
    { as: 'all', method: 'GET', path: row, expect: { status: 404 } },
  ])

  const { code, stdout } = await run(['check', file, ...flags, '--allow-writes'])

  expect(stdout).toContain(`  - 2 PATCH ${row}
      not run: the server returned the id of another row
  - 3 GET ${row}
      not run: the server returned the id of another row
1 step responds as the scenario expects; 2 steps were not run.
PATCH ${url}/api/projects/71/annotations/1/ was not sent: the server says that the scenario created this row, but it is another one.
`)
  expect(code).toBe(1)
  expect(simulator.world.annotations.list()).toEqual(before)
})
