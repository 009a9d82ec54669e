import { expect, test } from 'vitest'
import { annotationPath, annotationsPath } from '../../../support/api/paths.ts'
import { initOf } from '../../../support/transports/client.ts'
import { serve } from '../../../support/transports/start.ts'

test('a client that waits for its response makes no repetition of the requests of another client', async () => {
  const { simulator, ask, origin } = await serve()
  simulator.faults.add({ operation: 'updateAnnotation', effect: { stall_bytes: 1 } })
  const init = initOf('PATCH', { body: { content: 'Waits' } })
  const waiting = await fetch(origin + annotationPath, init)

  await ask('POST', annotationsPath, { body: { content: 'Launch' } })
  await ask('POST', annotationsPath, { body: { content: 'Launch' } })

  expect(simulator.journal.mistakes()).toEqual([])
  await waiting.body?.cancel()
})
