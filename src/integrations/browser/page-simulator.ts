import type { Panel } from '../../dashboard/panel.ts'
import type { Simulator } from '../../simulator/simulator.ts'

// What a page loads in one chunk when it starts the simulator. A page that only imports `startInBrowser` loads none of it.
export { createSimulator } from '../../simulator/simulator.ts'
export { isBuiltInWorld } from '../../world/load/built-in-worlds.ts'
export { completeWorld } from '../../world/load/complete-world.ts'
export { checkBrowserOptions } from './browser-options.ts'
export { followAborts } from './follow-aborts.ts'
export { logMistakes, logRequests } from './log-requests.ts'
export { persistWorld } from './persist-world.ts'
export { startWorker } from './start-worker.ts'

/**
 * Returns functions that add the panel of a page, once, and open it. It loads on demand.
 *
 * @param key that of the storage item
 * @param ends gets what removes the panel
 */
export function offerPanel(simulator: Simulator, key: string, ends: (() => void)[]) {
  let added: Promise<Panel> | null = null
  const load = async (): Promise<Panel> => {
    const panel = (await import('../../dashboard/panel.ts')).addPanel(simulator, key)
    ends.push(panel.remove)
    return panel
  }
  const addPanel = (): Promise<Panel> => {
    added ??= load()
    return added
  }
  const openPanel = async (): Promise<void> => (await addPanel()).open()
  return { addPanel, openPanel }
}
