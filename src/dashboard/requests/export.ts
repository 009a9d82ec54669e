import type { Remote } from '../../remote/remote.ts'
import { saveFile } from '../kit/copy.ts'

/** Saves some entries of the journal as an archive. The server writes it; each entry of it tells its number. */
export async function exportHar(remote: Remote, ids: ReadonlySet<number>): Promise<number> {
  const { log } = await remote.journal.toHar()
  const entries = log.entries.filter(({ comment }) => ids.has(numberIn(comment ?? '')))
  saveFile('understudy.har', { log: { ...log, entries } })
  return entries.length
}

/** @example numberIn('entry 12: listPlugins') // 12 */
function numberIn(comment: string): number {
  return Number(/^entry (\d+)/.exec(comment)?.[1])
}
