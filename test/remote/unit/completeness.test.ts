import { expect, test } from 'vitest'
import { connect } from '../../../src/remote/connect.ts'
import { controlOperations } from '../../../src/remote/control-operations.ts'
import { createSimulator } from '../../../src/simulator.ts'

/** What a simulator has in-process and a client does not, each with its reason. */
const onlyInProcess: Readonly<Record<string, string>> = {
  'world.counts': 'world.replace gives them; world.read has the rows',
  'world.toJSON': 'world.read',
  'world.toTexts': 'world.read',
  'world.seed': 'world.read',
  'world.next_ids': 'world.read',
  replaceWorld: 'world.replace',
  addRows: 'world.add',
  'policies.settings': 'policies.list and policies.get',
  'clock.mode': 'clock.read',
  'clock.now': 'clock.read',
  'clock.iso': 'clock.read',
  'clock.fork': 'a clock of a world is no value that travels',
  'clock.captureNow': 'for recordings of the server itself',
  'sandboxes.count': 'sandboxes.list',
  'sandboxes.limit': 'of the server',
  'sandboxes.addFixture': 'the server offers every fixture',
  'sandboxes.hasSource': 'the server offers every fixture',
  'sandboxes.endExpired': 'any request does',
  'sandboxes.follow': 'for the log of a server',
  'sandboxes.loadSource': 'sandboxes.create begins with them',
  'snapshots.all': 'snapshots.list',
  'faults.isEmpty': 'faults.list',
  'faults.match': 'for requests',
  'actors.isEmpty': 'actors.list',
  'actors.afterRequest': 'for requests',
  'journal.followerCount': 'of the server',
  'journal.redactUrl': 'what a client is told is shown already',
  'journal.followRecords': 'keys are in them; journal.follow',
  'journal.followSummaries': 'for the log of a server; journal.follow',
  'journal.events': 'journal.follow reads them',
  defaults: 'sandboxes.create gives keys, projects and organizations',
  handlers: 'the server has them',
  endpointHandlers: 'a server has its own',
  notFound: 'for requests',
  snapshot: 'snapshots.save: a frozen state is no value that travels',
  restore: 'snapshots.restore',
  resume: 'world.replace; serve --state',
  onChange: 'journal.follow',
  fork: 'sandboxes.create',
  replay: 'replayAt: a page that only connects does without what checks scenarios',
}

const groups = [
  'world',
  'sandboxes',
  'snapshots',
  'clock',
  'keys',
  'policies',
  'faults',
  'journal',
  'actors',
] as const

/** The names of methods and getters of a value, inherited ones as well, but for rows by typed access. */
function wordsOf(value: object): string[] {
  const kind = Object.getPrototypeOf(value)
  if (kind === Object.prototype) return []
  const names = Object.getOwnPropertyNames(kind).filter((name) => name !== 'constructor')
  return [...names, ...wordsOf(kind)]
}

test('a client has every word of the simulator in-process, or a reason why not', () => {
  const simulator = createSimulator()
  const remote = connect('http://localhost:4010') as unknown as Record<string, object>

  const own = wordsOf(simulator).filter((name) => name !== 'world')
  const local = [
    ...own,
    ...groups.flatMap((group) => wordsOf(simulator[group]).map((word) => `${group}.${word}`)),
  ]
  const away = Object.entries(remote).flatMap(([name, value]) =>
    groups.includes(name as never) ? Object.keys(value).map((word) => `${name}.${word}`) : [name],
  )

  expect(local.filter((word) => !away.includes(word)).sort()).toEqual(
    Object.keys(onlyInProcess)
      .filter((word) => local.includes(word))
      .sort(),
  )
  expect(Object.keys(onlyInProcess).filter((word) => !local.includes(word))).toEqual(['defaults'])
  expect(away.filter((word) => !local.includes(word))).toEqual([
    'url',
    'world.read',
    'world.replace',
    'world.add',
    'world.generate',
    'world.get',
    'world.update',
    'world.delete',
    // Null in-process until a recording answers.
    'replaying',
    'scenarios',
    'words',
    'health',
    'openapi',
  ])
})

test('a client asks each endpoint of the control API', async () => {
  const asked: string[] = []
  const given = globalThis.fetch
  globalThis.fetch = async (url, init) => {
    asked.push(`${init?.method} ${new URL(String(url)).pathname}`)
    return Response.json({ detail: 'No.', code: 'no', attr: null }, { status: 400 })
  }
  const remote = connect('http://localhost:4010') as unknown as Record<string, object>
  for (const value of Object.values(remote)) {
    const calls = typeof value === 'function' ? [value] : Object.values(value)
    for (const call of calls) {
      if (typeof call === 'function') await Promise.allSettled([call('x', 'y')])
    }
  }
  globalThis.fetch = given

  const described = Object.values(controlOperations).map(
    ([method, path]) => `${method} ${path.replace(/:\w+/, 'x').replace(/:\w+/, 'y')}`,
  )
  expect([...new Set(asked)].filter((one) => !one.endsWith('undefined')).sort()).toEqual(
    described.sort(),
  )
})
