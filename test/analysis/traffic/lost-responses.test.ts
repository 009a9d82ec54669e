import { expect, test } from 'vitest'
import { scenarioFromTraffic } from '../../../src/analysis/traffic/from-traffic.ts'
import { createSimulator, type Exchange, scenarioReport } from '../../../src/index.ts'
import { createExchange } from '../../support/scenarios/exchanges.ts'

const base = '/api/projects/1/annotations/'
const author = {
  id: 7,
  uuid: '018f2b6e-0000-7000-8000-000000000007',
  distinct_id: 'd7',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  is_email_verified: true,
  hedgehog_config: null,
}

/** A row as the service shows it. */
function row(id: number, content: string, changes: object = {}) {
  return {
    id,
    content,
    date_marker: `2024-06-01T00:00:${String(id).padStart(2, '0')}Z`,
    creation_type: 'USR',
    dashboard_item: null,
    insight_short_id: null,
    insight_name: null,
    created_by: author,
    created_at: '2024-06-15T12:00:00Z',
    updated_at: '2024-06-15T12:00:00Z',
    deleted: false,
    scope: 'project',
    ...changes,
  }
}

function page(...results: object[]) {
  return { count: results.length, next: null, previous: null, results }
}

/** Exchanges one after another, each a second after the previous one. */
function traffic(
  ...inputs: readonly (Parameters<typeof createExchange>[0] & Partial<Exchange>)[]
): Exchange[] {
  return inputs.map(({ lost, ms, ...input }, index) => ({
    ...createExchange({ url: base, bearer: 'phx_mine', ...input }),
    at: new Date(Date.parse('2024-06-15T12:00:00Z') + index * 1_000).toISOString(),
    ...(ms !== undefined && { ms }),
    ...(lost && { lost }),
  }))
}

const sent = { content: 'Launch', date_marker: '2024-06-01T00:00:21Z', scope: 'project' }
const timedOut = { kind: 'timeout', error: 'net::ERR_TIMED_OUT' } as const

test('a create whose response was lost, a retry and a duplicate become a scenario that replays', async () => {
  const { scenario } = scenarioFromTraffic(
    traffic(
      { received: page(row(4, 'Deploy')) },
      { method: 'POST', sent, status: 0, ms: 30_000, lost: timedOut },
      {
        method: 'POST',
        sent,
        status: 201,
        received: row(22, 'Launch', { date_marker: sent.date_marker }),
      },
      {
        received: page(
          row(22, 'Launch', { date_marker: sent.date_marker }),
          row(21, 'Launch', { date_marker: sent.date_marker }),
          row(4, 'Deploy'),
        ),
      },
    ),
  )

  const result = await createSimulator().replay(scenario)

  expect(scenarioReport(result)).toContain('5 of 5 steps passed')
  expect(scenario.steps[1]).toEqual({
    fault: {
      operation: 'createAnnotation',
      when: { times: 1 },
      phase: 'after-commit',
      effect: { drop: true, delay_ms: 30_000 },
    },
  })
  expect(scenario.world).toMatchObject({
    next_ids: { annotations: 21 },
    annotations: [{ id: 4, content: 'Deploy', project: 1, created_by: 7 }],
    keys: [{ label: 'key-1', user: 7, scopes: ['*'] }],
  })
})

test('a lost create that no later list shows was not carried out', async () => {
  const { scenario, assumptions } = scenarioFromTraffic(
    traffic(
      { method: 'POST', sent, status: 0, lost: timedOut },
      { received: page(row(4, 'Deploy')) },
    ),
  )

  expect(scenario.steps[0]).toMatchObject({ fault: { phase: 'before', effect: { drop: true } } })
  expect(assumptions.some(({ field }) => field.endsWith('.phase'))).toBe(false)
  expect((await createSimulator().replay(scenario)).passed).toBe(true)
})

test('a lost create without a later list is assumed not to be carried out', () => {
  const { assumptions } = scenarioFromTraffic(
    traffic({ method: 'POST', sent, status: 0, lost: timedOut }),
  )

  expect(assumptions.at(-1)).toEqual({
    field: 'requests[0].phase',
    value: 'before',
    because:
      'No later response shows whether the service carried out POST createAnnotation, whose response was lost.',
  })
})

test('the next read shows whether a lost change was carried out', async () => {
  const change = { method: 'PATCH', url: `${base}4/`, sent: { content: 'After' }, status: 0 }
  const phaseOf = async (shown: string): Promise<unknown> => {
    const { scenario } = scenarioFromTraffic(
      traffic({ url: `${base}4/`, received: row(4, 'Before') }, change, {
        url: `${base}4/`,
        received: row(4, shown),
      }),
    )
    expect((await createSimulator().replay(scenario)).passed).toBe(true)
    return scenario.steps.find((step) => 'fault' in step)
  }

  expect(await phaseOf('After')).toMatchObject({ fault: { phase: 'after-commit' } })
  expect(await phaseOf('Before')).toMatchObject({ fault: { phase: 'before' } })
})
