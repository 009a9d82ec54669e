import { expect, test } from 'vitest'
import { rows } from '../../src/control/rows.ts'
import { connect } from '../../src/remote/connect.ts'
import { createSimulator } from '../../src/simulator.ts'

/** Members of the simulator that a client does not have, with the replacement or the reason. */
const onlyInProcess: Readonly<Record<string, string>> = {
  'world.counts': 'the result of world.replace; world.read has the rows',
  'world.toJSON': 'world.read',
  'world.toText': 'world.read',
  'world.seed': 'world.read',
  'world.next_ids': 'world.read',
  replaceWorld: 'world.replace',
  addRows: 'world.add',
  'settings.values': 'settings.list and settings.get',
  'clock.mode': 'clock.read',
  'clock.now': 'clock.read',
  'clock.iso': 'clock.read',
  'clock.follow': 'used by the sandbox',
  'clock.fork': 'a clock cannot be serialized',
  'clock.reset': "reset({ only: ['clock'] })",
  'faults.reset': "reset({ only: ['faults'] })",
  'faults.apply': 'used by requests',
  'faults.addInitial': 'the flag --fault of the server',
  'faults.startLike': 'used by sandboxes.create',
  'faults.totals': 'faults.list; the end of exec and of a failed test',
  'faults.release': 'used at the end of a test and of a server',
  'faults.drop': 'reset',
  'sandboxes.count': 'sandboxes.list',
  'sandboxes.limit': 'an option of the server',
  'sandboxes.addFixture': 'the server offers every fixture',
  'sandboxes.hasSource': 'the server offers every fixture',
  'sandboxes.endExpired': 'happens at any request',
  'sandboxes.follow': 'used by the log of the server',
  'sandboxes.loadSource': 'sandboxes.create',
  'snapshots.all': 'snapshots.list',
  'journal.redactUrl': 'responses are redacted already',
  'journal.waiting':
    'in the message of journal.verify; faults.list counts the requests that are held',
  explains: 'an option of the simulator',
  options: 'used by sandboxes.create',
  state: 'what the other members read and change',
  defaults: 'used by world.add',
  'journal.followRecords': 'contains keys; journal.follow',
  'journal.followSummaries': 'used by the log of the server; journal.follow',
  'journal.events': 'journal.follow reads them',
  handlers: 'the server runs them',
  endpointHandlers: 'the server runs them',
  notFound: 'used by requests',
  open: 'used by sandboxes.create',
  name: 'sandboxes.create names a sandbox',
  'sandboxes.resolve': 'used by requests',
  own: 'used by the adapters',
  use: 'a handler cannot be serialized',
  snapshot: 'snapshots.save: the state cannot be serialized',
  restore: 'snapshots.restore',
  resume: 'world.replace; serve --state',
  onChange: 'journal.follow',
  fork: 'sandboxes.create',
  replay: 'replayAt: checking scenarios would make the client larger',
}

const groups = [
  'world',
  'sandboxes',
  'snapshots',
  'clock',
  'keys',
  'settings',
  'faults',
  'journal',
] as const

/** The names of the methods and getters of an object, including inherited ones. */
function memberNames(value: object): string[] {
  const kind = Object.getPrototypeOf(value)
  if (kind === Object.prototype) return []
  const names = Object.getOwnPropertyNames(kind).filter((name) => name !== 'constructor')
  return [...names, ...memberNames(kind)]
}

test('a client has every member of the simulator, or a reason not to', () => {
  const simulator = createSimulator()
  const remote = connect('http://localhost:4010') as unknown as Record<string, object>

  const fields = Object.keys(simulator)
  const own = [...fields, ...memberNames(simulator)].filter(
    (name) => !groups.includes(name as never),
  )
  const localNames = [
    ...own,
    ...groups.flatMap((group) => memberNames(simulator[group]).map((name) => `${group}.${name}`)),
  ]
  const remoteNames = Object.entries(remote).flatMap(([name, value]) =>
    groups.includes(name as never)
      ? Object.keys(value).map((member) => `${name}.${member}`)
      : [name],
  )

  expect(localNames.filter((name) => !remoteNames.includes(name)).sort()).toEqual(
    Object.keys(onlyInProcess)
      .filter((name) => localNames.includes(name))
      .sort(),
  )
  expect(Object.keys(onlyInProcess).filter((name) => !localNames.includes(name))).toEqual([])
  expect(remoteNames.filter((name) => !localNames.includes(name))).toEqual([
    'world.read',
    'world.replace',
    'world.add',
    'world.generate',
    'world.get',
    'world.update',
    'world.delete',
    'replaying',
    'scenarios',
    'health',
  ])
})

test('a client calls every operation of the control API', async () => {
  const requests: string[] = []
  const originalFetch = globalThis.fetch
  globalThis.fetch = async (url, init) => {
    const { pathname } = new URL(String(url))
    requests.push(`${init?.method} ${pathname}`)
    if (pathname === '/__admin/health')
      return Response.json({ name: 'understudy-api', version: '1' })
    return Response.json({ detail: 'No.', code: 'no', attr: null }, { status: 400 })
  }
  const remote = connect('http://localhost:4010') as unknown as Record<string, object>
  for (const value of Object.values(remote)) {
    const methods = typeof value === 'function' ? [value] : Object.values(value)
    for (const method of methods) {
      if (typeof method === 'function') await Promise.allSettled([method('x', 'y')])
    }
  }
  globalThis.fetch = originalFetch

  const described = Object.keys(rows).map((line) =>
    line.replace(' ', ' /__admin').replace(/:\w+/, 'x').replace(/:\w+/, 'y'),
  )
  const sent = requests.map((request) =>
    request.replace('undefined /__admin/health', 'GET /__admin/health'),
  )
  expect([...new Set(sent)].sort()).toEqual(described.sort())
})
