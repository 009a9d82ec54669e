import { test } from 'understudy-api/vitest'
import { expect } from 'vitest'
import { createAnnotation } from './create-annotation.ts' // your client: if the network fails, it sends the request again

test('creates an annotation', async ({ simulator, as }) => {
  simulator.faults.add({ preset: 'lost-create' }) // the row is stored, and the first response is lost
  const response = await createAnnotation('Launch', as('annotations').headers) // a key that reads and writes annotations
  expect((await response.json()).content).toBe('Launch')
})
