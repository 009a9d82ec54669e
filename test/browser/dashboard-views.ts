import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import type { Simulator } from '../../src/simulator/simulator.ts'
import { authorization } from '../support/api/headers.ts'

/** A view of the dashboard, and the data it shows. */
interface View {
  readonly hash: string
  /** A text that appears when the view is complete. */
  readonly until: string
  readonly arrange: (simulator: Simulator) => unknown
}

/** Both themes, at the widths of a desktop, a tablet and a phone. Colours do not depend on the width. */
export const looks = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'light', width: 768 },
  { colorScheme: 'dark', width: 390 },
] as const

/** The rules of axe that the dashboard keeps. */
export const axeRules: string[] = [
  ...['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
]

/** Looks at a page: what is not accessible, and by how many pixels it is wider than its window. */
export async function lookAt(
  page: Page,
  { colorScheme, width }: (typeof looks)[number],
  choose: (axe: AxeBuilder) => AxeBuilder = (axe) => axe,
) {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: 800 })
  const { violations, passes } = await choose(new AxeBuilder({ page })).analyze()
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  return {
    violations: violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
    passes: passes.length,
    overflow,
  }
}

/** Every view of the dashboard. */
export const dashboardViews: readonly View[] = [
  { hash: '', until: '6 problems', arrange: sendRequests },
  { hash: '', until: 'No requests here', arrange: () => {} },
  { hash: '#/requests/2', until: 'Why this response', arrange: sendRequests },
  { hash: '#/requests?filter=nothing', until: 'No request matches', arrange: sendRequests },
  { hash: '#/rows', until: '1–9 of 9', arrange: sendRequests },
  { hash: '#/rows/plugins/21', until: 'Save', arrange: sendRequests },
  { hash: '#/keys', until: 'project_1', arrange: sendRequests },
  { hash: '#/faults', until: 'matched', arrange: changeState },
  {
    hash: '#/settings/annotations.delete.status',
    until: '1 setting changed',
    arrange: changeState,
  },
  { hash: '#/state', until: '/__sandbox/sandbox-1', arrange: changeState },
]

/** Sends requests of every kind: a read, writes, an invalid body, an unknown path, a missing scope, a fault. */
export async function sendRequests(simulator: Simulator): Promise<void> {
  const list = '/api/projects/1/annotations/'
  const json = { ...authorization('phx_all'), 'content-type': 'application/json' }
  const send = (path: string, init: RequestInit = {}) =>
    simulator.fetch(path, { headers: authorization('phx_all'), ...init }).catch(() => {})
  await send(list)
  await send(`${list}1/`, { method: 'PATCH', headers: json, body: '{"deleted":true}' })
  await send(list, { method: 'POST', headers: json, body: '{"contnt":"Launch day"}' })
  await send(`${list}2/`, { method: 'PATCH', headers: json, body: '{"deleted":"maybe"}' })
  await send(`${list}2/`, { method: 'DELETE' })
  await send(`${list}3/`, { method: 'DELETE' })
  await send('/api/projects/1/annotation/')
  await send(`${list}?search=launch&limit=2`, { headers: authorization('phx_none') })
  simulator.faults.add({ operation: 'listAnnotations', effect: { drop: true } })
  await send(list)
}

/** Creates one of everything that can be changed. */
function changeState({ sandboxes, faults, settings }: Simulator): void {
  sandboxes.create({ ttl_s: 600, name: 'checkout: an order with two discounts is paid' })
  faults.add({ preset: 'flaky' })
  settings.set({ 'annotations.delete.status': 403 })
}
