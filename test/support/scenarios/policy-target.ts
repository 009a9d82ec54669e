import type { JournalEntry } from '../../../src/sandbox/journal/entry.ts'
import { createHttpTarget, type Target } from '../../../src/scenarios/run/target.ts'

export type Settings = Readonly<Record<string, string | number>>

/** A response that depends on settings: the connection breaks, or it has this status and this JSON body. */
export type Respond = (settings: Settings) => 'broken' | readonly [status: number, body?: unknown]

/** A target whose responses depend on its settings. Its journal shows the policies `consulted`. */
export function createPolicyTarget(
  settings: Settings,
  respond: Respond,
  consulted: readonly string[] = Object.keys(settings),
): Target {
  let current = settings
  return {
    ...createHttpTarget('http://localhost', { key: 'phx_any' }),
    async send() {
      const response = respond(current)
      const [status, body] = response === 'broken' ? [0] : response
      const text = body === undefined ? '' : JSON.stringify(body)
      return { status, headers: new Headers(), text, broken: response === 'broken' }
    },
    async change(change) {
      if ('policies' in change) current = { ...current, ...change.policies }
      return {}
    },
    latest: async () => ({ policies: consulted.map((id) => ({ id })) }) as unknown as JournalEntry,
    settings: async () => current,
  }
}
