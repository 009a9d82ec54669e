import type { Page } from 'playwright-core'
import type { Simulator } from '../../../src/simulator.ts'
import { authorization } from '../api/write-rows.ts'

/** A view of the dashboard with something on it. */
interface View {
  readonly hash: string
  /** A text that is there when all of it is. */
  readonly until: string
  readonly arrange: (simulator: Simulator) => unknown
}

/** How a page is looked at: in both themes, on a screen and on a phone. */
export const looks = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'dark', width: 390 },
  { colorScheme: 'light', width: 390 },
] as const

/** By how many pixels a page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
}

/** Every view of the dashboard. */
export const dashboardViews: readonly View[] = [
  { hash: '#/requests', until: 'broken', arrange: requests },
  { hash: '#/requests/2', until: 'What changed', arrange: requests },
  { hash: '#/world/annotations', until: 'In numbers', arrange: deletedRow },
  { hash: '#/world/plugins/21', until: 'Configuration', arrange: requests },
  { hash: '#/world/others/users', until: 'distinct_id', arrange: requests },
  { hash: '#/controls/state', until: 'keys lead there', arrange: controls },
  { hash: '#/controls/faults', until: 'matched', arrange: controls },
  {
    hash: '#/controls/policies/annotations.delete.status',
    until: 'hard deletion is not allowed',
    arrange: controls,
  },
  { hash: '#/controls/profiles', until: 'policies differ', arrange: controls },
  { hash: '#/scenarios/soft-delete-and-restore', until: 'The file', arrange: controls },
]

/** Requests of every kind: a read, writes, a mistake, a path that is none, a refusal, a fault. */
async function requests(simulator: Simulator): Promise<void> {
  const list = '/api/projects/1/annotations/'
  const json = { ...authorization('phx_all'), 'content-type': 'application/json' }
  const send = (path: string, init: RequestInit = {}) =>
    simulator.fetch(path, { headers: authorization('phx_all'), ...init }).catch(() => {})
  await send(list)
  await send(`${list}1/`, { method: 'PATCH', headers: json, body: '{"deleted":true}' })
  await send(list, { method: 'POST', headers: json, body: '{"content":"Launch day"}' })
  await send(`${list}2/`, { method: 'PATCH', headers: json, body: '{"deleted":"maybe"}' })
  await send(`${list}2/`, { method: 'DELETE' })
  await send('/api/projects/1/annotation/')
  await send(`${list}?search=launch&limit=2`, { headers: authorization('phx_none') })
  simulator.faults.add({ operation: 'listAnnotations', effect: { drop: true } })
  await send(list)
}

/** One row of the list is deleted. */
function deletedRow({ world }: Simulator): void {
  world.annotations.update(2, { deleted: true })
}

/** Something of everything that can be turned. */
function controls({ sandboxes, snapshots, faults, policies }: Simulator): void {
  sandboxes.create({ ttl_s: 600 })
  snapshots.save('clean')
  faults.add({ preset: 'flaky' })
  policies.set({ 'annotations.delete.status': 403 })
}
