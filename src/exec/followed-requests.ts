import { indent, maxRequests, withTitle } from '../report/failed-requests.ts'
import type { Simulator } from '../simulator/simulator.ts'

/** Follows the requests to the server and to all sandboxes, also to those that the command creates and deletes. */
export function followRequests(simulator: Simulator) {
  const latest: string[] = []
  /** Those that met a fault or were refused */
  const remarkable: string[] = []
  const keep = (list: string[], line: string): void => {
    if (list.push(line) > maxRequests) list.shift()
  }
  simulator.followWorlds(({ journal }) => {
    journal.followWritten(({ line: described, status, test, record }) => {
      const line = test === undefined ? described : `${described} (test ${JSON.stringify(test)})`
      keep(latest, line)
      if (record.fault !== null || status === 0 || status >= 400) keep(remarkable, line)
    })
  })
  const waiting = (): string[] => {
    // Those of a sandbox that has ended got their response, or were ended with it.
    const { sandboxes } = simulator
    const worlds = [simulator, ...sandboxes.list().flatMap(({ id }) => sandboxes.get(id) ?? [])]
    return [...new Set(worlds.flatMap(({ journal }) => journal.waiting()))]
  }
  return {
    /** Whether the command had the chance to send a request, and sent none */
    areMissing: (code: number): boolean =>
      latest.length + waiting().length === 0 && (code === 0 || hasFailed(code)),
    /** The requests of a command that failed. */
    describe(code: number): string[] {
      if (!hasFailed(code) || latest.length + waiting().length === 0) return []
      const lines = withTitle(latest, waiting())
      if (remarkable.every((line) => latest.includes(line))) return lines
      return ['Requests with a fault or a refusal:', ...remarkable.map(indent), ...lines]
    },
  }
}

/** Higher codes mean that the command was not started, or that a signal ended it. */
const hasFailed = (code: number): boolean => code > 0 && code < 126
