import { expect, test } from 'vitest'
import { foundIn, strange } from './support/secret-places.table.ts'
import { start } from './support/start.ts'

const policies = { 'keys.places': 'header_body_query', 'bodies.form': 'accepted' } as const

test.each(strange)(
  'a key of nobody is in nothing that is shown: $method $target, $place',
  async ({ method, target, headers, body }) => {
    const running = await start({ policies })
    const { origin, simulator } = running
    const seen: unknown[] = []
    simulator.journal.follow((entry) => seen.push(entry))
    const own = { authorization: 'Bearer phx_all', ...headers }
    const bytes = body === undefined ? null : Uint8Array.from(body, (sign) => sign.charCodeAt(0))
    await running.exchange(origin + target, { method, headers: own, body: bytes })

    const { journal } = simulator
    const shown = [
      seen,
      journal.find(),
      journal.toHar(),
      simulator.record(),
      journal.verify({ operation: 'listPlugins' }),
      simulator.why('annotation', 9),
    ]
    expect(seen).toHaveLength(1)
    expect(foundIn(JSON.stringify(shown))).toEqual([])
  },
)
