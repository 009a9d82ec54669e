import type { RequestFinding } from './report.ts'

/** How many findings of a rule are listed, and how many requests and tests of each. */
const maxFindings = 100
const maxEntries = 20
const maxTests = 20

/** How many requests the details of a finding show. */
const maxDetails = 3

/** Adds findings to a list. The same finding in several tests, sandboxes or parts of a run is one. */
export function mergeFindings(list: RequestFinding[], added: readonly RequestFinding[]): void {
  for (const finding of added) {
    const { rule, message } = finding
    const at = list.findIndex((known) => known.rule === rule && known.message === message)
    const present = list[at]
    if (present) list[at] = joinFindings(present, finding)
    else if (list.filter((listed) => listed.rule === rule).length < maxFindings) list.push(finding)
  }
}

function joinFindings(known: RequestFinding, added: RequestFinding): RequestFinding {
  const count = known.count + added.count
  const lines = [known, added].flatMap(({ details, count }) =>
    details.slice(0, Math.min(maxDetails, count)),
  )
  const tests = [...new Set([...(known.tests ?? []), ...(added.tests ?? [])])]
  return {
    ...known,
    ...showRequests(lines, count, (line) => line),
    times: known.times + added.times,
    entries: listEntries([...known.entries, ...added.entries].sort((a, b) => a - b)),
    ...listRows([...(known.rows ?? []), ...(added.rows ?? [])]),
    ...(tests.length > 0 && { tests: tests.slice(0, maxTests) }),
  }
}

/** @param ids of journal entries @returns the first ones, and the latest one */
export function listEntries(ids: readonly number[]): number[] {
  const all = [...new Set(ids)]
  return all.length <= maxEntries ? all : [...all.slice(0, maxEntries - 1), Math.max(...all)]
}

/** The rows of a finding, each once: the first ones. */
export function listRows(rows: NonNullable<RequestFinding['rows']>): Pick<RequestFinding, 'rows'> {
  const byName = new Map(rows.map(({ list, id }) => [`${list} ${id}`, { list, id }]))
  return byName.size === 0 ? {} : { rows: [...byName.values()].slice(0, maxEntries) }
}

/** The details of a finding: the first requests that show it, the latest one, and how many more there are. */
export function showRequests<Request>(
  requests: readonly Request[],
  count: number,
  lineOf: (request: Request) => string,
): Pick<RequestFinding, 'details' | 'count'> {
  const isShown = (_: Request, at: number) => at < maxDetails - 1 || at === requests.length - 1
  const shown = requests.filter(isShown).map(lineOf)
  const rest = count - shown.length
  return { details: rest === 0 ? shown : [...shown, `and ${rest} more`], count }
}

/** The line of the latest request that shows a finding. Of several sandboxes, it is that of the last one created. */
export function latestRequest({ details, count }: RequestFinding): string {
  return details[Math.min(maxDetails, count) - 1] as string
}
