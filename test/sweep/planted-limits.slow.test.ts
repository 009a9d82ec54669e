import { expect, test } from 'vitest'
import { plantedClients } from '../every/planted-clients.ts'
import { dependencesOf } from './sweep-client.ts'

test.each(['limits.rate', 'limits.retry_after'] as const)(
  'the sweep of a client that depends on %s names this setting alone',
  async (id) => {
    const { run, settings } = plantedClients[id] ?? {}

    expect(run && (await dependencesOf(run, settings))).toEqual([id])
  },
)
