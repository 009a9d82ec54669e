import type { Comparison, Unexplained } from './comparison.ts'
import type { Judge } from './judge.ts'
import type { Run } from './run.ts'

interface Review extends Pick<Comparison, 'compared' | 'explained' | 'unexplained'> {
  /** How many responses differ after a write that no value explains */
  readonly followUps: number
}

/** Says what differs in the best explanation. @param nameOf names a request by its index */
export async function review(
  judge: Judge,
  best: Run,
  nameOf: (at: number) => string,
): Promise<Review> {
  const usable = new Set(await judge.usable(best))
  const groups = new Map<string, Unexplained & { readonly requests: string[] }>()
  let [explained, followUps] = [0, 0]
  for (let at = 0; at < best.length; at += 1) {
    const differences = [...((await judge.evidence.differences(at, best))?.values() ?? [])]
    const isExplained = differences.every(({ kind, words }) => kind === 'field' || words === null)
    if (!usable.has(at)) {
      followUps += Number(!isExplained)
      continue
    }
    explained += Number(isExplained)
    for (const { words } of differences) {
      if (words === null) continue
      const what = words()
      const name = JSON.stringify(what)
      const group = groups.get(name) ?? { ...what, requests: [] }
      groups.set(name, group)
      if (!group.requests.includes(nameOf(at))) group.requests.push(nameOf(at))
    }
  }
  return { compared: usable.size, explained, unexplained: [...groups.values()], followUps }
}
