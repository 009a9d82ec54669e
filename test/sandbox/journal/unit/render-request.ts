import { type JournalSource, Renderer } from '../../../../src/sandbox/journal/renderer.ts'
import { createSimulator, type Simulator } from '../../../../src/simulator.ts'
import { noon } from '../../../support/api/paths.ts'
import { initOf, type RequestOptions } from '../../../support/lanes/client.ts'

/** A key without a label. */
export const unlabelled = 'phx_0123456789abcdef1234'

/** Sends one request, and renders its record as if it had taken 1.23456 ms. */
export async function renderRequest(
  [method, path, options = {}]: readonly [method: string, path: string, options?: RequestOptions],
  before: (simulator: Simulator) => unknown = () => {},
) {
  const simulator = createSimulator({ clock: noon })
  simulator.keys.issue({ value: unlabelled, scopes: ['*'] })
  before(simulator)
  await simulator.fetch(path, initOf(method, options)).catch(() => {})
  const sandbox: JournalSource = simulator.sandbox
  const renderer = new Renderer(sandbox)
  return { renderer, stored: { ...(sandbox.journal.records[0] as object), ms: 1.23456 } as never }
}
