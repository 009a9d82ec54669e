import type { Page } from 'playwright-core'
import type { Simulator } from '../../../src/simulator.ts'
import { authorization } from '../api/headers.ts'

/** A view of the dashboard, and the data it shows. */
interface View {
  readonly hash: string
  /** A text that appears when the view is complete. */
  readonly until: string
  readonly arrange: (simulator: Simulator) => unknown
}

/** Both themes, each with the width of a desktop and of a phone. */
export const looks = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'dark', width: 390 },
  { colorScheme: 'light', width: 390 },
] as const

/** Returns by how many pixels a page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
}

/** The widths of a phone, a tablet, a laptop and a large screen. */
export const widths: readonly number[] = [390, 768, 1280, 1920]

/**
 * Lists elements that are cut off: a button or a badge that is wider than its box or leaves the
 * visible part of the box that scrolls it, a text that ends in an ellipsis without a tooltip and a selected option or a
 * placeholder that its field has no room for.
 */
export function clippedOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true })
    const elements = [...document.body.querySelectorAll<HTMLElement>('*')].filter(
      (element) =>
        isShown(element) && !element.closest('.visually-hidden, .skip, svg, option, optgroup'),
    )
    const isControl = (element: Element) =>
      element.matches('button, .button, .badge, .tag, summary, nav a, h1, h2, h3, label')
    const right = (element: Element) => element.getBoundingClientRect().right
    const clips = (element: Element) => getComputedStyle(element).overflowX !== 'visible'
    // A list with a column for each field is made to be scrolled.
    const isScrolled = (element: Element) => element.closest('th.cell') !== null
    const leavesBox = (element: HTMLElement) => {
      let box = element.parentElement
      while (box && !clips(box)) box = box.parentElement
      return right(element) > Math.min(box ? right(box) : Infinity, innerWidth) + 1
    }
    const isWider = (element: HTMLElement) =>
      element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1
    const isCell = (element: Element) => element.matches('td, th')
    const hasTooltip = (element: Element) =>
      element.closest('[title]') ?? element.querySelector('[title]')
    const canvas = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
    const lacksRoom = (field: Element, text: string, arrow: number) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(field)
      canvas.font = font
      const room =
        field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
      return canvas.measureText(text).width + arrow > room
    }
    const cutsText = (field: Element) =>
      field instanceof HTMLSelectElement
        ? lacksRoom(field, field.selectedOptions[0]?.label ?? '', 16)
        : field instanceof HTMLInputElement && lacksRoom(field, field.placeholder, 0)
    return elements
      .filter(
        (element) =>
          (isControl(element) &&
            !isScrolled(element) &&
            (isWider(element) || leavesBox(element))) ||
          (isCell(element) && isWider(element) && !hasTooltip(element)) ||
          (getComputedStyle(element).textOverflow === 'ellipsis' &&
            isWider(element) &&
            !hasTooltip(element)) ||
          cutsText(element),
      )
      .map((element) => `${element.localName}.${element.className}: ${element.innerText}`)
  })
}

/** Every view of the dashboard. */
export const dashboardViews: readonly View[] = [
  { hash: '#/overview', until: 'clock frozen', arrange: controls },
  { hash: '#/requests', until: 'dropped', arrange: requests },
  { hash: '#/requests/2', until: 'Why this response', arrange: requests },
  { hash: '#/world/annotations', until: 'Scope', arrange: deletedRow },
  { hash: '#/world/plugins/21', until: 'Configuration schema', arrange: requests },
  { hash: '#/world/keys', until: 'project_1', arrange: requests },
  { hash: '#/world/others/users', until: 'distinct_id', arrange: requests },
  { hash: '#/controls/state', until: '10 keys', arrange: controls },
  { hash: '#/controls/faults', until: 'matched', arrange: controls },
  {
    hash: '#/controls/policies/annotations.delete.status',
    until: 'A message to use PATCH instead',
    arrange: controls,
  },
  { hash: '#/controls/policies?show=changed', until: '1 policy', arrange: controls },
  { hash: '#/requests?text=nothing', until: 'No requests match', arrange: requests },
  { hash: '#/scenarios/soft-delete-and-restore', until: 'Scenario file', arrange: controls },
  { hash: '#/reference', until: 'List the plugins', arrange: controls },
  { hash: '#/reference/api/updateAnnotation', until: 'Policies', arrange: controls },
  { hash: '#/reference/control/addFaults', until: 'Fields and types', arrange: controls },
]

/** Sends requests of every kind: a read, writes, an invalid body, an unknown path, a missing scope, a fault. */
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

/** Deletes one row of the list. */
function deletedRow({ world }: Simulator): void {
  world.annotations.update(2, { deleted: true })
}

/** Creates one of everything that the controls show. */
function controls({ sandboxes, snapshots, faults, policies }: Simulator): void {
  sandboxes.create({ ttl_s: 600 })
  snapshots.save('clean')
  faults.add({ preset: 'flaky' })
  policies.set({ 'annotations.delete.status': 403 })
}
