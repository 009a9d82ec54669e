import type { SettingOverrides } from '../../src/settings/resolve.ts'
import type { FaultRequest } from '../../src/simulator/faults/schema.ts'
import type { RowEdit } from '../../src/world/edit/edit-rows.ts'
import type { Reply, RequestOptions } from '../support/transports/client.ts'
import type { Started } from '../support/transports/start.ts'

/** A client that breaks a rule, and one that does the same without a mistake. */
export interface RuleExample {
  readonly rule: string
  readonly title: string
  readonly settings?: SettingOverrides
  readonly faults?: readonly FaultRequest[]
  readonly breaks: (client: Started) => Promise<unknown>
  readonly keeps: (client: Started) => Promise<unknown>
  /** The message of the mistake, and the ids of its entries */
  readonly message: string
  readonly entries: readonly number[]
}

/** Reads all pages of a list by their links. */
export async function walk(
  { ask, origin }: Started,
  path: string,
  options: RequestOptions = {},
): Promise<Reply[]> {
  const pages: Reply[] = []
  for (let next: string | null = path; next !== null; ) {
    const page = await ask('GET', next, options)
    pages.push(page)
    const link = (page.body as { next: string | null }).next
    next = link === null ? null : link.replace(origin, '')
  }
  return pages
}

export async function repeat(times: number, send: () => Promise<unknown>): Promise<void> {
  for (let sent = 0; sent < times; sent++) await send()
}

export const numbers = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** Another user writes after the first request for a list. */
export const writeByAnother = ({ simulator }: Started, ...edit: RowEdit[]): unknown =>
  simulator.faults.add({ operation: 'listAnnotations', when: { times: 1 }, effect: { edit } })
