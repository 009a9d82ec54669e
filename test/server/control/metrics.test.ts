import { expect } from 'vitest'
import { connect, createSimulator } from '../../../src/index.ts'
import { listen } from '../../../src/server/listen.ts'
import type { Persistence } from '../../../src/world/persistence/saved-state.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { socketTest, start } from '../../support/lanes/start.ts'

const path = '/__admin/metrics'

/** The lines of a scrape without comments. Times and bytes differ from run to run. */
const samples = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => /^[a-z]/.test(line))
    .map((line) =>
      line.replace(/^((?:process|nodejs)_\S+|\S+_seconds_(?:sum|bucket)\S*) .*/, '$1 #'),
    )
const only = (text: string, name: string) =>
  samples(text).filter((line) => line.startsWith(`understudy_${name}`))

socketTest(
  'a closed server no longer counts the requests of its simulator and of its sandboxes',
  async () => {
    const simulator = createSimulator()
    simulator.sandboxes.create()
    const server = await listen(simulator)
    await fetch(server.url + path)
    simulator.sandboxes.create()
    const followers = () =>
      ['sandbox-1', 'sandbox-2'].map((id) => simulator.sandboxes.get(id)?.journal.followerCount)

    const before = [simulator.journal.followerCount, ...followers()]
    await server.close()
    simulator.sandboxes.create()

    expect(before).toEqual([1, 1, 1])
    expect([simulator.journal.followerCount, ...followers()]).toEqual([0, 0, 0])
    expect(simulator.sandboxes.get('sandbox-3')?.journal.followerCount).toBe(0)
  },
)

socketTest('a scrape has the format of Prometheus', async () => {
  const client = await start()
  const { ask } = client
  await ask('GET', `${annotationsPath}1/`)
  await ask('GET', `${annotationsPath}999/`)
  await ask('GET', '/api/nothing')

  const response = await client.send('GET', path, {
    key: null,
    headers: {
      accept:
        'application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
    },
  })
  const text = await response.text()

  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(text.split('\n\n')[0]).toBe(`\
# HELP understudy_requests_total Requests to the API. Status 0: a fault broke the connection.
# TYPE understudy_requests_total counter
understudy_requests_total{operation="retrieveAnnotation",status="200"} 1
understudy_requests_total{operation="retrieveAnnotation",status="404"} 1
understudy_requests_total{operation="unknown",status="404"} 1`)
  expect(samples(text).filter((line) => !/_bucket|requests_total/.test(line))).toEqual([
    'understudy_request_duration_seconds_sum{operation="retrieveAnnotation"} #',
    'understudy_request_duration_seconds_count{operation="retrieveAnnotation"} 2',
    'understudy_request_duration_seconds_sum{operation="unknown"} #',
    'understudy_request_duration_seconds_count{operation="unknown"} 1',
    'understudy_rows{list="organizations"} 1',
    'understudy_rows{list="projects"} 2',
    'understudy_rows{list="users"} 2',
    'understudy_rows{list="keys"} 10',
    'understudy_rows{list="dashboard_items"} 3',
    'understudy_rows{list="repository"} 3',
    'understudy_rows{list="plugins"} 4',
    'understudy_rows{list="plugin_configs"} 2',
    'understudy_rows{list="annotations"} 8',
    'understudy_rows{list="activity"} 2',
    'understudy_sandboxes 0',
    'understudy_journal_entries 3',
    'understudy_journal_followers 0',
    'process_cpu_seconds_total #',
    'process_resident_memory_bytes #',
    'nodejs_heap_size_used_bytes #',
  ])
})

