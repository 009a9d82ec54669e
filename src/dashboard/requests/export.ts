import type { Har } from '../../har/archive.ts'
import type { Remote } from '../../remote/remote.ts'
import { downloadFile } from '../kit/copy.ts'

/** Saves some entries of the journal as an archive. The server writes it. */
export async function downloadHar(remote: Remote, ids: ReadonlySet<number>): Promise<number> {
  const archive = await fetchHar(remote, ids)
  downloadFile('understudy.har', archive)
  return archive.log.entries.length
}

/**
 * Some entries of the journal as they were on the wire. Each tells its number.
 *
 * @param at ISO 8601: when they were asked, where that is known
 */
export async function fetchHar(
  remote: Remote,
  ids: ReadonlySet<number>,
  at?: string,
): Promise<Har> {
  const { log } = await remote.journal.toHar(at === undefined ? {} : { since: at, until: at })
  const entries = log.entries.filter(({ comment }) => ids.has(parseEntryId(comment ?? '')))
  return { log: { ...log, entries } }
}

/** @example numberIn('entry 12: listPlugins') // 12 */
function parseEntryId(comment: string): number {
  return Number(/^entry (\d+)/.exec(comment)?.[1])
}
