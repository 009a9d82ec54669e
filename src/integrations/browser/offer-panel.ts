import type { Panel } from '../../dashboard/panel.ts'
import type { Simulator } from '../../simulator/simulator.ts'

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