socketTest(
  'requests of all sandboxes are counted, also those before the first scrape',
  async () => {
    const { origin, ask, simulator } = await start()
    const remote = connect(origin)
    const { id, remote: sandbox, key } = await remote.sandboxes.create()
    const read = () => ask('GET', `${annotationsPath}1/`, { key })
    await read()
    expect(simulator.journal.followerCount).toBe(0)

    const first = await sandbox.metrics()
    const later = await remote.sandboxes.create()
    await read()
    await ask('GET', `${annotationsPath}1/`, { key: later.key })
    const second = await remote.metrics()
    await remote.sandboxes.delete(id)
    const third = await remote.metrics()

    const rows = simulator.world.annotations.count
    const [total] = ['requests_total{operation="retrieveAnnotation",status="200"}']
    const numbers = (text: string) => [
      ...only(text, total),
      ...only(text, 'rows{list="annotations"}'),
      ...only(text, 'sandboxes'),
      ...only(text, 'journal_entries'),
    ]
    const lines = (count: number, lists: number, sandboxes: number, entries: number) => [
      `understudy_${total} ${count}`,
      `understudy_rows{list="annotations"} ${rows * lists}`,
      `understudy_sandboxes ${sandboxes}`,
      `understudy_journal_entries ${entries}`,
    ]
    expect([first, second, third].map(numbers)).toEqual([
      lines(1, 2, 1, 1),
      lines(3, 3, 2, 3),
      lines(3, 2, 1, 1),
    ])
  },
)

socketTest(
  'a delay of a fault is part of the time, and a broken connection has status 0',
  async () => {
    const { ask, control, simulator } = await start()
    const effects = [{ delay_ms: 120 }, { drop: true }] as const
    for (const effect of effects) {
      simulator.faults.clear()
      simulator.faults.add({ operation: 'listPlugins', effect })
      await ask('GET', '/api/organizations/@current/plugins/').catch(() => {})
    }

    const { body } = await control('GET', path)

    const text = String(body)
    expect(only(text, 'requests_total')).toEqual([
      'understudy_requests_total{operation="listPlugins",status="200"} 1',
      'understudy_requests_total{operation="listPlugins",status="0"} 1',
    ])
    const bucket = (limit: string) =>
      new RegExp(`_bucket\\{le="${limit}",operation="listPlugins"\\} (\\d+)`).exec(text)?.[1]
    // A busy machine takes long for the other request, too.
    expect(Number(bucket('0\\.1'))).toBeLessThan(2)
    expect([bucket('10'), bucket('\\+Inf')]).toEqual(['2', '2'])
  },
)

socketTest(
  'event streams count as followers, and changes that wait for --state as unsaved',
  async () => {
    const { origin, simulator } = await start()
    const remote = connect(origin)
    const persistence = { status: 'unsaved' as Persistence['status'] }
    simulator.persistence = persistence as Persistence
    const read = async () => {
      const text = await remote.metrics()
      return [...only(text, 'journal_followers'), ...only(text, 'unsaved')]
    }
    const before = await read()
    const events = await fetch(`${origin}/__admin/journal/events`)
    persistence.status = 'saved'

    const after = await read()
    await events.body?.cancel()

    expect([before, after]).toEqual([
      ['understudy_journal_followers 0', 'understudy_unsaved_changes 1'],
      ['understudy_journal_followers 1', 'understudy_unsaved_changes 0'],
    ])
  },
)

socketTest('each server has its own metrics', async () => {
  const [one, two] = [await start(), await start()]
  await one.control('GET', path)
  await one.ask('GET', `${annotationsPath}1/`)

  const texts = await Promise.all(
    [one, two].map(async ({ control }) => String((await control('GET', path)).body)),
  )

  expect(texts.map((text) => only(text, 'requests_total'))).toEqual([
    ['understudy_requests_total{operation="retrieveAnnotation",status="200"} 1'],
    [],
  ])
})

socketTest(
  'the metrics of several replicas are refused, and the error says how to read them',
  async () => {
    const { control } = await start()

    const all = await control('GET', `${path}?replicas=all`)
    const own = await control('GET', `${path}?replicas=own`)

    expect(all).toEqual({
      status: 400,
      body: {
        type: 'validation_error',
        code: 'invalid_input',
        detail:
          'Failed to read the metrics: expected replicas to be own, got "all". Scrape each replica at its own address.',
        attr: 'replicas',
      },
    })
    expect(own.status).toBe(200)
  },
)
